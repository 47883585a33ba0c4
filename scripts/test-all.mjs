// `npm run test:all`: everything that CI holds a change against. Every step runs, even if one before it failed.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const STEPS = [
  'npm test -- --coverage',
  'npm run check',
  'node scripts/chromium.mjs',
  'node scripts/services.mjs',
  'npx vitest run --project=!unit',
  'node scripts/typescript-versions.mjs',
  'npm run test:runtimes',
  'npm run demo',
  'npm run docs',
];
/** How much of the output of a failed step is repeated at the end. Vitest prints failures last. */
const LINES_REPEATED = 150;

const failed = [];
for (const step of STEPS) {
  console.log(`\n> ${step}`);
  const { code, lastLines } = await run(step);
  if (code !== 0) failed.push({ step, lastLines });
}
// A log keeps its end, and the failure may be thousands of lines above it.
for (const { step, lastLines } of failed) console.log(`\n✗ ${step}, its last lines again:\n${lastLines}`);
console.log(failed.length > 0 ? `\n✗ failed: ${failed.map(({ step }) => step).join('; ')}` : '\n✓ everything passed');
process.exit(failed.length > 0 ? 1 : 0);

/** Passes the output on as it comes. */
function run(step) {
  const child = spawn(step, { cwd: root, shell: true, stdio: ['inherit', 'pipe', 'pipe'] });
  let lastLines = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text);
      lastLines = (lastLines + text).split('\n').slice(-LINES_REPEATED).join('\n');
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, lastLines }));
    // A process that the step left behind would keep its output open.
    child.on('exit', (code) => setTimeout(() => resolve({ code, lastLines }), 5_000));
  });
}
