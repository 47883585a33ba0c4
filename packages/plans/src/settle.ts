import { PlanError } from 'multilocal/internal/errors';
import { issuesOf, OPTION_NAMES } from 'multilocal/internal/issues';
import { invalid } from 'multilocal/internal/request';
import * as s from 'multilocal/internal/schema';
import type { PlanJournal } from 'multilocal/node';
import * as z from 'zod/mini';
import { finishesWithin, LEAVES_WITHIN } from './clock.js';
import { type Entry, type Made, parseJournal, printJournal } from './journal-content.js';
import { answered, checkJournal, underLock } from './ledger.js';
import { asNotApplied, foundAs, renewed, withoutId } from './made.js';
import { rowOf } from './operations.js';
import { platformsOf } from './shown.js';

const settlingSchema = s.params({
  outcome: s.oneOf(['applied', 'not_applied']),
  ids: z.optional(s.list(s.anyOf([s.text(1), s.integer.check(z.positive())], 'an id'))),
  by: z.optional(s.string),
});

/** Options of {@link settleAction}. */
export interface SettleOptions {
  /** The ids of what was made, as the service shows them. Only with `applied`. */
  readonly ids?: readonly (string | number)[] | undefined;
  /** Who has looked in the service. */
  readonly by?: string | undefined;
}

/**
 * Notes in a journal what a person has seen in the service: whether the action of a key has happened. The next run sends an
 * action again that is `not_applied`, and one that is `applied` never.
 * Only what is unknown or gone can be settled, and what a person has settled: what the service has confirmed stays, with its ids. Of a post
 * or an article that was made, the id is needed, so that status, corrections and left-overs treat it like any other.
 * @throws an `InvalidRequestError` if the journal does not have the key, if the service has confirmed what happened, if an id is missing,
 * is that of another key or cannot be used, or if what was settled as `not_applied` is to become `applied`: nothing of it is kept.
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
  await underLock(journal, async () => {
    const text = await answered(() => journal.load());
    const content = text ? parseJournal(text) : undefined;
    const entries = new Map(Object.entries(content?.entries ?? {}));
    const entry = entries.get(key);
    if (!content || !entry) throw wrong('key', `is not in the journal (number of keys: ${entries.size})`);
    refuseConfirmed(entry);
    if (outcome === 'applied') refuseIds(key, entry, ids, entries);
    else if (ids?.length) throw wrong('ids', 'belongs to `applied`: what did not happen has made nothing');
    else refuseBusy(entry);
    const settled = outcome === 'applied' ? applied(entry, ids) : notApplied(entry);
    entries.set(key, { ...settled, at: new Date().toISOString(), settled_by: by, saves: (entry.saves ?? 0) + 1 });
    const next = printJournal({ ...content, entries: Object.fromEntries(entries) });
    if (await answered(() => journal.save(next, text))) return;
    const hint = 'Wait until the run has ended, then settle the action.';
    throw new PlanError('journal_locked', 'A run has written the journal meanwhile.', hint);
  });
}

/** What the service has confirmed stays as it is. What a person has said may be corrected by a person. */
function refuseConfirmed({ made, sent, settled_by }: Entry): void {
  if (sent || made?.gone !== undefined || made?.doubt || settled_by !== undefined) return;
  const again = 'If it is to happen again, give the action a new `key`';
  const message = made
    ? `was carried out, as the service has said. ${again}`
    : 'did not happen, as the service has said. A run carries it out';
  throw wrong('key', message);
}

function wrong(path: 'key' | 'ids', message: string) {
  return invalid([{ path: [path], message }], { operation: 'settleAction' });
}

/** An action that is settled as `not_applied` is sent again, so its request must not be on its way any more. */
function refuseBusy({ operation, sent, begun_at = '' }: Entry): void {
  const longest = LEAVES_WITHIN + finishesWithin(operation);
  const left = Date.parse(begun_at) + longest - Date.now();
  if (!sent || sent.isLost || !(left > 0 && left <= longest)) return;
  const message = 'A run may still be sending the request of this action.';
  throw new PlanError('journal_locked', message, `Settle it in ${Math.ceil(left / 1000)} seconds.`);
}

/** The id of what can be corrected is needed, and it is that of no other key. */
function refuseIds(
  key: string,
  { operation, sent, made }: Entry,
  ids: SettleOptions['ids'],
  entries: ReadonlyMap<string, Entry>,
) {
  const { update, object } = rowOf(operation);
  const wanted = (ids ?? []).map(String);
  const isKnown = made?.doubt === 'changed' || made?.gone !== undefined || sent?.change !== undefined;
  const served = (made?.ids ?? []).map(String);
  if (isKnown && wanted.some((id) => !served.includes(id)))
    throw wrong('ids', `is not that of what was made (${served.join(', ')}), as the service has said`);
  if (update && !isKnown && !(sent ? ids : (ids ?? made?.ids))?.length)
    throw wrong('ids', 'must have the id of what was made, as the service shows it: it is needed to correct it');
  const isAlike = (one: Entry) => rowOf(one.operation).object === object && (object || one.operation === operation);
  const [other] =
    [...entries].find(
      ([each, one]) => each !== key && isAlike(one) && one.made?.ids?.some((id) => wanted.includes(String(id))),
    ) ?? [];
  if (other !== undefined) throw wrong('ids', `has an id that belongs to the key ${other}`);
}

/** It has happened: the action, or the correction of what it has made. */
function applied(entry: Entry, ids: SettleOptions['ids']): Entry {
  const { made, sent, online = [] } = entry;
  if (sent?.change === 'update') return { ...entry, sent: undefined, made: { ...(made as Made), ...renewed(sent) } };
  if (sent?.change === 'delete') return withoutId(entry, sent.id);
  if (sent) return foundAs(entry, sent, ids);
  // What was sent is forgotten, so nothing could keep a run from sending it again.
  if (!made) throw wrong('key', 'was settled as `not_applied`. If it has happened, take the action out of the plan');
  const { gone, doubt: _, ...known } = made;
  if (gone === undefined) return { ...entry, made: { ...known, ids: ids ?? made.ids } };
  // It was online before it was deleted in the service, so nothing is left to look at.
  const platforms = platformsOf(made.digests ?? {});
  return { ...entry, online: [...new Set([...online, ...platforms])], made: { ...known, ids: [] } };
}

/** It has not happened. What was made before is still there. */
function notApplied(entry: Entry): Entry {
  const { sent, made } = entry;
  if (sent && made) return { ...entry, sent: undefined };
  // It is still there as it was, so it is corrected, and not made anew.
  return made?.doubt === 'changed' ? { ...entry, made: { ...made, hash: '', doubt: undefined } } : asNotApplied(entry);
}
