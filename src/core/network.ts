/** What Node, Bun and undici call a connection that was never made, and a name that was not resolved; Deno says it. */
const UNSENT =
  /^(E?Conn(ection)?Refused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$|tcp connect error|dns error|lookup address/i;

/**
 * Whether a failure shows that the request never left, so that even a costly write may go out again.
 * Browsers tell nothing ("Failed to fetch"), which is then no.
 */
export function isUnsent(thrown: unknown, depth = 0): boolean {
  const { code, message, cause, errors } = Object(thrown) as Record<string, unknown>;
  if (depth > 4) return false;
  // Several addresses were tried: none may have got further than the others.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((error) => isUnsent(error, depth + 1));
  if (typeof code === 'string') return UNSENT.test(code);
  return UNSENT.test(String(message)) || (cause !== undefined && isUnsent(cause, depth + 1));
}
