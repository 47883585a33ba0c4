import type { Client, MultilocalError } from 'multilocal';
import { isMultilocalError, QuotaExceededError } from 'multilocal/internal/errors';
import { preflight } from 'multilocal/internal/preflight';
import { isOutage } from 'multilocal/internal/retry';
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

/** 4xx that say nothing about a request: a key that is wrong, a service that is slow, and limits. */
const OF_ALL: ReadonlySet<number> = new Set([401, 408, 429]);

/** Whether the service has refused this request, and not the key, and did respond in time. */
export function isRefusal(error: unknown): error is MultilocalError {
  const { status = 0 }: { status?: number } = Object(error);
  return isMultilocalError(error) && status >= 400 && status < 500 && !OF_ALL.has(status);
}

/** Whether the same request may succeed later: an outage, or a limit of the service or of the client. */
export function isPassing(error: unknown): boolean {
  return isOutage(error) || (isMultilocalError(error) && error.code === 'rate_limit');
}

/** Makes an error a problem of its action. Throws errors that concern the whole plan. */
export function refusedBy(error: unknown, action: Pick<Action, 'index'>): PlanProblem {
  if (!isRefusal(error) && !(error instanceof QuotaExceededError)) throw error;
  return errorIn(error, action);
}

/** The same for any error of the client. */
export function errorIn(error: unknown, action: Pick<Action, 'index'>): PlanProblem {
  const { code, message } = error as MultilocalError;
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
