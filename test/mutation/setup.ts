// Runs before each test file of a mutation run. The files share a thread, so each one gets modules and limiters of its own.
import { beforeEach, vi } from 'vitest';

vi.resetModules();
for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
  if (symbol.description?.startsWith('multilocal.')) Reflect.deleteProperty(globalThis, symbol);
}

// This test joins sources, and Stryker declares the same helpers in each of them.
beforeEach(({ task, skip }) => skip(task.name === 'survive minification'));
