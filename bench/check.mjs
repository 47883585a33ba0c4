// Compares the built package with its budgets. Bytes and type instantiations are the same on every machine;
// `npm run bench` measures time.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ENTRIES } from './sizes.mjs';

/** Type instantiations of `consumer.ts`. An empty file has none. */
const INSTANTIATIONS = 320;
let exceeded = 0;

for (const { name, size, most } of ENTRIES) compare(`gzipped bytes of ${name}`, await size(), most);
compare("type instantiations of a user's file", typeInstantiations('consumer.ts'), INSTANTIATIONS);
if (exceeded > 0) {
  console.error(`${exceeded} of the figures above are over budget. Make the code smaller. If the growth is worth it, raise the limit
in bench and say why in docs/decisions/0004-bundling.md.`);
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
