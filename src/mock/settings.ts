import { type Names, requireKnownNames } from './known-names.js';
import { requireInstant, toMillis } from './timestamps.js';
import type { MockApiOptions, MockQuotaName } from './types.js';

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
  readonly quotas: Readonly<Record<MockQuotaName, number>>;
}

export const MOCK_API_OPTIONS: Names<MockApiOptions> = {
  baseUrl: true,
  now: true,
  rateLimit: true,
  latency: true,
  articlesPageSize: true,
  articlesOffset: true,
  quotas: true,
};
const RATE_LIMIT: Names<Exclude<MockApiOptions['rateLimit'], false | undefined>> = { perMinute: true, perDay: true };

/** The specification names the monthly quotas without values: these are the mock's. */
const QUOTAS: Readonly<Record<MockQuotaName, number>> = { articles: 30, social: 60, sms: 50, email: 200, seo_scans: 8 };

export const DEFAULT_BASE_URL = 'https://api.multilocal.test';

export function readSettings(options: MockApiOptions): Settings {
  const base = new URL(String(options.baseUrl ?? DEFAULT_BASE_URL), DEFAULT_BASE_URL);
  const { rateLimit = false, latency = 0, articlesPageSize = 50, articlesOffset = 'honoured' } = options;
  if (rateLimit !== false) {
    requireKnownNames('rateLimit', rateLimit, RATE_LIMIT);
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
    quotas: readQuotas(options.quotas),
  };
}

function readQuotas(given: MockApiOptions['quotas'] = {}): Settings['quotas'] {
  requireKnownNames('quotas', given, QUOTAS);
  const quotas = { ...QUOTAS };
  for (const [name, limit] of Object.entries(given)) {
    if (limit === undefined) continue;
    requireWhole(`quotas.${name}`, limit, 0);
    quotas[name as MockQuotaName] = limit;
  }
  return quotas;
}

function readNow(now: MockApiOptions['now']): number | undefined {
  if (now === undefined) return undefined;
  if (typeof now === 'string') return toMillis(requireInstant('now', now));
  const milliseconds = Number(now);
  if (!Number.isFinite(milliseconds)) throw new RangeError('now is not a valid date');
  return milliseconds;
}

function requireWhole(name: string, value: number, min: number): void {
  if (!Number.isInteger(value) || value < min) throw new RangeError(`${name} must be a whole number, ${min} or more`);
}
