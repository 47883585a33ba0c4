import type { MultilocalError, Outcome } from 'multilocal';
import type { Endpoint, Params } from 'multilocal/internal/endpoint';
import { withoutContacts } from './describe.js';
import { rowOf } from './operations.js';

/** What a failed call has done, as far as it is known. */
export function outcomeOf(error: MultilocalError, endpoint: Endpoint, isRepeated: boolean): Outcome {
  // An earlier run has deleted it.
  if (isRepeated && endpoint.method === 'DELETE' && error.code === 'not_found') return 'applied';
  if (error.outcome !== 'applied') return error.outcome;
  // No write of the service returns a list. So a 2xx response that is not an object may come from a proxy, which has done
  // nothing.
  const { body }: { body?: unknown } = Object(error);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? 'applied' : 'unknown';
}

/** Fields that are `false` in the response of an action that failed. */
const FLAGS = ['success', 'ok', 'posted', 'queued', 'ran', 'generated', 'uploaded'] as const;

/** Returns what in a 2xx response says that the action failed. The text of the service is not repeated. */
export function failureIn(body: unknown): string | undefined {
  const fields = Object(body) as Record<string, unknown>;
  const name = ['error', 'errors'].find((each) => hasContent(fields[each]));
  if (name) return `\`${name}\``;
  const flag = FLAGS.find((each) => fields[each] === false);
  if (flag) return `\`${flag}: false\``;
  return fields.status === 'error' ? '`status: error`' : undefined;
}

/** Returns what in a 2xx response says that only a part happened, or nothing. */
export function missedIn(body: unknown, { contacts }: Params): string | undefined {
  const { skipped, queued_count } = Object(body) as Record<string, unknown>;
  if (Array.isArray(skipped) && skipped.length > 0) {
    const reasons = new Set(skipped.map((one) => String(Object(one).reason ?? '')).filter((one) => CODE.test(one)));
    return `\`skipped\`${reasons.size > 0 ? ` (${[...reasons].join(', ')})` : ''}`;
  }
  const asked = [contacts ?? []].flat().length;
  const isLess = typeof queued_count === 'number' && queued_count < asked;
  return isLess ? `\`queued_count: ${queued_count}\` for ${asked} contacts` : undefined;
}

/** A reason that is a code, and no text. */
const CODE = /^[a-z][\w-]{0,40}$/i;

/** Whether something within is not empty: `{ facebook: null }` says that nothing failed. */
function hasContent(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.values(value).some(hasContent) : Boolean(value);
}

/** Returns what is missing in a 2xx response: `an id`. A publication that is answered with `{}` may not have happened. */
export function missingIn(operation: string, ids: readonly unknown[]): string | undefined {
  return rowOf(operation).makes && ids.length === 0 ? 'no id of what was made' : undefined;
}

/** The fields of results that name what was made. */
const ID_FIELDS = ['id', 'post_id', 'article_id', 'report_id', 'batch_id', 'review_id', 'image_url'] as const;

/** Returns the ids of what an operation has made, without contacts and without the query of an address. */
export function idsOf(result: unknown, mask = (text: string) => text): (string | number)[] {
  const fields = Object(result) as Record<string, unknown>;
  if (Array.isArray(fields.created)) return fields.created.flatMap((one) => idsOf(one, mask));
  const name = ID_FIELDS.find((each) => typeof fields[each] === 'string' || typeof fields[each] === 'number');
  if (name === undefined) return [];
  const id = fields[name] as string | number;
  if (typeof id === 'number') return [id];
  return [withoutContacts(mask(name === 'image_url' ? id.replace(/[?#].*$/s, '') : id))];
}
