import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/** Bundled CommonJS libraries ask for the built-in modules of Node. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * Bundles a program of its own, since one JavaScript file starts faster than TypeScript does. The
 * folder is removed after the tests. It is in memory where that is possible: a killed process loses nothing that it gave to
 * the system, and many flushes cost time.
 */
export function childProgram(source: URL): { folder: string; program: string } {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'multilocal-'));
  const program = join(folder, 'child.mjs');
  beforeAll(async () => {
    await build({
      entryPoints: [fileURLToPath(source)],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      // The main file of `jsonc-parser` cannot be bundled.
      mainFields: ['module', 'main'],
      banner: { js: REQUIRE },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, program };
}
