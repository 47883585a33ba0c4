import type { Post } from 'multilocal';
import type { Action, PlanProblem } from './actions.js';
import { digestsOf } from './digests.js';
import type { LeftOver } from './left-overs.js';
import { type Likeness, likenessOf } from './likeness.js';
import type { Opened } from './opened.js';
import { refusedLocally } from './refusals.js';
import type { PlanLeftOver } from './results.js';
import { timeOf } from './shown.js';
import type { Targets } from './targets.js';
import { deleting } from './tasks.js';
import { localMoment, platformName, whenWritten } from './words.js';

/** A left-over for people: what it is, as the service has it, and what would happen to it. */
export async function leftOverOf(
  { key, entry, posts, replacedBy, step }: LeftOver,
  targets: Targets,
  { context, plan, options: { leftOver } }: Opened,
): Promise<PlanLeftOver> {
  const { client, timer } = context;
  const ids = entry.made?.ids ?? [];
  const action = replacedBy === 'several' ? undefined : replacedBy;
  const denied = step.do === 'delete' ? refusedLocally(client, [deleting(entry, step.id)], { index: 0 }) : [];
  const does =
    denied.length > 0
      ? 'refuse'
      : step.do === 'delete' || step.do === 'adopt' || step.do === 'refuse'
        ? step.do
        : 'keep';
  // A post does not show on which clocks its moment was written.
  const written = whenWritten((action ?? plan.actions[0])?.params ?? {});
  const texts: string[] = [];
  for (const post of posts) {
    const { place = post.bulle_id } = await targets.shownOf({
      operation: 'posts.create',
      params: { bulle_id: post.bulle_id ?? undefined },
    });
    texts.push(`${inWords(post, place ?? '', written)}\n${post.content}`);
  }
  const replaced = action ? [`${action.key}: ${replacement(posts[0], action, timer.date())}`] : [];
  const head = leftOver === 'keep' ? HEADS.keep : HEADS[does];
  const summary = [`${head} ${key}${ids.length > 0 ? ` (id ${ids.join(', ')})` : ''}.`, ...texts, ...replaced].join(
    '\n',
  );
  const problems: PlanProblem[] =
    step.do === 'refuse'
      ? [{ code: step.code, message: `${key}: ${step.message}`, path: [] }]
      : denied.map((one) => ({ ...one, path: [] }));
  return { key, ids, summary, step: does, problems, posts, ...(action && { replacedBy: action.key }) };
}

const HEADS = {
  refuse: 'Still scheduled, although the plan no longer has it:',
  delete: 'Would delete the post of',
  adopt: 'Would take over what was made as',
  keep: 'Stays scheduled, although the plan no longer has it:',
} as const;

/** `Lyon: post on Facebook, Google for 2026-12-24 09:00 (UTC+1)`. */
function inWords(post: Post, place: string, written: unknown): string {
  const platforms = post.platforms.map(platformName).join(', ');
  const moments = post.platforms.flatMap((platform) => {
    const date = timeOf(Reflect.get(post, `scheduled_${platform}`));
    return Number.isNaN(date) ? [] : localMoment(new Date(date), written);
  });
  return `${place}: post on ${platforms}${moments.length > 0 ? ` for ${[...new Set(moments)].join(', ')}` : ''}`;
}

const WORDS: Readonly<Record<Likeness, string>> = {
  twin: 'the same post: did its key change?',
  moved: 'the same text at',
  reworded: 'another text at the same moment: reworded?',
};

/** What an action has in common with the post that it seems to replace. */
function replacement(post: Post | undefined, action: Action, now: number): string {
  const likeness = post ? (likenessOf(post, digestsOf(action), now) ?? 'twin') : 'twin';
  if (likeness !== 'moved') return `the plan has ${WORDS[likeness]}`;
  const written = whenWritten(action.params);
  const date = new Date(timeOf(written));
  const when = Number.isNaN(date.getTime()) ? 'another moment' : localMoment(date, written);
  return `the plan has ${WORDS.moved} ${when}: moved?`;
}

/** The problem of a post that nobody knows of. */
export function lostProblem(key: string): PlanProblem {
  const message = `The plan no longer has ${key}, and the service does not show whether its post was made. Look there, then settle the key in the journal.`;
  return { code: 'unknown_outcome', message, path: [] };
}
