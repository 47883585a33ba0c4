/** A moment, by the monotonic clock and by that of the system. */
export type Moment = readonly [monotonic: number, system: number];

/** Returns the moment some milliseconds ago. A negative number is a moment to come. */
export function ago(ms = 0): Moment {
  return [performance.now() - ms, Date.now() - ms];
}

/**
 * Milliseconds since a moment, by the clock that shows more. The monotonic clock may stop while the machine sleeps, and an
 * unpublished article would be shown for too long. The system clock may be set back, and nothing would get old.
 */
export function since([monotonic, system]: Moment): number {
  return Math.max(performance.now() - monotonic, Date.now() - system);
}

/** Waits for work, but not longer than some milliseconds. Then it rejects with the error of `late`, if there is one. */
export async function within<T>(work: PromiseLike<T>, ms: number, late?: () => Error): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve, reject) => {
    timer = setTimeout(() => (late ? reject(late()) : resolve(undefined)), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
