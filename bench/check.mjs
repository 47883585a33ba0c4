// Compares the built package with its budgets. Bytes and type instantiations are the same on every machine;
// `npm run bench` measures time.
import { deepStrictEqual } from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { articleListSchema, articleSchema, postSchema } from 'multilocal/schemas';
import ts from 'typescript';
import * as z from 'zod/mini';
import { articleSchema as article, articleListSchema as articles, postSchema as post } from './candidates/by-hand.mjs';
import { LIMITS, loads } from './loads.mjs';
import { ENTRIES } from './sizes.mjs';

/** Type instantiations of `consumer.ts`. An empty file has none. */
const INSTANTIATIONS = 320;
let exceeded = 0;

for (const { name, size, most } of ENTRIES) compare(`gzipped bytes of ${name}`, await size(), most);
for (const { entry, format, bytes } of loads()) {
  compare(
    `bytes that ${format} of multilocal${entry.slice(1)} loads`,
    bytes,
    LIMITS[entry]?.[format === 'import' ? 0 : 1] ?? 0,
  );
}
compare("type instantiations of a user's file", typeInstantiations('consumer.ts'), INSTANTIATIONS);
// The benchmark compares us with a client by hand, which must check the same fields.
for (const [own, byHand] of [
  [articleSchema, article],
  [articleListSchema, articles],
  [postSchema, post],
]) {
  deepStrictEqual(z.toJSONSchema(byHand), z.toJSONSchema(own), 'bench/candidates/by-hand.mjs checks other fields');
}
if (exceeded > 0) {
  console.error(`${exceeded} of the figures above are over budget. Make the code smaller. If the growth is worth it, raise the limit
in bench/sizes.mjs or bench/loads.mjs and say why in docs/decisions/0004-bundling.md.`);
  process.exitCode = 1;
}

/** The instantiations of a check with the settings of a usual project. The file must compile. */
function typeInstantiations(name) {
  const program = ts.createProgram([fileURLToPath(new URL(name, import.meta.url))], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  });
  const [error] = ts.getPreEmitDiagnostics(program);
  if (error) throw new Error(`${name}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`);
  return program.getInstantiationCount();
}

function compare(what, value, most) {
  if (value > most) exceeded++;
  console.log(`${value > most ? '✗' : '✓'} ${what}: ${value} of at most ${most}`);
}
