/**
 * Measures milliseconds with the clock that shows more. The monotonic clock may stop while the machine sleeps, and an
 * unpublished article would be shown for too long. The system clock may be set back, and nothing would get old.
 */
export function stopwatch(elapsed = 0): () => number {
  const monotonic = performance.now();
  const wall = Date.now();
  return () => elapsed + Math.max(performance.now() - monotonic, Date.now() - wall);
}

/** Waits for work, but not longer than some milliseconds. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
