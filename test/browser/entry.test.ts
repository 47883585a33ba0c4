import { describe, expect, it } from 'vitest';
import { bundle } from './bundle.js';

describe('multilocal/articles in a bundle for browsers', () => {
  it('reaches no Node built-in, the full client, the mock, the writes, the sync or the waits', async () => {
    const { inputs, outputs } = (await bundle('src/articles.ts')).metafile;
    const reached = Object.entries(inputs).flatMap(([file, { imports }]) => [file, ...imports.map(({ path }) => path)]);
    expect(reached).toContain('src/core/http.ts');
    expect(reached.filter((path) => /^node:|src\/client\.ts$|src\/mock\//.test(path))).toEqual([]);
    const unneeded = /src\/sync\/(?!walk|source)|src\/core\/wait\.ts$|articles(|-params|-schema|-sync)\.ts$/;
    expect(reached.filter((path) => unneeded.test(path) && path !== 'src/articles.ts')).toEqual([]);
    expect(Object.values(outputs).flatMap(({ imports }) => imports)).toEqual([]);
  });

  it('a built-in would stop the bundler', async () => {
    await expect(bundle('packages/stores/src/node.ts')).rejects.toThrow(/Could not resolve "node:/);
  });
});
