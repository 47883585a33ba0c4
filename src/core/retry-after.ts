const IMF_OR_RFC_850 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .+ GMT$/;
const ASCTIME = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Milliseconds that a `Retry-After` header asks for: seconds, or one of the three HTTP dates (0 when past).
 * `undefined` for anything else: `Date.parse` would read `'3'` as a year.
 */
export function parseRetryAfter(value: string | null, now: number = Date.now()): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = IMF_OR_RFC_850.test(text) ? text : ASCTIME.test(text) ? `${text} GMT` : undefined;
  const at = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
