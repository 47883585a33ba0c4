import type { Post } from 'multilocal';
import type { Action, PlanProblem } from './actions.js';
import { postInWords } from './describe.js';
import { digestsOf } from './digests.js';
import type { LeftOver } from './left-overs.js';
import { likenessOf } from './likeness.js';
import type { Opened } from './opened.js';
import { changedByHand } from './posts-seen.js';
import { refused } from './problems.js';
import { refusedLocally } from './refusals.js';
import { remarks } from './remarks.js';
import type { PlanLeftOver } from './results.js';
import { timeOf } from './shown.js';
import type { Targets } from './targets.js';
import { deleting } from './tasks.js';
import { type Both, inBrackets, inLocale, localMoment, whenWritten } from './words.js';

/** A left-over for people: what it is, as the service has it, and what would happen to it. */
export async function leftOverOf(
  { key, entry, posts, replacedBy, step }: LeftOver,
  targets: Targets,
  { context, plan }: Opened,
): Promise<PlanLeftOver> {
  const { client, timer, locale } = context;
  const ids = entry.made?.ids ?? [];
  const action = replacedBy === 'several' ? undefined : replacedBy;
  const denied = step.do === 'delete' ? refusedLocally(client, [deleting(entry, step.id)], { index: 0 }) : [];
  const own = step.do === 'nothing' ? 'keep' : step.do;
  const does = denied.length > 0 ? 'refuse' : own;
  // A post does not show on which clocks its moment was written.
  const written = whenWritten((action ?? plan.actions[0])?.params ?? {});
  const texts: string[] = [];
  for (const post of posts) {
    const params = { bulle_id: post.bulle_id ?? undefined };
    const { place = post.bulle_id } = await targets.shownOf({ operation: 'posts.create', params });
    texts.push(`${postInWords(post, place ?? '', written, locale)}\n${post.content}`);
  }
  const replaced = action ? [inLocale(replacement(posts[0], action, timer.date()), locale)] : [];
  const head = inLocale(remarks.leftOver(does, `${key}${inBrackets(ids)}`), locale);
  const summary = [head, ...texts, ...replaced].join('\n');
  const problems: PlanProblem[] =
    step.do === 'refuse' ? [refused(step, [], key)] : denied.map((one) => ({ ...one, path: [] }));
  return { key, ids, summary, step: does, problems, posts, ...(action && { replacedBy: action.key }) };
}

/** Warns about what somebody has changed by hand of what is to be deleted. */
export function deletedByHand({ entry, posts, step }: LeftOver): PlanProblem[] {
  return step.do === 'delete' ? changedByHand(undefined, entry, posts) : [];
}

/** What an action has in common with the post that it seems to replace. */
function replacement(post: Post | undefined, action: Action, now: number): Both {
  const likeness = (post && likenessOf(post, digestsOf(action), now)) ?? 'twin';
  if (likeness !== 'moved') return remarks[likeness](action.key);
  const written = whenWritten(action.params);
  const date = new Date(timeOf(written));
  return remarks.moved(action.key, Number.isNaN(date.getTime()) ? undefined : localMoment(date, written));
}
