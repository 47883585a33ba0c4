import type { Endpoint, Params } from '../../core/endpoint.js';
import { endpoints } from '../../resources/index.js';
import { pathNames } from '../operation.js';

/** The operations that a plan may have. */
export const writes: readonly Endpoint[] = endpoints.filter(({ method }) => method !== 'GET');

/** Returns what an action is about, for people: `post_id 131`, `bulle_id b-lyon`. Never a contact or a text. */
export function targetOf(endpoint: Endpoint, params: Params): string | undefined {
  const names = [...pathNames(endpoint), 'bulle_id', 'fiche_id', 'fiche_ids'];
  const parts = names.flatMap((name) => {
    const value = [params[name]].flat().filter((item) => typeof item === 'string' || typeof item === 'number');
    return value.length > 0 ? [`${name} ${value.join(', ')}`] : [];
  });
  return parts.length > 0 ? parts.join(' · ') : undefined;
}
