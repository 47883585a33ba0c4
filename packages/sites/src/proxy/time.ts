/**
 * Measures milliseconds with the clock that shows more. The monotonic clock may stop while the machine sleeps, and an
 * unpublished article would be shown for too long. The system clock may be set back, and nothing would get old.
 */
export function stopwatch(elapsed = 0): () => number {
  const monotonic = performance.now();
  const wall = Date.now();
  return () => elapsed + Math.max(performance.now() - monotonic, Date.now() - wall);
}

/** Measures the milliseconds that are left. */
export function countdown(ms: number): () => number {
  const elapsed = stopwatch();
  return () => ms - elapsed();
}

/** Waits for work, but not longer than some milliseconds. Then it rejects with the error of `late`, if there is one. */
export async function within<T>(work: PromiseLike<T>, ms: number, late?: () => Error): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve, reject) => {
    timer = setTimeout(() => (late ? reject(late()) : resolve(undefined)), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
