import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from '../examples/run.js';

// What the bundler of a site makes of an import of the package. `dist` must be there.
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The files that esbuild takes for this code, and the size of what it keeps of them. */
async function bundled(contents: string) {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    // Not the `paths` of tsconfig.json, which lead to the sources.
    tsconfigRaw: {},
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    logLevel: 'error',
    write: false,
    metafile: true,
  });
  return { files: Object.keys(metafile.inputs), size: outputFiles[0]?.text.length ?? 0 };
}

describe("import 'multilocal/articles'", () => {
  it('is plain ESM: chunks with names and comments, not the minified file', async () => {
    const { files } = await bundled("export * from 'multilocal/articles'");
    expect(files).toContain('dist/articles.js');
    for (const file of files.filter((name) => name.startsWith('dist/'))) {
      expect(file).not.toMatch(/browser|\.min\./);
      expect(
        Math.max(
          ...readFileSync(join(root, file), 'utf8')
            .split('\n')
            .map(({ length }) => length),
        ),
        file,
      ).toBeLessThan(20_000);
    }
  });

  it('leaves out what is not used', async () => {
    const whole = await bundled("export * from 'multilocal/articles'");
    const part = await bundled("export { parseTimestamp } from 'multilocal/articles'");
    expect(part.size).toBeLessThan(whole.size / 10);
    const none = await bundled("import 'multilocal/articles'");
    expect(none.size).toBeLessThan(100);
  });
});

it('only services for pages without a bundler name the minified file', () => {
  const { exports, ...fields } = manifest;
  expect(JSON.stringify(exports)).not.toContain('.min.js');
  const named = Object.entries(fields).filter(([, value]) => JSON.stringify(value).includes('.min.js'));
  expect(named.map(([name]) => name)).toEqual(['unpkg', 'jsdelivr']);
});
