import { createHash, scryptSync } from 'node:crypto';
import { checkCall } from 'multilocal/internal/endpoints';
import { PlanError } from 'multilocal/internal/errors';
import { parseTimestamp } from 'multilocal/internal/timestamps';

/** An action, as far as its key and its hash depend on it. `key`: the name that it has across versions of a plan. */
interface Keyed {
  readonly key?: string | undefined;
  readonly operation: string;
  readonly params?: object | undefined;
}

/** Returns the SHA-256 of an action. Identical actions have the same one. */
export function hashOfAction({ operation, params = {} }: Keyed): string {
  // As it is sent: a `Date` and a moment of `Temporal`, of any calendar, are strings there.
  const written: Record<string, unknown> = JSON.parse(JSON.stringify(checkCall(operation, { ...params }).params));
  for (const [name, value] of Object.entries(written))
    if (name.startsWith('scheduled_') && typeof value === 'string') written[name] = instantOf(value);
  // Platforms have no order.
  if (Array.isArray(written.platforms)) written.platforms.sort();
  if (written.contacts !== undefined) written.contacts = slowDigest(canonical(written.contacts));
  return sha256(`${operation}\n${canonical(written)}`);
}

/**
 * Returns the keys of actions: those that they have, or else their hashes. The second of two equal actions without keys has
 * `#2` behind its hash, the third `#3`.
 */
export function keysOf(actions: readonly Keyed[]): string[] {
  const seen = new Map<string, number>();
  return actions.map((action) => {
    if (action.key !== undefined) return action.key;
    const hash = hashOfAction(action);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return count === 1 ? hash : `${hash}#${count}`;
  });
}

/**
 * Returns the SHA-256 of a plan without a client: of its name, and of the keys and hashes of its actions. If all actions name their
 * targets, it is the one that a rehearsal returns. `more`: lines of {@link hashOfActions}.
 */
export function hashOfPlan(
  plan: { readonly name?: string | undefined; readonly actions: readonly Keyed[] },
  more: readonly string[] = [],
) {
  const keys = keysOf(plan.actions);
  const actions = plan.actions.map((action, index) => ({ key: keys[index] as string, hash: hashOfAction(action) }));
  return hashOfActions(plan.name, actions, more);
}

/** The lines of the hash for what becomes of left-overs: what is deleted, and what is moved to another key. */
export function linesOf(
  leftOvers: readonly {
    readonly key: string;
    readonly step?: string | undefined;
    readonly replacedBy?: string | undefined;
    readonly posts?: readonly { readonly content?: string | null | undefined }[] | undefined;
  }[],
): string[] {
  return leftOvers.flatMap(({ key, step, replacedBy, posts = [] }) => {
    // What was shown: a post that somebody has changed since is another deletion.
    if (step === 'delete') return JSON.stringify(['delete', key, ...posts.flatMap(contentOf)]);
    return step === 'adopt' ? JSON.stringify(['move', key, replacedBy]) : [];
  });
}

/** The text of a post, its moments and its media. */
function contentOf({ content, ...fields }: { readonly content?: string | null | undefined }): string[] {
  const own = Object.entries(fields).filter(([name, value]) => value != null && /^scheduled_|_urls?$/.test(name));
  return [content ?? '', ...own.map(([name, value]) => `${name}=${instantOf(String(value))}`).sort()];
}

/**
 * Returns the SHA-256 of actions in their order, with the name of their plan, their keys, and a line for each thing that a run does
 * beyond them: what it deletes, moves and retries. The order of parameters changes nothing, nor does a `Date` instead of the string
 * of the same moment.
 */
export function hashOfActions(
  name: string | undefined,
  actions: readonly { readonly key: string; readonly hash: string }[],
  more: readonly string[] = [],
): string {
  const lines = actions.map(({ key, hash }) => JSON.stringify([key, hash]));
  return sha256([JSON.stringify({ name }), ...lines, ...[...new Set(more)].sort()].join('\n'));
}

/** @throws a `PlanError` if another plan was approved. */
export function refuseUnapproved(hash: string, approved: string | undefined): void {
  if (approved === undefined || (approved === hash && hash !== '')) return;
  const message = 'The plan is not the one that was approved: its hash differs. Nothing was sent.';
  throw new PlanError('plan_not_approved', message, 'Rehearse the plan again, and let its new hash be approved.');
}

const known = new Map<string, string>();

/**
 * A digest of contacts that takes milliseconds. Journals hold hashes of actions, and who knows a customer by name could try all
 * phone numbers within a second if a hash took no time. A secret salt cannot help: the same action must have the same key everywhere.
 */
function slowDigest(contacts: string): string {
  const name = sha256(contacts);
  const digest = known.get(name) ?? scryptSync(contacts, 'multilocal', 32, { N: 4096 }).toString('hex');
  if (known.size > 1_000) known.clear();
  known.set(name, digest);
  return digest;
}

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Writes a value as JSON with sorted names. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}

/** Two spellings of one moment are the same: `…T09:00+01:00[Europe/Paris]`, `…T08:00:00Z`. */
export function instantOf(text: string): string {
  return parseTimestamp(text)?.toISOString() ?? text;
}
