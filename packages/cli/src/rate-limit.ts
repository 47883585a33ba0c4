import type { RateLimitOptions } from 'multilocal';
import { durationOf, integerOf } from './values.js';

/** The flags of the request limits, as they were parsed. */
export interface LimitFlags {
  readonly 'per-minute'?: string | undefined;
  readonly 'per-day'?: string | undefined;
  readonly reserve?: string | undefined;
  readonly 'max-wait'?: string | undefined;
}

/**
 * Reads the flags of the request limits.
 * @throws {UsageError} if one of them has a wrong value.
 */
export function rateLimitOf(flags: LimitFlags): RateLimitOptions {
  return {
    perMinute: integerOf('per-minute', flags['per-minute'], 1),
    perDay: integerOf('per-day', flags['per-day'], 1),
    reserve: integerOf('reserve', flags.reserve, 0),
    maxWait: durationOf('max-wait', flags['max-wait']),
  };
}
