import type { Issue } from '../types.js';

/** Characters that an error keeps of a text which the service or a library wrote. */
const LONGEST_EXCERPT = 2_000;
/** Characters in which an excerpt is looked for: keys that were taken out make the text shorter. */
const LONGEST_SEARCH = 10_000;
/** Shortest key prefix that is treated as a truncated key at the end of a text. */
const SHORTEST_PART = 4;
const MASK = '[redacted]';
/** Characters of secrets in one regular expression: engines refuse larger ones. */
const LONGEST_PATTERN = 20_000;

/** Takes the API key out of whatever an error or an event might show. */
export interface Redactor {
  mask(value: string): string;
  /** The beginning of a text, cut after the key is taken out; nor does it end in the midst of the key. */
  beginning(value: string): string;
  /** A copy of a JSON value without the key. */
  json<T>(value: T): T;
  /** Issues without the key, and with the beginnings of long names, which the service may have chosen. */
  issues(issues: readonly Issue[]): Issue[];
  /** Headers without the key. One with the key in its name is left out: a masked name is not a valid one. */
  headers(headers: Iterable<[string, string]>): Headers;
  /** What a thrown value tells, without the objects (requests, headers) that may hang on it. */
  cause(thrown: unknown): Error | undefined;
}

/** The key as it is, and as it looks in a URL: services and proxies repeat requests in both forms. */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  // The longest first: a short secret may be a part of a longer one.
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const patterns = patternsOf(forms);
  const mask = (value: string) => patterns.reduce<string>((left, pattern) => left.replaceAll(pattern, MASK), value);

  const beginning = (value: string) => {
    let whole = mask(value.slice(0, LONGEST_SEARCH));
    for (const form of forms) {
      for (let length = Math.min(form.length, whole.length); length >= SHORTEST_PART; length--) {
        if (whole.endsWith(form.slice(0, length))) whole = whole.slice(0, -length) + MASK;
      }
    }
    return whole.slice(0, LONGEST_EXCERPT);
  };

  const json = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return mask(value);
    if (typeof value !== 'object' || !value) return value;
    // A body that deep is no response of this service; what lies below cannot be shown to be free of the key.
    if (depth > 100) return MASK;
    const copy = (item: unknown) => json(item, depth + 1);
    if (Array.isArray(value)) return value.map(copy);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), copy(item)]));
  };

  const cause = (thrown: unknown, depth = 0): Error | undefined => {
    try {
      if (!(thrown instanceof Error) || depth > 4) return undefined;
      const { name, message, code } = thrown as Error & { code?: unknown };
      const inner = cause(thrown.cause, depth + 1);
      const plain = new Error(beginning(String(message)), inner && { cause: inner });
      const shown = beginning(String(name));
      const known = typeof code === 'number' ? { code } : typeof code === 'string' && { code: beginning(code) };
      return Object.assign(plain, { name: shown, stack: `${shown}: ${plain.message}` }, known);
    } catch {
      // A getter or a proxy may throw when it is read.
      return undefined;
    }
  };

  return {
    mask,
    beginning,
    json: json as Redactor['json'],
    issues: (issues) =>
      issues.map(({ path, message }) => ({
        path: path.map((key) => (typeof key === 'string' ? beginning(key) : key)),
        message: mask(message),
      })),
    headers(headers) {
      const shown = new Headers();
      try {
        for (const [name, value] of headers) if (mask(name) === name) shown.append(name, mask(value));
      } catch {
        // The headers of a custom `fetch` may be anything.
      }
      return shown;
    },
    cause,
  };
}

/** One pass over a text for many secrets, and none over what stands in place of another one of the same pass. */
function patternsOf(forms: readonly string[]): (RegExp | string)[] {
  const groups: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const form of forms) {
    size += form.length;
    if (size > LONGEST_PATTERN) {
      groups.push([]);
      size = form.length;
    }
    groups.at(-1)?.push(form);
  }
  const toPattern = ([form = '', ...others]: string[]) =>
    form.length > LONGEST_PATTERN ? form : new RegExp([form, ...others].map(escaped).join('|'), 'g');
  return groups.map(toPattern);
}

function formsOf(key: string | undefined): string[] {
  if (!key) return [];
  // Half a surrogate pair has no percent-encoding of its own.
  const encoded = encodeURIComponent(key.replace(/\p{Surrogate}/gu, '\ufffd'));
  return [key, encoded, encoded.replace(/%../g, (code) => code.toLowerCase())];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
