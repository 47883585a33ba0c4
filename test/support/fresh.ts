// Each file and each test gets timers, globals and spies of its own, and each file limiters, in the thread or process that it shares.
// Modules are shared. A file that replaces one, or that counts on its first evaluation, resets them itself, before and after.
import { stat } from 'node:fs';
import timers from 'node:timers';
import { afterEach, expect, vi } from 'vitest';

const reset = () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  // `useRealTimers` deletes a timer that something has replaced while it was faked: a later file would have none.
  expect([setTimeout, setInterval, setImmediate]).toEqual([timers.setTimeout, timers.setInterval, timers.setImmediate]);
};

reset();
afterEach(reset);
// glibc before 2.41 loses a wake-up of a thread now and then (its bug 25847): a file operation then waits for the next one.
const shared = globalThis as { waking?: NodeJS.Timeout };
shared.waking ??= setInterval(() => stat('.', () => {}), 5_000).unref();
for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
  if (symbol.description?.startsWith('multilocal.')) Reflect.deleteProperty(globalThis, symbol);
}
