// Writes THIRD-PARTY-LICENSES.txt: the licences of the packages that are compiled into the build. Part of `npm run build`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What src imports and users do not install. A test compares this list with the imports. */
const BUNDLED = ['ky', 'leven', 'type-fest', 'zod'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const parts = BUNDLED.map((name) => {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^licen[cs]e/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) throw new Error(`${name} has no licence file: name its licence here by hand`);
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
});
const separator = `\n\n${'-'.repeat(80)}\n\n`;
const intro = 'The files in dist contain code and types of these packages.';
writeFileSync(join(root, 'THIRD-PARTY-LICENSES.txt'), `${[intro, ...parts].join(separator)}\n`);
