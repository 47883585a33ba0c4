import type { ExtraHeaders } from './options.js';

/**
 * The headers of a request: nothing beyond what CORS always allows, the key and, with a body, its type, but for what
 * the caller adds. Names are compared without case, so that none is sent twice; `null` takes a header away.
 */
export function requestHeaders(
  apiKey: string | undefined,
  { isPublic, hasBody }: { isPublic: boolean; hasBody: boolean },
  ...extra: (ExtraHeaders | undefined)[]
): Record<string, string> {
  const own: ExtraHeaders = { Accept: 'application/json', 'X-API-Key': apiKey };
  const headers = new Map<string, readonly [name: string, value: string | null | undefined]>();
  for (const [name, value] of [own, ...extra].flatMap((part) => Object.entries(part ?? {}))) {
    if (value !== undefined) headers.set(name.toLowerCase(), [name, value]);
  }
  if (isPublic) headers.delete('x-api-key');
  headers.set('content-type', ['Content-Type', hasBody ? 'application/json' : null]);
  return Object.fromEntries([...headers.values()].filter((entry): entry is [string, string] => entry[1] !== null));
}
