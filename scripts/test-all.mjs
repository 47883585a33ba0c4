// `npm run test:all`: everything that CI holds a change against. Every step runs, even if one before it failed.
import { spawnSync } from 'node:child_process';
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

const failed = STEPS.filter((step) => {
  console.log(`\n> ${step}`);
  return spawnSync(step, { cwd: root, stdio: 'inherit', shell: true }).status !== 0;
});
console.log(failed.length > 0 ? `\n✗ failed: ${failed.join('; ')}` : '\n✓ everything passed');
process.exitCode = failed.length > 0 ? 1 : 0;
