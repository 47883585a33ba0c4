import type { Reservation } from 'multilocal';
import { leaseInProcess } from 'multilocal/internal/lease';
import { memoryJournal } from '../journal/port.js';

/**
 * Where a watcher keeps what it has seen: one text. `memoryCursor` keeps it in the process, `fileCursor` (`multilocal/node`)
 * in a file, `sqlCursor` (`multilocal/sql`) in a database. For another store, write the two functions.
 */
export interface WatchCursor {
  /** Returns the text that was saved last. `null` if there is none. */
  load(): Promise<string | null>;
  /**
   * Replaces `previous` with `next`, all or nothing: compare and swap. Resolves to `false` if the stored text is no longer
   * `previous` (`null`: none), because another watcher has written. It must not lose a text that it has confirmed.
   */
  save(next: string, previous: string | null): Promise<boolean>;
  /**
   * Optional. Reserves the cursor. Resolves to `null` while another watcher has it. Without it, a watcher writes every
   * ten seconds that it is there, and another one takes the cursor after a minute without a sign.
   */
  lease?(): Promise<Reservation | null> | Reservation | null;
}

/**
 * Creates a cursor in the memory of the process, for tests and programs that never restart: after a restart, what is there
 * is old.
 * @example
 * for await (const event of watch(client, { cursor: memoryCursor() })) console.log(event.type);
 */
export function memoryCursor(): WatchCursor {
  return { ...memoryJournal(), lease: leaseInProcess() };
}
