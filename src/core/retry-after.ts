/** IMF-fixdate and RFC 850 end in GMT; asctime ends in its year and means it. */
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d(:\d\d){2} (GMT|\d{4})$/;

/**
 * Milliseconds that a `Retry-After` header asks for: seconds, or one of the three HTTP dates (0 when past).
 * `undefined` for anything else: `Date.parse` would read `'3'` as a year.
 */
export function parseRetryAfter(value: string | null): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return +text * 1000;
  const at = HTTP_DATE.test(text) ? Date.parse(text.replace(/(\d)$/, '$1 GMT')) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
