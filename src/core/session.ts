import type { Identity } from './identity.js';
import type { Config } from './options.js';

/** What a client and its views share. */
export interface Session {
  readonly config: Config;
  /** The last `GET /me` response, or the `identity` option. */
  identity: Identity | undefined;
}
