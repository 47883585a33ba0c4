import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';

/** How esbuild makes what a browser loads. */
export const FOR_BROWSERS = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  write: false,
  legalComments: 'none',
  logLevel: 'error',
};

/** Bytes of what a browser loads, minified for ES2022 and compressed with gzip -9, by bundler. */
export const SIZE_WITH = {
  async esbuild(entry) {
    const { outputFiles } = await build({ ...FOR_BROWSERS, entryPoints: [entry] });
    return gzipped(outputFiles[0].text);
  },
  async rolldown(entry) {
    const bundle = await rolldown({ input: entry, platform: 'browser', transform: { target: 'es2022' } });
    const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
    await bundle.close();
    return gzipped(output[0].code);
  },
};

const gzipped = (text) => gzipSync(text, { level: 9 }).length;
