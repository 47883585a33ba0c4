import { vi } from 'vitest';

/** Turns the fake clock, `step` ms at a time, until the work has ended. */
export async function turned<T>(work: PromiseLike<T>, step = 1_000): Promise<T> {
  let isOver = false;
  const ended = Promise.resolve(work).finally(() => (isOver = true));
  ended.catch(() => {});
  for (let turns = 0; turns < 20_000 && !isOver; turns++) await vi.advanceTimersByTimeAsync(step);
  return ended;
}
