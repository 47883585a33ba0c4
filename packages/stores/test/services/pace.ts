// A clock that runs faster than the world, in a process and in the script of redisStore.
import { LONGEST_CALL } from '@multilocal/client/core/limiter/shared';

/** The lines of the script that read the clock of Redis. */
export const CLOCK = /^local clock = .*\n.*now = .*\n/m;

/** The script with a clock that runs so many times as fast. */
export function hastenScript(script: string, pace: number): string {
  if (!CLOCK.test(script)) throw new Error('the script reads its clock in another way');
  return script.replace(
    CLOCK,
    `local clock = redis.call('TIME')\nlocal now = math.floor((clock[1] * 1000000 + clock[2]) * ${pace} / 1000)\n`,
  );
}

/** Makes the clock of this process run so many times as fast. The limit of a call to a store stays real, because a busy machine does not. */
export function hasten(pace: number): void {
  const { setTimeout } = globalThis;
  const now = performance.now.bind(performance);
  performance.now = () => now() * pace;
  globalThis.setTimeout = Object.assign(
    (callback: () => void, ms = 0, ...values: []) =>
      setTimeout(callback, ms === LONGEST_CALL ? ms : ms / pace, ...values),
    setTimeout,
  ) as typeof setTimeout;
}
