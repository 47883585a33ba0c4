import type { CallOptions } from 'multilocal/internal/options';
import type { Action } from './actions.js';
import type { Context, PlanProgress } from './context.js';

/** How a request ended. */
export type Sent =
  | { readonly isAnswered: true; readonly body: unknown }
  | {
      readonly isAnswered: false;
      readonly error: unknown;
      /** Whether an attempt failed in a way that leaves its outcome open. */
      readonly isInDoubt: boolean;
    };

/** What is noted around the attempts of a request. */
interface Notes {
  /** What the progress says while a request is on its way. */
  readonly state: PlanProgress['state'];
  /** Called before each attempt, which is not sent if it fails. */
  readonly before?: () => Promise<void>;
  /** Called while the request waits for another attempt, after one that certainly did nothing. */
  readonly between?: () => Promise<void>;
}

/**
 * Sends a request with a signal that aborts as that of the run does, but never while the request is on its way: an abort
 * would lose its outcome. Notes are not interrupted either, and are over when the request is.
 * @throws the error of a note. It says nothing about the request.
 */
export async function send(
  context: Context,
  action: Action,
  { state, before, between }: Notes,
  call: (options: CallOptions) => Promise<unknown>,
): Promise<Sent> {
  const { signal } = context;
  const controller = new AbortController();
  let isBusy = false;
  let isInDoubt = false;
  let refusal: { readonly error: unknown } | undefined;
  const onFree = () => {
    if (signal?.aborted && !isBusy) controller.abort(signal.reason);
  };
  let noted: Promise<void> = Promise.resolve();
  const note = (work: () => Promise<void>) => {
    noted = noted.then(async () => {
      isBusy = true;
      await work().catch((error) => {
        refusal = { error };
        // Another attempt would be right for a broken connection to the service, but not for one to a journal.
        controller.abort(error);
        throw error;
      });
      isBusy = false;
      onFree();
    });
    noted.catch(() => {});
    return noted;
  };
  /** The attempt that still counts. One that ran out of time while it was noted does not. */
  let current: object | undefined;
  const onAttempt = async () => {
    signal?.throwIfAborted();
    const own = {};
    current = own;
    await note(before ?? (async () => {}));
    signal?.throwIfAborted();
    if (own !== current) return;
    context.requests++;
    isBusy = true;
    context.emit(action, state);
  };
  // A `response` does not end an attempt, because the client may still read the body. A `retry` does.
  const listener: CallOptions['listener'] = (event) => {
    if (event.type !== 'retry' && event.type !== 'wait') return;
    isBusy = false;
    context.emit(action, 'waiting', event.delay);
    if (event.type === 'retry') {
      current = undefined;
      if (event.code !== 'rate_limit') isInDoubt = true;
      else if (between && !isInDoubt) void note(between);
    }
    onFree();
  };
  signal?.addEventListener('abort', onFree);
  onFree();
  // What a response means does not depend on how the client checks it.
  const sent = await call({ signal: controller.signal, onAttempt, listener, validation: 'throw' }).then(
    (body): Sent => ({ isAnswered: true, body }),
    (error: unknown): Sent => ({ isAnswered: false, error, isInDoubt }),
  );
  current = undefined;
  await noted.catch(() => {});
  signal?.removeEventListener('abort', onFree);
  if (refusal && !sent.isAnswered) throw refusal.error;
  return sent;
}
