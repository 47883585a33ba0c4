import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { FOR_BROWSERS } from './bundle-size.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The parts of our bundles, in the order of the tables: the first pattern that the path of a file has. */
export const PARTS = {
  zod: /node_modules\/zod\//,
  ky: /node_modules\/ky\//,
  'other packages': /node_modules\//,
  'texts of errors': /src\/core\/errors\/messages/,
  'errors, redaction': /src\/core\/errors\//,
  limiter: /src\/core\/(admit|book|budget|limiter|line|rate-limit-store|shared-limiter|sorted)\.ts/,
  'the rest of `src/core`: options, checks, requests, events, pages': /src\/core\//,
  sync: /src\/(sync|files)\/|src\/resources\/articles-sync/,
  'routes and their schemas: `src/resources`': /src\/resources\//,
  'clients and entries': /./,
};

/** The minified bytes of each part in a bundle of one export of `source`, a file of `src`. */
export async function bytesOf(source, name) {
  const { metafile } = await build({
    ...FOR_BROWSERS,
    stdin: { contents: `export { ${name} } from './src/${source}'`, resolveDir: root },
    absWorkingDir: root,
    metafile: true,
  });
  const bytes = Object.fromEntries(Object.keys(PARTS).map((part) => [part, 0]));
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [part] = Object.entries(PARTS).find(([, pattern]) => pattern.test(path));
      bytes[part] += bytesInOutput;
    }
  }
  return bytes;
}
