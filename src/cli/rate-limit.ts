import type { RateLimitOptions } from '../index.js';
import { UsageError } from './failure.js';

/** The flags of the request limits, as they were parsed. */
export interface LimitFlags {
  readonly 'per-minute'?: string | undefined;
  readonly 'per-day'?: string | undefined;
  readonly reserve?: string | undefined;
  readonly 'max-wait'?: string | undefined;
}

/**
 * Reads the flags of the request limits.
 * @throws {UsageError} if one of them has a wrong value. Values are never repeated, because one of them may be a key.
 */
export function rateLimitOf(flags: LimitFlags): RateLimitOptions {
  return {
    perMinute: integer(flags, 'per-minute', 1),
    perDay: integer(flags, 'per-day', 1),
    reserve: integer(flags, 'reserve', 0),
    maxWait: maxWaitOf(flags['max-wait']),
  };
}

function integer(flags: LimitFlags, name: 'per-minute' | 'per-day' | 'reserve', min: number): number | undefined {
  const value = flags[name];
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= min) return number;
  throw new UsageError(`\`--${name}\` must be an integer, ${min} or more.`, `Example: \`--${name} 20\`.`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function maxWaitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, count = '', unit = 'ms'] = /^(\d+)(ms|s|m|h)?$/.exec(value) ?? [];
  const ms = Number(count || Number.NaN) * (UNITS[unit] ?? Number.NaN);
  if (Number.isSafeInteger(ms)) return ms;
  throw new UsageError(
    '`--max-wait` must be a number of ms, or a time such as 30s, 10m or 1h.',
    'Example: `--max-wait 30s`.',
  );
}
