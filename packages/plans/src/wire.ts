import type { CallOptions } from 'multilocal/internal/options';
import type { Action } from './actions.js';
import type { Context } from './context.js';

/** Sends one write, or a preview that may be one, and knows whether a request of it is on its way to the service. */
export class Wire {
  readonly #context: Context;
  readonly #action: Action;
  /** What the progress says while a request is on its way. */
  readonly #state: 'sending' | 'previewing';
  #isBusy = false;
  /** Whether an attempt failed in a way that leaves its outcome open. */
  isInDoubt = false;
  /** Whether `before` failed. The error of the call is then the one that it threw. */
  hasFailedBefore = false;

  constructor(context: Context, action: Action, state: 'sending' | 'previewing') {
    this.#context = context;
    this.#action = action;
    this.#state = state;
  }

  /**
   * Sends the action with a signal that aborts as that of the run does, but never while a request is on its way: an abort
   * would lose its outcome. `before` is called before each attempt, which is not sent if it fails. It is not interrupted
   * either, and is over when the call is: what the caller then writes comes after it.
   */
  async carry<Result>(before: () => Promise<void>, send: (options: CallOptions) => Promise<Result>): Promise<Result> {
    const { asking, signal } = this.#context;
    const controller = new AbortController();
    const onFree = () => {
      if (signal?.aborted && !this.#isBusy) controller.abort(signal.reason);
    };
    let attempts = 0;
    /** The attempt that still counts. One that ran out of time while it was noted does not. */
    let current = 0;
    let noted: Promise<void> = Promise.resolve();
    const takeNote = async () => {
      this.#isBusy = true;
      await before().catch((error) => {
        this.hasFailedBefore = true;
        // Another attempt would be right for a broken connection to the service, but not for one to a journal.
        controller.abort(error);
        throw error;
      });
      this.#isBusy = false;
      onFree();
    };
    const onAttempt = async () => {
      signal?.throwIfAborted();
      const own = ++attempts;
      current = own;
      noted = noted.then(takeNote);
      await noted;
      signal?.throwIfAborted();
      if (own !== current) return;
      asking.requests++;
      this.#isBusy = true;
      this.#context.emit(this.#action, this.#state);
    };
    // A `response` does not end an attempt, because the client may still read the body. A `retry` does.
    const listener: CallOptions['listener'] = (event) => {
      if (event.type !== 'retry' && event.type !== 'wait') return;
      if (event.type === 'retry' && event.code !== 'rate_limit') this.isInDoubt = true;
      if (event.type === 'retry') current = 0;
      this.#isBusy = false;
      this.#context.emit(this.#action, 'waiting', event.delay);
      onFree();
    };
    signal?.addEventListener('abort', onFree);
    onFree();
    try {
      // What a response means does not depend on how the client checks it.
      return await send({ signal: controller.signal, onAttempt, listener, validation: 'throw' });
    } finally {
      current = 0;
      await noted.catch(() => {});
      signal?.removeEventListener('abort', onFree);
    }
  }
}
