interface Hub {
  callbacks: Set<() => void>;
  listener: () => void;
}

/** One real listener a signal, however many calls share it: Node warns of more than ten. */
const hubs = new WeakMap<AbortSignal, Hub>();

/** Call back once when the signal aborts. Returns what takes the callback off again. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const hub = hubs.get(signal) ?? createHub(signal);
  hub.callbacks.add(callback);
  return () => {
    hub.callbacks.delete(callback);
    if (hub.callbacks.size > 0 || hubs.get(signal) !== hub) return;
    hubs.delete(signal);
    signal.removeEventListener('abort', hub.listener);
  };
}

function createHub(signal: AbortSignal): Hub {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of callbacks) callback();
  };
  const hub = { callbacks, listener };
  hubs.set(signal, hub);
  signal.addEventListener('abort', listener, { once: true });
  return hub;
}

/** The longest delay that timers know; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A signal that aborts with its parent, or when its time is up. Dispose of it, and nothing is left behind. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #detach: (() => void) | undefined;
  /** Whether it was the time, and not the parent. */
  expired = false;

  constructor(parent: AbortSignal | undefined, ms: number | undefined) {
    if (parent?.aborted) this.#controller.abort(parent.reason);
    else this.#detach = parent && onAbort(parent, () => this.#controller.abort(parent.reason));
    if (ms !== undefined && ms <= LONGEST_TIMER) {
      this.#timer = setTimeout(() => {
        this.expired = true;
        this.#controller.abort();
      }, ms);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#detach?.();
  }
}

/** The promise, or a rejection with the signal's reason as soon as it aborts, whether or not the work can be stopped. */
export function until<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const detach = signal.aborted ? undefined : onAbort(signal, () => reject(signal.reason));
    if (signal.aborted) reject(signal.reason);
    work.then(resolve, reject).finally(detach);
  });
}

/** Wait, unless the signal aborts first. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER));
  });
  await until(over, signal).finally(() => clearTimeout(timer));
}
