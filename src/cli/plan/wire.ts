import type { ClientEvent } from '../../index.js';

/** Knows whether a write, or a preview that may be one, is on its way to the service. Pass `onEvent` to the client. */
export class Wire {
  /** Whether a request is on its way, so that an abort would lose its outcome. */
  isBusy = false;
  /** Whether an attempt of the action failed in a way that leaves its outcome open. */
  isInDoubt = false;
  /** Absent while no write is carried, so that a read never counts. */
  #onFree: (() => void) | undefined;

  /** A `response` event does not end an attempt, because the client may still read the body. A `retry` event does. */
  readonly onEvent = (event: ClientEvent): void => {
    if (!this.#onFree) return;
    if (event.type === 'request') this.isBusy = true;
    if (event.type !== 'retry' && event.type !== 'wait') return;
    if (event.type === 'retry' && event.code !== 'rate_limit') this.isInDoubt = true;
    this.isBusy = false;
    this.#onFree();
  };

  /** Sends an action with a signal that aborts as `signal` does, but never while a request is on its way. */
  async carry<Result>(signal: AbortSignal | undefined, send: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    this.isInDoubt = false;
    const onFree = () => {
      if (signal?.aborted && !this.isBusy) controller.abort(signal.reason);
    };
    this.#onFree = onFree;
    signal?.addEventListener('abort', onFree);
    onFree();
    try {
      return await send(controller.signal);
    } finally {
      signal?.removeEventListener('abort', onFree);
      this.#onFree = undefined;
      this.isBusy = false;
    }
  }
}
