import { stepOf } from './diff.js';
import type { Entry } from './journal-content.js';
import type { Opened } from './opened.js';
import { newlyOnline, postsOf } from './posts-seen.js';

/** Notes where posts were seen online, and which are gone although their moment had come: a person may then settle them. */
export async function noteSeen(opened: Opened): Promise<void> {
  const { plan, ledger, service, context } = opened;
  const changes = new Map<string, Entry>();
  for (const action of plan.actions) {
    const { key } = action;
    const entry = ledger.entryOf(key);
    const online = newlyOnline(entry, postsOf(action, entry, service));
    if (entry && online) changes.set(key, { ...entry, online });
    const step = entry?.made?.gone === undefined ? stepOf(action, opened.sides()) : undefined;
    if (step?.do !== 'refuse' || step.code !== 'may_be_online') continue;
    // What is gone may be that of another key.
    const { key: owner = key } = step.values as { key?: string };
    const seen = changes.get(owner) ?? ledger.entryOf(owner);
    if (!seen?.made || seen.made.gone !== undefined) continue;
    changes.set(owner, { ...seen, made: { ...seen.made, gone: new Date(context.timer.date()).toISOString() } });
  }
  if (changes.size > 0) await ledger.saveAll(changes);
}
