const REAL = { setTimeout, clearTimeout, now: Date.now, setImmediate };

/**
 * Run work on a clock that jumps to the next timer whenever nothing else is left to do: hours of waiting take
 * milliseconds. `setTimeout`, `Date.now` and `performance.now` follow it; what is compared is its time alone.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withVirtualClock(work) {
  const start = REAL.now();
  /** @type {Map<object, { at: number, fire: () => void }>} */
  const timers = new Map();
  let now = 0;
  globalThis.setTimeout = (callback, ms = 0, ...args) => {
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true };
    timers.set(timer, { at: now + Math.max(1, ms), fire: () => callback(...args) });
    return timer;
  };
  globalThis.clearTimeout = (timer) => void timers.delete(timer);
  Date.now = () => start + now;
  performance.now = () => now;
  try {
    let settled = false;
    const result = work().finally(() => {
      settled = true;
    });
    result.catch(() => {});
    for (;;) {
      // What runs without a timer gets to its end first: reading a body takes some turns of the loop.
      for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => REAL.setImmediate(resolve));
      if (settled) return await result;
      const [next] = [...timers].sort(([, a], [, b]) => a.at - b.at);
      if (!next) throw new Error('the work waits for something that is no timer');
      const [timer, { at, fire }] = next;
      timers.delete(timer);
      now = Math.max(now, at);
      fire();
    }
  } finally {
    Object.assign(globalThis, { setTimeout: REAL.setTimeout, clearTimeout: REAL.clearTimeout });
    Date.now = REAL.now;
    delete performance.now;
  }
}
