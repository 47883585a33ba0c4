import type { Endpoint, Params } from './endpoint.js';
import { DryRunUnsupportedError, type ErrorContext } from './errors/index.js';

/** What a view (`forBulle`, `forFiche`, `dryRun`) adds to every call. */
export interface View {
  readonly bulle_id?: string;
  readonly fiche_id?: string;
  readonly dryRun?: boolean;
}

/**
 * Add the view's target where the route takes one and the caller named none, and the preview where there is one.
 * @throws {DryRunUnsupportedError} for a write that has no preview, where the view only previews.
 */
export function fillIn(view: View, endpoint: Endpoint, params: Params, context: ErrorContext): Params {
  const { operation, method, target, dryRun } = endpoint;
  if (view.dryRun && method !== 'GET' && !dryRun) {
    const message = `${operation} has no preview: client.dryRun refuses it. Nothing was sent.`;
    throw new DryRunUnsupportedError(message, context);
  }
  const value = target && view[target];
  return {
    ...params,
    ...(target && value !== undefined && params[target] === undefined && { [target]: value }),
    ...(view.dryRun && dryRun && { dry_run: true }),
  };
}
