/** The longest delay that timers know; a longer one would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The callbacks of a signal stand behind one real listener, however many calls share it: Node 20 warns of more than ten. */
const hubs = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back once when the signal aborts, at once if it has. Returns a function that takes the callback off again. */
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

/** The promise, or a rejection with the signal's reason as soon as it aborts, whether or not the work can be stopped. */
export function until<T>(work: PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(onAbort(signal, () => reject(signal.reason)));
  });
}

/** Waits, unless the signal aborts first: then it rejects with the signal's reason. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER));
  });
  await until(timeout, signal).finally(() => clearTimeout(timer));
}
