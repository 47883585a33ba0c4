import type { CallOptions } from 'multilocal/internal/options';

/** The options of the calls of one rehearsal or run, which count its requests. */
export class Asking {
  /** Requests sent so far. `GET /health` does not count toward the limits of a key, and is not among them. */
  requests = 0;
  readonly options: CallOptions;

  constructor(readonly signal: AbortSignal | undefined) {
    this.options = { signal, onAttempt: () => void this.requests++ };
  }
}
