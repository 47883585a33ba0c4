import { KEY_HEADER } from './auth.js';
import type { MockOperation } from './operations.js';
import type { MockRequest } from './types.js';

const MASK = '***';

/** The public record, while it is being filled in. */
export type OpenRecord = { -readonly [Name in keyof MockRequest]: MockRequest[Name] };

export function openRecord(
  request: Request,
  url: URL,
  path: string,
  operation: MockOperation | undefined,
  at: number,
): OpenRecord {
  return {
    operation,
    method: request.method,
    path,
    query: readQuery(url.searchParams),
    headers: readHeaders(request.headers),
    body: undefined,
    status: 0,
    at,
  };
}

function readQuery(params: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(params.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 && values[0] !== undefined ? values[0] : values];
    }),
  );
}

/** A client that sends its key in another header too leaks it: the mask shows where without showing it again. */
function readHeaders(headers: Headers): Record<string, string> {
  const key = headers.get(KEY_HEADER);
  return Object.fromEntries(
    [...headers].map(([name, value]) => {
      if (name === KEY_HEADER) return [name, MASK];
      return [name, key === null || key === '' ? value : value.replaceAll(key, MASK)];
    }),
  );
}

/** The JSON value of a body; `undefined` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
