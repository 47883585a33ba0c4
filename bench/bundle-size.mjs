import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';

/** Bytes of what a browser loads, minified for ES2022 and compressed with gzip -9, by bundler. */
export async function sizeOf(entry) {
  const esbuild = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    legalComments: 'none',
    logLevel: 'error',
  });
  const bundle = await rolldown({ input: entry, platform: 'browser', transform: { target: 'es2022' } });
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
  await bundle.close();
  return { esbuild: gzipped(esbuild.outputFiles[0].text), rolldown: gzipped(output[0].code) };
}

const gzipped = (text) => gzipSync(text, { level: 9 }).length;
