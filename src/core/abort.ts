/** The longest delay that timers support. A longer delay ends at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The callbacks of each signal. They share one real listener, because Node 20 warns of more than ten. */
const hubs = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal aborts, or at once if it has aborted. Returns a function that removes the callback.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback();
  const hub = hubs.get(signal) ?? new Set();
  if (hub.size === 0) {
    hubs.set(signal, hub);
    signal.addEventListener('abort', callAll);
  }
  hub.add(callback);
  return () => {
    if (hub.delete(callback) && hub.size === 0) signal.removeEventListener('abort', callAll);
  };
}

function callAll({ target }: Event): void {
  for (const callback of hubs.get(target as AbortSignal) ?? []) callback();
}

/** Runs work with a signal that aborts, with the same reason, as soon as one of the signals does. */
export async function withFirst<T>(signals: readonly AbortSignal[], work: (signal: AbortSignal) => Promise<T>) {
  const controller = new AbortController();
  // The signals may live as long as the process, so nothing of the work may stay with them.
  const detach = signals.map((signal) => onAbort(signal, () => controller.abort(signal.reason)));
  try {
    controller.signal.throwIfAborted();
    return await work(controller.signal);
  } finally {
    for (const stop of detach) stop();
  }
}

/** Returns the promise, or rejects with the signal's reason as soon as the signal aborts. The work itself may continue. */
export function until<T>(work: PromiseLike<T> | T, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(signal && onAbort(signal, () => reject(signal.reason)));
  });
}

/** Waits. Rejects with the signal's reason if the signal aborts first. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER));
  });
  await until(timeout, signal).finally(() => clearTimeout(timer));
}
