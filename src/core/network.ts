/** What Node, Bun and undici call a connection that was never made, and a name that was not resolved. */
const UNSENT_CODES = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Deno has no codes. */
const UNSENT_TEXT = /tcp connect error|dns error|failed to lookup address/i;

/**
 * Whether a failure shows that the request never left, so that even a costly write may go out again.
 * Browsers tell nothing ("Failed to fetch"), which is then no.
 */
export function isUnsent(thrown: unknown, depth = 0): boolean {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return false;
  const { code, message, cause, errors } = thrown as Record<string, unknown>;
  // Several addresses were tried: none may have got further than the others.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((error) => isUnsent(error, depth + 1));
  if (typeof code === 'string') return UNSENT_CODES.has(code);
  if (typeof message === 'string' && UNSENT_TEXT.test(message)) return true;
  return isUnsent(cause, depth + 1);
}
