// npm refuses to install a package beside a peer that is out of its range, although nobody imports the entry that needs it.
// So the ranges are wide, and the entries check at import.
import { afterEach, expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

afterEach(() => {
  vi.doUnmock('zod/mini');
  vi.doUnmock('msw');
  vi.restoreAllMocks();
  vi.resetModules();
});

it('every peer is optional, and every version of the last years is in its range', () => {
  expect(manifest.peerDependencies).toEqual({ '@opentelemetry/api': '>=1', astro: '>=4', msw: '>=1', zod: '>=3' });
  for (const name of Object.keys(manifest.peerDependencies)) {
    expect(manifest.peerDependenciesMeta).toHaveProperty([name, 'optional'], true);
  }
});

it.each([
  [3, 25],
  [4, 0],
])('multilocal/schemas refuses zod %i.%i and names the version that it needs', async (major, minor) => {
  const zod = await vi.importActual<typeof import('zod/mini')>('zod/mini');
  vi.doMock('zod/mini', () => ({ ...zod, core: { ...zod.core, version: { major, minor, patch: 0 } } }));
  await expect(import('../../src/schemas.js')).rejects.toThrow('multilocal/schemas needs zod 4.1 or later');
});

it('multilocal/mock refuses msw 1', async () => {
  vi.doMock('msw', () => ({ http: undefined, rest: {} }));
  await expect(import('multilocal/mock')).rejects.toThrow('multilocal/mock needs msw 2.10 or later');
});

it.each([
  ['4.16.18', false],
  ['5.0.0', true],
  ['7.1.0', true],
])('multilocal/astro with Astro %s: %s', async (version, isSupported) => {
  const module = process.getBuiltinModule('node:module');
  const createRequire = (() => () => ({ version })) as unknown as typeof module.createRequire;
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ ...module, createRequire });
  const entry = import('multilocal/astro');
  if (isSupported) await expect(entry).resolves.toHaveProperty('multilocalLoader');
  else await expect(entry).rejects.toThrow('multilocal/astro needs Astro 5 or later, and this project has 4.16.18');
});
