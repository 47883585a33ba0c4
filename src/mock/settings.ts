import { parseInstant, toMillis } from './timestamps.js';
import type { MockApiOptions } from './types.js';

/** The options, checked and completed. */
export interface Settings {
  readonly origin: string;
  /** The path before `/api/v2`, without a slash at its end: `''` or `/tenant`. */
  readonly prefix: string;
  /** Where the clock starts, in ms; `undefined`: at the real time of each start. */
  readonly now: number | undefined;
  readonly rateLimit: { readonly perMinute: number; readonly perDay: number } | undefined;
  readonly latency: number;
  readonly articlesPageSize: number;
  readonly articlesOffset: 'honoured' | 'ignored';
}

export const DEFAULT_BASE_URL = 'https://api.multilocal.test';

export function readSettings(options: MockApiOptions): Settings {
  const base = new URL(String(options.baseUrl ?? DEFAULT_BASE_URL), DEFAULT_BASE_URL);
  const { rateLimit = false, latency = 0, articlesPageSize = 50, articlesOffset = 'honoured' } = options;
  if (rateLimit !== false) {
    requireWhole('rateLimit.perMinute', rateLimit.perMinute, 1);
    requireWhole('rateLimit.perDay', rateLimit.perDay, 1);
  }
  if (!(latency >= 0)) throw new RangeError('latency must be a number of milliseconds, 0 or more');
  requireWhole('articlesPageSize', articlesPageSize, 1);
  if (articlesOffset !== 'honoured' && articlesOffset !== 'ignored') {
    throw new RangeError("articlesOffset must be 'honoured' or 'ignored'");
  }
  return {
    origin: base.origin,
    prefix: base.pathname.replace(/\/+$/, '').replace(/\/api\/v2$/, ''),
    now: readNow(options.now),
    rateLimit: rateLimit === false ? undefined : { perMinute: rateLimit.perMinute, perDay: rateLimit.perDay },
    latency,
    articlesPageSize,
    articlesOffset,
  };
}

function readNow(now: MockApiOptions['now']): number | undefined {
  if (now === undefined) return undefined;
  if (typeof now === 'string') {
    const instant = parseInstant(now);
    if (instant === undefined) throw new RangeError(`now is not an ISO 8601 date-time: ${now}`);
    return toMillis(instant);
  }
  const milliseconds = Number(now);
  if (!Number.isFinite(milliseconds)) throw new RangeError('now is not a valid date');
  return milliseconds;
}

function requireWhole(name: string, value: number, min: number): void {
  if (!Number.isInteger(value) || value < min) throw new RangeError(`${name} must be a whole number, ${min} or more`);
}
