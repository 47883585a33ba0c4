/**
 * Where plans keep what happened: one text, which several plans may share. `memoryJournal` keeps it in the process, `fileJournal`
 * (`multilocal/node`) in a file, `sqlJournal` (`multilocal/sql`) in a database.
 *
 * A run writes before each request and after it. So a journal must not lose a text that it has confirmed. A run ends with the code
 * `journal_unusable` if a method throws, or does not answer within 30 seconds. The end of an action is saved again for that long.
 */
export interface PlanJournal {
  /** Returns the text that was saved last. `null` if there is none. */
  load(): Promise<string | null>;
  /**
   * Replaces `previous` with `next`, all or nothing: compare and swap. Resolves to `false` if the stored text is no longer
   * `previous` (`null`: none), because another run has written. An empty `next` means that there is nothing to keep.
   */
  save(next: string, previous: string | null): Promise<boolean>;
  /**
   * Keeps other runs away until the returned function is called, where a journal can do that. A run then fails at once
   * instead of at its first write: `hold` throws, and does not wait for its turn. A release that fails is not told, because the
   * journal has what happened.
   */
  hold?(): Promise<() => Promise<void>>;
}

/**
 * Creates a journal in the memory of the process. It protects from a second run in the same process only: after a restart,
 * it is unknown what happened.
 * @example
 * const journal = memoryJournal();
 * await runPlan(client, plan, { journal });
 */
export function memoryJournal(): PlanJournal {
  let stored: string | null = null;
  return {
    load: async () => stored,
    async save(next, previous) {
      if (stored !== previous) return false;
      stored = next;
      return true;
    },
  };
}

/** What to do about a damaged journal. */
export const RESTORE =
  'Restore it from a backup. Without the journal, it is unknown which actions happened: delete it only if you have looked in the service.';
