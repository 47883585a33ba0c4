import { PlanError } from 'multilocal/internal/errors';
import { invalid } from 'multilocal/internal/request';
import type { PlanJournal } from 'multilocal/node';
import { freed, kept } from './decide.js';
import { type Entry, parseJournal, printJournal } from './journal-content.js';
import { checkJournal } from './ledger.js';

/** Options of {@link settleAction}. */
export interface SettleOptions {
  /** The ids of what was made, as the service shows them. */
  readonly ids?: readonly (string | number)[] | undefined;
  /** Who has looked in the service. */
  readonly by?: string | undefined;
}

/**
 * Notes in a journal what a person has seen in the service: whether the action of a key has happened. The next run sends an
 * action again that is `not_applied`, and one that is `applied` never.
 * @throws an `InvalidRequestError` if the journal does not have the key.
 * @throws a `PlanError` if the journal cannot be used, or if a run is writing it.
 * @example await settleAction(journal, 'noel/bul_lyon', 'applied', { ids: [1031], by: 'Lea' });
 */
export async function settleAction(
  journal: PlanJournal,
  key: string,
  outcome: 'applied' | 'not_applied',
  { ids, by = '' }: SettleOptions = {},
): Promise<void> {
  checkJournal('settleAction', journal);
  if (outcome !== 'applied' && outcome !== 'not_applied') {
    const issue = { path: ['outcome'], message: 'must be "applied" or "not_applied"' };
    throw invalid([issue], { operation: 'settleAction' });
  }
  const release = await journal.hold?.();
  try {
    const text = await journal.load();
    const content = text ? parseJournal(text) : undefined;
    const entries = new Map(Object.entries(content?.entries ?? {}));
    const entry = entries.get(key);
    if (!content || !entry) {
      const known = entries.size === 0 ? 'It is empty' : `It has ${entries.size} other keys`;
      throw invalid([{ path: ['key'], message: `is not in the journal. ${known}` }], { operation: 'settleAction' });
    }
    const settled = settledAs(outcome, entry, ids);
    entries.set(key, { ...settled, ended_at: new Date().toISOString(), settled_by: by, saves: (entry.saves ?? 0) + 1 });
    const next = printJournal({ ...content, entries: Object.fromEntries(entries) });
    if (await journal.save(next, text)) return;
    const hint = 'Wait until the run has ended, then settle the action.';
    throw new PlanError('journal_locked', 'A run has written the journal meanwhile.', hint);
  } finally {
    await release?.();
  }
}

/** The entry of an action, or of the correction of what it has made. */
function settledAs(outcome: 'applied' | 'not_applied', entry: Entry, ids: SettleOptions['ids']): Entry {
  const { change, was, service_end: _, error: __, status: ___, ...rest } = entry;
  if (change === undefined) return { ...rest, outcome, ids: outcome === 'applied' ? (ids ?? entry.ids) : undefined };
  if (outcome === 'not_applied') return kept(entry, was);
  // The digests are those of before, so a later correction would compare with the wrong text.
  return change === 'delete' ? freed(entry) : { ...kept(entry), digests: undefined };
}
