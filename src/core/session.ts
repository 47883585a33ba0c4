import type { KnownText } from './errors/from-answer.js';
import type { Identity } from './identity.js';
import type { Config, RequestOptions } from './options.js';
import type { preflight } from './preflight.js';

/** What a client and its views share. */
export interface Session {
  readonly config: Config;
  /** Refuses locally what the identity shows to be refused. Absent where no identity will ever be known. */
  readonly preflight?: typeof preflight | undefined;
  /** What errors are told by on the routes of the client, beyond what every route says. */
  readonly knownTexts?: readonly KnownText[];
  identity?: Identity | undefined;
}

/** Request options, and what the SDK's own loops need to know of a call. */
export interface CallOptions extends RequestOptions {
  /** Called for each request that leaves. */
  onAttempt?: (() => void) | undefined;
}
