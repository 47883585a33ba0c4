import { onAbort } from './on-abort.js';

/** Aborts never. */
const NEVER: AbortSignal = /* @__PURE__ */ new AbortController().signal;

/** The longest delay that timers know; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Do work for so many ms at most, or until the parent aborts: its signal says so, and the promise rejects at once, whether
 * or not the work can be stopped; with the parent's reason. When the time is up, `onExpiry` decides.
 */
export async function within<T>(
  parent: AbortSignal | undefined,
  ms: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  onExpiry: () => T,
): Promise<T> {
  const outer = parent === NEVER ? undefined : parent;
  // Nothing can end it, and a controller is what takes longest in a call.
  if (!outer && ms === undefined) return work(NEVER);
  const controller = new AbortController();
  const { signal } = controller;
  let detach: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      const end = (reason?: unknown) => {
        controller.abort(reason);
        reject();
      };
      detach = outer && onAbort(outer, () => end(outer.reason));
      if (Number(ms) <= LONGEST_TIMER) timer = setTimeout(end, ms);
      work(signal).then(resolve, reject);
    });
  } catch (error) {
    outer?.throwIfAborted();
    if (!signal.aborted) throw error;
    return onExpiry();
  } finally {
    clearTimeout(timer);
    detach?.();
  }
}

/** The promise, or a rejection with the signal's reason as soon as it aborts, whether or not the work can be stopped. */
export function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject).finally(onAbort(signal, () => reject(signal.reason)));
  });
}

/** Wait, unless the signal aborts first. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const never = () => new Promise<void>(() => {});
  return within(signal, Math.min(ms, LONGEST_TIMER), never, () => {});
}
