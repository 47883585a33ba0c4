import { stepOf } from './diff.js';
import type { Entry } from './journal-content.js';
import type { Opened } from './opened.js';
import { newlyOnline, postsOf } from './posts-seen.js';

/** Notes where posts were seen online, and which are gone although their moment had come: a person may then settle them. */
export async function noteSeen(opened: Opened): Promise<void> {
  const { plan, ledger, service, context } = opened;
  const changes = new Map<string, Entry>();
  for (const action of plan.actions) {
    const entry = ledger.entryOf(action.key);
    const online = newlyOnline(entry, postsOf(action, entry, service));
    const step = entry?.made?.gone === undefined ? stepOf(action, opened.sides()) : undefined;
    const isGone = step?.do === 'refuse' && step.code === 'may_be_online';
    if (!entry || !(online || isGone)) continue;
    const gone =
      isGone && entry.made ? { made: { ...entry.made, gone: new Date(context.timer.date()).toISOString() } } : {};
    changes.set(action.key, { ...entry, ...(online && { online }), ...gone });
  }
  if (changes.size > 0) await ledger.saveAll(changes);
}
