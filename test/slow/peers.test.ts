// npm refuses to install a package beside a peer that is out of its range, although nobody imports the entry that needs it.
// So the ranges are wide, and the entries check at import.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import manifest from '../../package.json' with { type: 'json' };
import { schemas, zodOfApp } from '../../tsup.config.js';

const app = mkdtempSync(join(tmpdir(), 'multilocal-peers-'));
afterAll(() => rmSync(app, { recursive: true, force: true }));

it('every peer is optional, and every version of the last years is in its range', () => {
  expect(manifest.peerDependencies).toEqual({ '@opentelemetry/api': '>=1', astro: '>=4', msw: '>=1', zod: '>=3' });
  for (const name of Object.keys(manifest.peerDependencies)) {
    expect(manifest.peerDependenciesMeta).toHaveProperty([name, 'optional'], true);
  }
});

const ZOD = join(process.cwd(), 'node_modules', 'zod');
const realZod = (file: string) => JSON.stringify(join(ZOD, file));

/** zod/mini of zod 4, which says that it is another version. zod 3.25 calls its own 4.0. */
function zod(version: string) {
  const [major, minor] = version.split('.').map(Number);
  const core = `{ ...zod.core, version: ${JSON.stringify({ major, minor })} }`;
  const real = realZod('v4-mini/index.js');
  return {
    'mini.js': `import * as zod from ${real}; export * from ${real}; export const core = ${core};`,
    'mini.cjs': `const zod = require(${realZod('v4-mini/index.cjs')}); module.exports = { ...zod, core: ${core} };`,
  };
}

/** Stand-ins of peers: their files, and the entry that needs the peer. */
const ENTRIES = {
  schemas: { entry: 'src/schemas.ts', exports: { './v4-mini': { import: './mini.js', require: './mini.cjs' } } },
  mock: { entry: 'packages/mock/src/index.ts', exports: { '.': { import: './index.js', require: './index.cjs' } } },
  astro: {
    entry: 'packages/sites/src/astro/index.ts',
    exports: { './zod': './zod.js', './package.json': './package.json' },
  },
};
const MSW_1 = { 'index.js': 'export const rest = {};', 'index.cjs': 'module.exports = { rest: {} };' };
const ASTRO = { 'zod.js': `export * from ${realZod('index.js')};` };

/** Imports an entry beside a stand-in, and returns what Node prints of an error. */
async function imported(
  name: keyof typeof ENTRIES,
  peer: string,
  version: string,
  files: object,
  format: 'esm' | 'cjs',
) {
  const folder = join(app, `${name}-${peer}-${version}-${format}`);
  const { entry, exports } = ENTRIES[name];
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format,
    platform: 'node',
    target: 'es2022',
    define: name === 'schemas' ? schemas.define : {},
    external: [peer],
    plugins: name === 'schemas' ? [zodOfApp] : [],
  });
  const type = format === 'esm' ? 'module' : 'commonjs';
  const stub = { name: peer, version, type: 'module', exports };
  const all = { ...files, 'package.json': JSON.stringify(stub) };
  for (const [file, text] of Object.entries(all)) write(join(folder, 'node_modules', peer, file), text as string);
  write(join(folder, 'package.json'), JSON.stringify({ type }));
  write(join(folder, 'entry.js'), outputFiles[0]?.text ?? '');
  const code = format === 'esm' ? "await import('./entry.js')" : "require('./entry.js')";
  return new Promise<string>((resolve) => {
    const args = [`--input-type=${type}`, '--eval', code];
    execFile(process.execPath, args, { cwd: folder }, (_, __, stderr) => resolve(stderr));
  });
}

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

it.each([
  ['esm', '4.0'],
  ['cjs', '4.0'],
  ['esm', '4.1'],
  ['cjs', '4.1'],
] as const)('multilocal/schemas, %s, with zod %s (zod 3.25 contains 4.0)', async (format, version) => {
  const error = await imported('schemas', 'zod', version, zod(version), format);
  if (version === '4.1') expect(error).toBe('');
  else expect(error).toContain('Error: multilocal/schemas needs zod 4.1 or later (npm install zod@latest).');
});

it.each(['esm', 'cjs'] as const)('multilocal/mock, %s, refuses msw 1', async (format) => {
  const error = await imported('mock', 'msw', '1.3.5', MSW_1, format);
  expect(error).toContain('Error: multilocal/mock needs msw 2.10 or later');
});

it.each([
  ['4.16.18', 'Error: multilocal/astro needs Astro 5 or later, and this project has 4.16.18'],
  ['5.0.0', ''],
  ['7.1.0', ''],
])('multilocal/astro with Astro %s: %j', async (version, message) => {
  const error = await imported('astro', 'astro', version, ASTRO, 'esm');
  if (message) expect(error).toContain(message);
  else expect(error).toBe('');
});

it('the schemas of the app have the functions of its zod', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/schemas.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    define: schemas.define,
    external: [join(ZOD, 'mini/index.js')],
    alias: { 'zod/mini': join(ZOD, 'mini/index.js') },
  });
  write(join(app, 'schemas.mjs'), outputFiles?.[0]?.text ?? '');
  const built: Record<string, z.core.$ZodType> = await import(join(app, 'schemas.mjs'));
  const { articles } = (built.articleListSchema as unknown as z.core.$ZodObject)._zod.def.shape;
  const { character_limits, image_limits } = (built.platformLimitsSchema as unknown as z.core.$ZodObject)._zod.def
    .shape;
  const parseOf = (schema?: z.core.$ZodType) => String(schema?._zod.parse);
  expect(parseOf(articles)).toBe(parseOf(z.array(z.string())));
  const named = parseOf(z.catchall(z.object({}), z.string()));
  expect([character_limits, image_limits].map(parseOf)).toEqual([named, named]);
  const hostile = Array(10_000).fill(0);
  expect(z.safeParse(articles as z.core.$ZodType, hostile).error?.issues).toHaveLength(10_000);
});
