// Every package whose code or types are compiled into the build has its licence in the package.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const external = Object.keys(peerDependencies);
/** Its types check our sources. `npm run check` shows that no declaration of the package names it. */
const onlyInSources = ['schema-dts'];
/** `npm run build` writes it. */
const notices = readFileSync(join(root, 'THIRD-PARTY-LICENSES.txt'), 'utf8');

/** `ky`, `@scope/name`: the package in whose folder the path lies. */
const packageOf = (path: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

/** The packages of which code is in the bundles of the sources. */
async function bundledCode(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/**/*.ts'],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:*', ...external],
    outdir: 'out',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).flatMap((path) => packageOf(path) ?? []),
  );
}

/** The packages that a source imports by name, for their types too. */
function imported(): string[] {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return sources
    .flatMap((name) => [
      ...readFileSync(join(root, 'src', name), 'utf8').matchAll(/^(?:import|export|\}).* from '([^.'][^']*)'/gm),
    ])
    .map(([, specifier = '']) => packageOf(`node_modules/${specifier}`) ?? '')
    .filter((name) => !name.startsWith('node:') && ![...external, ...onlyInSources].includes(name));
}

it('has every bundled package with its version and the whole text of its licence', async () => {
  const names = new Set(['ky', 'leven', 'type-fest', 'zod', ...(await bundledCode()), ...imported()]);
  for (const name of names) {
    const folder = join(root, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(notices, 'name it in scripts/licences.mjs').toContain(`\n${name} ${version} (`);
    for (const file of readdirSync(folder).filter((name) => /^licen[cs]e/i.test(name))) {
      expect(notices, `${name}: ${file}`).toContain(readFileSync(join(folder, file), 'utf8').trim());
    }
  }
});
