import type { Identity } from './identity.js';
import type { Config, RequestOptions } from './options.js';
import type { preflight } from './preflight.js';

/** What a client and its views share. */
export interface Session {
  readonly config: Config;
  /** Refuses locally what the identity shows to be refused. Absent where no identity will ever be known. */
  readonly preflight?: typeof preflight | undefined;
  identity: Identity | undefined;
}

/** What a view (`forBulle`, `forFiche`, `dryRun`) adds to every call. */
export interface View {
  readonly bulle_id?: string;
  readonly fiche_id?: string;
  readonly dryRun?: boolean;
}

/** Request options, and what the SDK's own loops need to know of a call. */
export interface CallOptions extends RequestOptions {
  /** Called for each request that leaves. */
  onAttempt?: (() => void) | undefined;
}
