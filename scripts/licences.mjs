// Writes THIRD-PARTY-LICENSES.txt: the licences of the packages that are compiled into the build. Part of `npm run build`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What src imports and users do not install. A test compares this list with the imports. */
const BUNDLED = [
  '@bomb.sh/tab',
  '@clack/core',
  '@clack/prompts',
  'citty',
  'dompurify',
  'fast-string-truncated-width',
  'fast-string-width',
  'fast-wrap-ansi',
  'jsonc-parser',
  'ky',
  'leven',
  'sisteransi',
  'type-fest',
  'yaml',
  'zod',
];

/** The licences of packages that name one in package.json and ship no file with it. */
const MIT = ({ author }) => `MIT License

Copyright (c) ${author.replace(/ \(.*/, '')}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
const BY_HAND = { '@bomb.sh/tab': MIT };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const parts = BUNDLED.map((name) => {
  const folder = join(root, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { version, license } = manifest;
  const texts = readdirSync(folder)
    .filter((file) => /^licen[cs]e/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && BY_HAND[name]) texts.push(BY_HAND[name](manifest));
  if (texts.length === 0) throw new Error(`${name} has no licence file: name its licence here by hand`);
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
});
const separator = `\n\n${'-'.repeat(80)}\n\n`;
const intro = 'The files in dist contain code and types of these packages.';
writeFileSync(join(root, 'THIRD-PARTY-LICENSES.txt'), `${[intro, ...parts].join(separator)}\n`);
