// Runs before each unit test file: in the thread that it shares, it gets modules, timers, globals and limiters of its own.
import { vi } from 'vitest';

vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
// packages/stores/test/disk.test.ts replaces it, and no other unit test replaces a module.
vi.doUnmock('node:fs/promises');
vi.resetModules();
for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
  if (symbol.description?.startsWith('multilocal.')) Reflect.deleteProperty(globalThis, symbol);
}
