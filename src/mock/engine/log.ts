import { KEY_HEADER } from './auth.js';

const MASK = '***';

/** The record of a request. Its body and its status are filled in later. */
export function openRecord<Operation extends string>(
  request: Request,
  url: URL,
  path: string,
  operation: Operation | undefined,
  at: number,
) {
  return {
    operation,
    method: request.method,
    path,
    query: readParameters(url.searchParams),
    headers: readHeaders(request.headers),
    body: undefined as unknown,
    status: 0,
    at,
  };
}

function readParameters(params: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(params.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 && values[0] !== undefined ? values[0] : values];
    }),
  );
}

/** Masks the key in every header. A test can then see in which other header a client leaks the key. */
function readHeaders(headers: Headers): Record<string, string> {
  const key = headers.get(KEY_HEADER);
  return Object.fromEntries(
    [...headers].map(([name, value]) => {
      if (name === KEY_HEADER) return [name, MASK];
      return [name, key === null || key === '' ? value : value.replaceAll(key, MASK)];
    }),
  );
}
