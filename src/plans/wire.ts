import type { Teller } from '../core/events.js';
import type { CallOptions } from '../core/options.js';
import type { Asking } from './asking.js';

/** Sends one write, or a preview that may be one, and knows whether a request of it is on its way to the service. */
export class Wire {
  /** Whether a request is on its way, so that an abort would lose its outcome. */
  isBusy = false;
  /** Whether an attempt failed in a way that leaves its outcome open. */
  isInDoubt = false;

  /**
   * Sends a write with a signal that aborts as that of the run does, but never while a request is on its way. `before` is
   * called before each attempt, which is not sent if it fails.
   */
  async carry<Result>(
    asking: Asking,
    before: () => Promise<void>,
    send: (options: CallOptions) => Promise<Result>,
  ): Promise<Result> {
    const { signal } = asking;
    const controller = new AbortController();
    const onFree = () => {
      if (signal?.aborted && !this.isBusy) controller.abort(signal.reason);
    };
    const onAttempt = async () => {
      signal?.throwIfAborted();
      await before();
      signal?.throwIfAborted();
      asking.requests++;
      this.isBusy = true;
    };
    // A `response` note does not end an attempt, because the client may still read the body. A `retry` note does.
    const teller: Teller = (note) => {
      if (note.type !== 'retry') return;
      if (note.code !== 'rate_limit') this.isInDoubt = true;
      this.isBusy = false;
      onFree();
    };
    signal?.addEventListener('abort', onFree);
    onFree();
    try {
      return await send({ signal: controller.signal, onAttempt, teller });
    } finally {
      signal?.removeEventListener('abort', onFree);
      this.isBusy = false;
    }
  }
}
