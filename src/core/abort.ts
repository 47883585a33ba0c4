/** The callbacks of a signal stand behind one real listener, however many calls share it: Node 20 warns of more than ten. */
const hubs = new WeakMap<AbortSignal, Set<() => void>>();

/** Call back once when the signal aborts, at once where it has. Returns what takes the callback off again. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback();
  let hub = hubs.get(signal);
  if (!hub) {
    hub = new Set();
    hubs.set(signal, hub);
    signal.addEventListener('abort', callAll);
  }
  hub.add(callback);
  return () => {
    hub.delete(callback);
    if (hub.size > 0 || hubs.get(signal) !== hub) return;
    hubs.delete(signal);
    signal.removeEventListener('abort', callAll);
  };
}

function callAll({ target }: Event): void {
  for (const callback of hubs.get(target as AbortSignal) ?? []) callback();
}

/** The longest delay that timers know; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A signal that aborts with its parent, or when its time is up. Dispose of it, and nothing is left behind. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #detach: (() => void) | undefined;
  readonly signal: AbortSignal = this.#controller.signal;
  /** Whether it was the time, and not the parent. */
  expired = false;

  constructor(parent: AbortSignal | undefined, ms = Number.POSITIVE_INFINITY) {
    this.#detach = parent && onAbort(parent, () => this.#controller.abort(parent.reason));
    if (ms > LONGEST_TIMER) return;
    this.#timer = setTimeout(() => {
      this.expired = true;
      this.#controller.abort();
    }, ms);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#detach?.();
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER));
  });
  return until(over, signal).finally(() => clearTimeout(timer));
}
