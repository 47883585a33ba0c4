import { PlanError } from 'multilocal/internal/errors';
import { issuesOf, OPTION_NAMES } from 'multilocal/internal/issues';
import { invalid } from 'multilocal/internal/request';
import * as s from 'multilocal/internal/schema';
import type { PlanJournal } from 'multilocal/node';
import * as z from 'zod/mini';
import { LEAVES_WITHIN } from './clock.js';
import { freed, kept } from './decide.js';
import { type Entry, parseJournal, printJournal } from './journal-content.js';
import { checkJournal } from './ledger.js';
import { finishesWithin } from './look.js';
import { DOUBTFUL } from './outcome.js';

const settlingSchema = s.params({
  outcome: s.oneOf(['applied', 'not_applied']),
  ids: z.optional(s.list(s.anyOf([s.text(1), s.integer.check(z.positive())], 'an id'))),
  by: z.optional(s.string),
});

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
 * @throws an `InvalidRequestError` if the journal does not have the key, or if the service has confirmed what is settled as `not_applied`.
 * @throws a `PlanError` if the journal cannot be used, or if a run is writing it or may still be sending the request.
 * @example await settleAction(journal, 'noel/bul_lyon', 'applied', { ids: [1031], by: 'Lea' });
 */
export async function settleAction(
  journal: PlanJournal,
  key: string,
  outcome: 'applied' | 'not_applied',
  options: SettleOptions = {},
): Promise<void> {
  checkJournal('settleAction', journal);
  const issues = issuesOf(settlingSchema, { outcome, ...options }, OPTION_NAMES);
  if (issues) throw invalid(issues, { operation: 'settleAction' });
  const { ids, by = '' } = options;
  const release = await journal.hold?.();
  try {
    const text = await journal.load();
    const content = text ? parseJournal(text) : undefined;
    const entries = new Map(Object.entries(content?.entries ?? {}));
    const entry = entries.get(key);
    if (!content || !entry) {
      const others = entries.size === 1 ? '1 other key' : `${entries.size} other keys`;
      const known = entries.size === 0 ? 'It is empty' : `It has ${others}`;
      throw invalid([{ path: ['key'], message: `is not in the journal. ${known}` }], { operation: 'settleAction' });
    }
    if (outcome === 'not_applied') refuseRepetition(entry);
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

/**
 * An action that is settled as `not_applied` is sent again, so it is neither one that the service has confirmed, as that of a mistyped
 * key, nor one whose request may still be on its way.
 */
function refuseRepetition(entry: Entry): void {
  if (entry.outcome === 'applied' && entry.settled_by === undefined && entry.error !== DOUBTFUL) {
    const message = 'was carried out, as the service has said. If it is to happen again, give the action a new `key`';
    throw invalid([{ path: ['key'], message }], { operation: 'settleAction' });
  }
  const longest = LEAVES_WITHIN + finishesWithin(entry);
  const left = Date.parse(entry.started_at) + longest - Date.now();
  if (entry.outcome !== 'started' || left <= 0 || left > longest) return;
  const message = 'A run may still be sending the request of this action.';
  throw new PlanError('journal_locked', message, `Settle it in ${Math.ceil(left / 1000)} seconds.`);
}

/** The entry of an action, or of the correction of what it has made. */
function settledAs(outcome: 'applied' | 'not_applied', entry: Entry, ids: SettleOptions['ids']): Entry {
  const { change, was, service_end: _, error: __, status: ___, ...rest } = entry;
  if (change === undefined) return { ...rest, outcome, ids: outcome === 'applied' ? (ids ?? entry.ids) : undefined };
  if (outcome === 'not_applied') return kept(entry, was);
  // The digests are those of before, so a later correction would compare with the wrong text.
  return change === 'delete' ? freed(entry) : { ...kept(entry), digests: undefined };
}
