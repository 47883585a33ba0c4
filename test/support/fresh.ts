// Runs before each test file: in the thread or process that it shares, it gets timers, globals and limiters of its own. Modules are
// shared. A file that replaces one, or that counts on its first evaluation, resets them itself, before and after.
import { vi } from 'vitest';

vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
  if (symbol.description?.startsWith('multilocal.')) Reflect.deleteProperty(globalThis, symbol);
}
