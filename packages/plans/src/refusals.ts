import type { Client, MultilocalError } from 'multilocal';
import { isMultilocalError, QuotaExceededError } from 'multilocal/internal/errors';
import { preflight } from 'multilocal/internal/preflight';
import { type Action, at, type PlanProblem } from './actions.js';

/** Returns what the known identity refuses of the requests of an action: permissions, locations, listings. */
export function refusedLocally(
  { identity }: Client,
  requests: readonly Pick<Action, 'endpoint' | 'params'>[],
  action: Pick<Action, 'index'>,
): PlanProblem[] {
  return requests.flatMap(({ endpoint, params }) => {
    const { method, path, operation } = endpoint;
    try {
      if (identity) preflight(endpoint, params, identity, () => ({ operation, method, path }));
      return [];
    } catch (error) {
      return [refusedBy(error, action)];
    }
  });
}

const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 403, 404, 409, 410, 422]);

/** Makes an error a problem of its action. Throws errors that concern the whole plan. */
export function refusedBy(error: unknown, action: Pick<Action, 'index'>): PlanProblem {
  const { status }: { status?: number } = Object(error);
  const isRefusal = isMultilocalError(error) && (REFUSALS.has(status) || error instanceof QuotaExceededError);
  if (!isRefusal) throw error;
  const { code, message }: MultilocalError = error;
  const parameter = PARAMETERS[code];
  return { code, message, path: at(action, ...(parameter === undefined ? [] : [parameter])) };
}

/** The parameter that an error is about. */
const PARAMETERS: Readonly<Record<string, string>> = {
  bulle_not_found: 'bulle_id',
  bulle_out_of_scope: 'bulle_id',
  fiche_out_of_scope: 'fiche_id',
  platform_not_connected: 'platforms',
};
