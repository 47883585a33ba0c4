import { describeJournal } from '@multilocal/test/support/journal-contract';
import type { WatchCursor } from 'multilocal/node';
import { expect, it } from 'vitest';

/** What every cursor of a watcher must do. `open` opens a new one, and each call of the returned function the same one again. */
export function describeCursor(name: string, open: () => Promise<() => WatchCursor>): void {
  // It keeps texts as journals do.
  describeJournal(`a cursor in ${name}`, open);

  it(`a cursor in ${name} has one watcher, and a next one when it ends`, async () => {
    const again = await open();
    const lease = await again().lease?.();
    expect(await again().lease?.()).toBeNull();
    expect(await lease?.renew?.()).toBe(true);
    // The lease of a cursor that has no text yet is no text.
    expect(await again().load()).toBeNull();
    await lease?.();
    const next = await again().lease?.();
    expect(next).not.toBeNull();
    expect(await lease?.renew?.()).toBe(false);
    await lease?.();
    expect(await again().lease?.()).toBeNull();
  });
}
