import { createHash } from 'node:crypto';
import type { Identity } from 'multilocal';
import { checkCall } from 'multilocal/internal/check-call';
import { parseTimestamp } from 'multilocal/internal/timestamps';

/** An action, as far as its hash depends on it. */
interface Hashed {
  readonly operation: string;
  readonly params?: object | undefined;
}

/** An action with its target parameter, if it has one. */
interface Placed extends Hashed {
  readonly endpoint: { readonly target?: 'bulle_id' | 'fiche_id' | undefined };
}

/** Returns the SHA-256 of an action. Identical actions have the same one. */
export function hashOfAction({ operation, params = {} }: Hashed): string {
  // As it is sent: a `Date` and a moment of `Temporal`, of any calendar, are strings there.
  const written: Record<string, unknown> = JSON.parse(JSON.stringify(checkCall(operation, { ...params }).params));
  for (const [name, value] of Object.entries(written))
    if (name.startsWith('scheduled_') && typeof value === 'string') written[name] = instantOf(value);
  return sha256(`${operation}\n${canonical(written)}`);
}

/**
 * Returns the SHA-256 of the actions of a plan in their order. The order of parameters changes nothing, nor does a `Date`
 * instead of the string of the same moment.
 */
export function hashOfPlan({ actions }: { readonly actions: readonly Hashed[] }): string {
  return sha256(actions.map(hashOfAction).join('\n'));
}

/**
 * Returns the hash of a plan together with the places where its actions act for a key: the location or listing of the key stands for one
 * that an action does not name. So what was approved for one location is refused at another. A plan that names all of its targets has the
 * hash that {@link hashOfPlan} returns.
 */
export function hashInPlace(actions: readonly Placed[], identity: Pick<Identity, 'bulle' | 'gmb_fiches'>): string {
  const { bulle, gmb_fiches } = identity;
  const own = { bulle_id: bulle?.id, fiche_id: gmb_fiches.length === 1 ? gmb_fiches[0]?.id : undefined };
  const placed = actions.map(({ operation, endpoint: { target }, params }) => {
    return { operation, params: { ...(target && { [target]: own[target] }), ...params } };
  });
  return hashOfPlan({ actions: placed });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Writes a value as JSON with sorted names. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}

/** Two spellings of one moment are the same: `…T09:00+01:00[Europe/Paris]`, `…T08:00:00Z`. */
function instantOf(text: string): string {
  return parseTimestamp(text)?.toISOString() ?? text;
}
