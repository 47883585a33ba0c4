import { type Api, ApiPromise } from '../core/api.js';
import { issuesOf } from '../core/issues.js';
import type { CallOptions } from '../core/options.js';
import type { Identity } from '../core/types.js';
import { identityNeeds, meEndpoints } from './me-schema.js';

/** Requests `GET /me` and stores the response as the identity of the session. */
export function askIdentity(api: Api, options?: CallOptions): ApiPromise<Identity> {
  const asked = api.send<Identity>(meEndpoints.me, {}, options).withResponse();
  return new ApiPromise(
    asked.then((result) => {
      // If `validation` is 'off' or 'warn', the body may not be an identity.
      if (!issuesOf(identityNeeds, result.data)) api.session.identity = result.data;
      api.session.stages.limiter?.learn(api.session);
      return result;
    }),
  );
}
