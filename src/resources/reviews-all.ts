import type { Api } from '../core/api.js';
import type { Endpoint } from '../core/endpoint.js';
import { isMultilocalError, type MultilocalError } from '../core/errors/index.js';
import { type RequestOptions, requestOptionFields } from '../core/options.js';
import { checkOptions } from '../core/request.js';
import * as s from '../core/schema.js';
import { type FicheTarget, scopeOf } from '../core/types.js';
import { preflight } from '../stages/preflight.js';
import { askIdentity } from './me.js';
import { Sweep } from './sweep.js';

/** What belongs to a listing, together with the listing. */
export type OfFiche<Item> = Item & {
  /** The listing, as `accounts/<id>/locations/<id>`. */
  fiche_id: string;
};

/** A listing that could not be read to its end. */
export interface FicheFailure {
  /** The listing, as `accounts/<id>/locations/<id>`. */
  fiche_id: string;
  /** Why it failed. */
  error: MultilocalError;
}

/** Options of `reviews.all` and `reviews.summaries`. The request options apply to each request. */
export interface EachFicheOptions extends RequestOptions {
  /**
   * Called for each listing that could not be read to its end, unless the error ends the iteration. May be async. What it
   * throws ends the iteration. Without it, the iteration throws the first of these errors at its end.
   */
  onFailure?: ((failure: FicheFailure) => unknown) | undefined;
}

const optionsSchema = s.params({ ...requestOptionFields, onFailure: s.aFunction });

/** Reads all listings of the key, one after the other. A listing that fails does not stop the others. */
export async function* eachFiche<Item>(
  api: Api,
  endpoint: Endpoint,
  params: object,
  options: EachFicheOptions | undefined,
  read: (target: FicheTarget, options: RequestOptions) => AsyncIterable<Item>,
): AsyncGenerator<OfFiche<Item>, void, undefined> {
  checkOptions(optionsSchema, options, { operation: endpoint.operation, redactor: api.session.config.redactor });
  const { onFailure, ...others } = options ?? {};
  let first: FicheFailure | undefined;
  const sweep = new Sweep();
  // The reason of a signal may be an error of ours.
  const { check } = api.trail(options);
  for (const fiche_id of await fichesOf(api, endpoint, params, others)) {
    try {
      for await (const item of read({ ...params, fiche_id }, others)) yield { ...item, fiche_id };
      sweep.succeed();
    } catch (error) {
      check();
      if (!isMultilocalError(error) || sweep.fail(error)) throw error;
      first ??= { fiche_id, error };
      await onFailure?.({ fiche_id, error });
    }
  }
  if (first && !onFailure) throw first.error;
}

/** The listing that the call or its view names, or all listings of the key. */
async function fichesOf(api: Api, endpoint: Endpoint, params: object, options: RequestOptions): Promise<string[]> {
  const { fiche_id } = api.check<FicheTarget>(endpoint, params, options);
  if (fiche_id !== undefined) return [fiche_id];
  const asked = { ...options, extra: undefined, lenient: true };
  const identity = api.session.identity ?? (await askIdentity(api, asked));
  // No route says which listings belong to a location, so the view of a location must not read the whole brand.
  if (api.view?.bulle_id !== undefined && scopeOf(identity).kind === 'sphere') {
    preflight({ ...endpoint, targetRequired: true }, {}, identity, () => api.contextOf(endpoint));
  }
  return identity.gmb_fiches.map(({ id }) => id);
}
