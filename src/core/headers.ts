import { tagOf } from './schema.js';

/** The `Headers` of any realm or package, such as node-fetch. */
export interface AnyHeaders {
  /** Adds a value to a header. */
  append(name: string, value: string): void;
  /** Calls back for each header. */
  forEach(callback: (value: string, name: string) => void): void;
}

/**
 * Headers to add: an object, `Headers`, or pairs of name and value. In an object, `null` removes a header that was set before,
 * and `undefined` changes nothing.
 */
export type ExtraHeaders =
  | Readonly<Record<string, string | null | undefined>>
  | AnyHeaders
  | readonly (readonly [name: string, value: string])[];

/** Returns a header. A header that a framework forbids to read counts as absent. */
export function headerOf({ headers }: Response, name: string): string | null {
  try {
    return headers.get(name);
  } catch {
    return null;
  }
}

/** Returns the names and values of headers. `undefined` if the value holds none. */
export function pairsOf(headers: unknown): readonly (readonly [name: string, value: unknown])[] | undefined {
  const { append, forEach } = Object(headers) as Partial<AnyHeaders>;
  const kind = tagOf(headers);
  const pairs: [string, unknown][] = [];
  if (append && typeof forEach === 'function' && !/^(URL|Form)/.test(kind))
    forEach.call(headers, (value, name) => pairs.push([name, value]));
  else if (kind === 'Array') pairs.push(...(headers as []));
  else return kind === 'Object' ? Object.entries(headers as object) : undefined;
  return pairs.every((pair) => tagOf(pair) === 'Array' && pair.length === 2 && typeof pair[0] === 'string')
    ? pairs
    : undefined;
}

/** Returns the values of headers by lower-case names. Several values of one name are joined. */
export function headerFields(headers: ExtraHeaders = {}): Readonly<Record<string, string | null>> {
  const fields: Record<string, string | null> = {};
  for (const [name, value] of pairsOf(headers) ?? []) {
    const key = name.toLowerCase();
    const before = fields[key];
    if (value !== undefined) fields[key] = before && value ? `${before}, ${value}` : (value as string | null);
  }
  return fields;
}
