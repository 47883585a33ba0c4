import type { ExtraHeaders } from './options.js';

/**
 * The headers of a request: nothing beyond what CORS always allows, the key and, with a body, its type, but for what
 * the caller adds; `null` takes a header away. `undefined` where a name or a value is none that HTTP knows.
 */
export function requestHeaders(
  apiKey: string | undefined,
  ...extra: (ExtraHeaders | undefined)[]
): Headers | undefined {
  const headers = new Headers({ Accept: 'application/json' });
  for (const [name, value] of [{ 'X-API-Key': apiKey }, ...extra].flatMap((part) => Object.entries(part ?? {}))) {
    try {
      if (value === null) headers.delete(name);
      else if (typeof value === 'string') headers.set(name, value);
      else if (value !== undefined) return undefined;
    } catch {
      return undefined;
    }
  }
  return headers;
}
