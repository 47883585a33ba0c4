import type { Post } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import { type Action, at, type PlanProblem } from './actions.js';
import { stepOf } from './diff.js';
import { type Digests, differences, digest, digestOf, digestsOf } from './digests.js';
import type { Entry, Made } from './journal-content.js';
import { DAY, likenessOf, MINUTE } from './likeness.js';
import { fieldOf } from './made.js';
import type { Opened } from './opened.js';
import { isPost, isSocial, rowOf } from './operations.js';
import { problemOf } from './problems.js';
import { type HandChange, MEDIA } from './sentences.js';
import { dateOn, firstMomentOf, HOUR, platformsIn, platformsOf, timeOf } from './shown.js';
import type { Sides } from './sides.js';
import { listOf, ownIds } from './twins.js';
import { localMoment, platformNames, whenWritten, withoutFile } from './words.js';

/** The posts of an entry, as far as they were read. */
export function postsOf(
  action: Pick<Action, 'params'>,
  entry: Entry | undefined,
  { posts, things }: Sides['there'],
): Post[] {
  const list = posts.get(String(action.params.bulle_id ?? ''));
  return (entry?.made?.ids ?? []).flatMap((id) => {
    const kind = isSocial(entry?.operation ?? '') ? 'social' : 'post';
    const thing = things.get(`${kind} ${id}`) ?? list?.get(String(id));
    return thing && thing !== 'gone' && 'platforms' in thing ? thing : [];
  });
}

/** The entry of a key with where its posts are online. */
export function withSeen(entry: Entry, posts: readonly Post[]): Entry {
  const online = [...new Set([...(entry.online ?? []), ...posts.flatMap((post) => platformsIn(post, 'online'))])];
  return online.length > (entry.online?.length ?? 0) ? { ...entry, online } : entry;
}

/** Notes where posts were seen online, and which are gone although their moment had come: a person may then settle them. */
export async function noteSeen(opened: Opened): Promise<void> {
  const { plan, ledger, service, context } = opened;
  const changes = new Map<string, Entry>();
  for (const action of plan.actions) {
    const { key } = action;
    const entry = ledger.entryOf(key);
    const seen = entry && withSeen(entry, postsOf(action, entry, service));
    if (seen && seen !== entry) changes.set(key, seen);
    const step = stepOf(action, opened.sides());
    if (step.do !== 'refuse' || step.code !== 'may_be_online') continue;
    // What is gone may be that of another key.
    const { key: owner = key } = step.values as { key?: string };
    const lost = changes.get(owner) ?? ledger.entryOf(owner);
    if (!lost?.made || lost.made.gone !== undefined) continue;
    changes.set(owner, { ...lost, made: { ...lost.made, gone: new Date(context.timer.date()).toISOString() } });
  }
  if (changes.size > 0) await ledger.saveAll(changes);
}

/** A run that holds the journal notes the same. Otherwise a person must know that nothing was noted. */
export function unseen(error: unknown): PlanProblem[] {
  if (!(error instanceof PlanError)) throw error;
  const { code, message } = error;
  return code === 'journal_locked' ? [] : [{ code, message, path: [] }];
}

/**
 * What somebody has changed by hand of a post that a plan has made: its text, its pictures, its platforms, or a moment. Without an
 * action, the plan no longer has it.
 */
export function handChanges(action: Action | undefined, entry: Entry | undefined, post: Post): HandChange[] {
  const { made, sent, operation = '' }: Partial<Entry> = entry ?? {};
  const { digests, doubt }: Partial<Made> = made ?? {};
  if (!digests || doubt || (sent && !sent.change) || !isPost(operation)) return [];
  // A lost correction is no hand: it may have arrived.
  const known = [digests, sent?.digests ?? digests];
  const { params = {} } = action ?? {};
  const now = action ? digestsOf(action) : {};
  const found: HandChange[] = [];
  const change = (field: HandChange['field'], there: unknown, wanted: unknown, platform?: string) => {
    const wants = wanted === undefined ? undefined : withoutFile(String(wanted));
    found.push({ field, there: String(there ?? ''), wanted: action ? wants : null, platform });
  };
  if (known.every(({ content }) => content !== undefined && digestOf(post.content) !== content))
    change('content', post.content, fieldOf({ params }, 'content') ?? '');
  // A service may fill in the first of several pictures.
  const hasMedia = MEDIA.some((field) => digests[field] !== undefined);
  for (const field of MEDIA) {
    const shown: unknown = post[field] ?? undefined;
    const isKept = digests[field] === (shown === undefined ? undefined : digest(field, shown));
    if (!isKept && (digests[field] !== undefined || !hasMedia)) change(field, shown, params[field]);
  }
  const shown: readonly string[] = post.platforms;
  // Where it was online before, or was published again, it is another post.
  const isMissing = (name: string) => !shown.includes(name) && !entry?.online?.includes(name);
  const isMore = (name: string) => !platformsOf(digests).includes(name);
  if (entry?.made?.ids?.length === 1 && (platformsOf(digests).some(isMissing) || shown.some(isMore)))
    change('platforms', platformNames(shown), platformNames(platformsOf(now)));
  const moment = (date: number) => localMoment(new Date(date), whenWritten(params));
  for (const platform of platformsIn(post, 'scheduled')) {
    const there = timeOf(Reflect.get(post, `scheduled_${platform}`));
    if (!known.every((one) => Math.abs(there - timeOf(dateOn(one, platform))) >= MINUTE)) continue;
    const wanted = timeOf(dateOn(now, platform));
    change('scheduled_at', moment(there), Number.isNaN(wanted) ? undefined : moment(wanted), platform);
    break;
  }
  return found;
}

/** Warns about what somebody has changed by hand. */
export function changedByHand(
  action: Action | undefined,
  entry: Entry | undefined,
  posts: readonly Post[],
): PlanProblem[] {
  return posts.flatMap((post) => {
    const changes = handChanges(action, entry, post);
    return changes.length === 0 ? [] : [problemOf('changed_by_hand', { id: post.id, changes }, action && at(action))];
  });
}

/** What a person should know before something is made: what is near, what was not seen, and what may be there already. */
export function doubtsOf(action: Action, sides: Sides): PlanProblem[] {
  const posts = isPost(action.operation) ? near(action, sides) : [];
  return [...posts, ...unseenReview(action, sides), ...madeLately(action, sides)];
}

/** A review that no list has shown may have a reply. */
function unseenReview(action: Action, { there, again }: Sides): PlanProblem[] {
  const { operation, params } = action;
  if (operation !== 'reviews.reply' || again) return [];
  const isSeen = there.reviews.get(listOf(action) ?? '')?.has(String(params.review_id));
  return isSeen ? [] : [problemOf('review_not_seen', {}, at(action, 'review_id'))];
}

const PLACES = ['bulle_id', 'fiche_id', 'fiche_ids', 'review_id'] as const;
/** What something is about. */
const SUBJECTS = ['title', 'target_keyword', 'keyword', 'name', 'content'] as const;

/**
 * The plan may have corrected what it made within an hour under a key that it no longer has, or within a day if it is about the same. What is
 * pending is a left-over. Everything else would be there twice.
 */
function madeLately(action: Action, { plan, recorded, now, again }: Sides): PlanProblem[] {
  const { key, operation, params } = action;
  const [own, known] = [digestsOf(action), recorded.get(key)];
  const canWait = ({ publish_now }: Digests) => (isPost(operation) || isSocial(operation)) && publish_now !== 'true';
  if (again || plan.name === undefined || !rowOf(operation).makes || known?.made || known?.sent || canWait(own))
    return [];
  const keys = new Set(plan.actions.map((one) => one.key));
  const all = [...recorded].flatMap(([other, { plan: maker, made, ...entry }]) => {
    if (!made || maker !== plan.name || entry.operation !== operation || keys.has(other)) return [];
    const { digests = {}, at: date } = made;
    const isThere = PLACES.every((name) => digests[name] === own[name]);
    // After an hour, what is about something else is taken for something else.
    const isAlike = SUBJECTS.some((name) => own[name] !== undefined && own[name] === digests[name]);
    const isRecent = Math.abs(timeOf(date) - now) < (isAlike ? DAY : HOUR);
    const isAhead = canWait(digests) && firstMomentOf(made) > now;
    return isThere && isRecent && !isAhead ? { other, date, differs: differences(digests, own).length } : [];
  });
  const [nearest] = all.sort((a, b) => a.differs - b.differs);
  if (!nearest) return [];
  const made = localMoment(new Date(nearest.date), whenWritten(params));
  return [problemOf('made_before', { key: nearest.other, at: made }, at(action))];
}

/** Warns about posts on the same account within an hour, and about the same text within a day. The plan warns of its own ones itself. */
function near(action: Action, sides: Sides): PlanProblem[] {
  const { there, now } = sides;
  const posts = [...(there.posts.get(String(action.params.bulle_id ?? ''))?.values() ?? [])];
  if (posts.length === 0) return [];
  const own = ownIds(sides);
  const others = posts.filter((post) => !own.has(String(post.id)) && post.status !== 'error');
  const digests = digestsOf(action);
  return platformsOf(digests).flatMap((platform) => {
    const due = digests.publish_now === 'true' ? now : timeOf(dateOn(digests, platform));
    const isWithin = (post: Post, time: number) => {
      const dates = [Reflect.get(post, `scheduled_${platform}`), Reflect.get(post, `published_${platform}`)];
      return dates.some((date) => Math.abs(timeOf(date) - due) < time) && likenessOf(post, digests, now) !== 'twin';
    };
    // A row that was moved after its post was online, or under another name, has the same text.
    const same = others.find((post) => digestOf(post.content) === digests.content && isWithin(post, DAY));
    const found = same ?? others.find((post) => isWithin(post, HOUR));
    if (!found) return [];
    return [problemOf('same_account', { platform, id: found.id, isSame: same !== undefined }, at(action, 'platforms'))];
  });
}
