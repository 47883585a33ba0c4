/** Characters of a body that is not JSON which an error keeps. */
const LONGEST_EXCERPT = 2_000;
/** Shortest key prefix that is treated as a truncated key at the end of a text. */
const SHORTEST_PART = 4;
const MASK = '[redacted]';

/** Takes the API key out of whatever an error or an event might show. */
export interface Redactor {
  mask(value: string): string;
  /** The beginning of a text, cut after the key is taken out; nor does it end in the midst of the key. */
  beginning(value: string): string;
  /** A copy of a JSON value without the key. */
  json<T>(value: T): T;
  /** What a thrown value tells, without the objects (requests, headers) that may hang on it. */
  cause(thrown: unknown): Error | undefined;
}

/** The key as it is, and as it looks in a URL: services and proxies repeat requests in both forms. */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  const forms = [...new Set(secrets.flatMap(formsOf))];
  const mask = (value: string) => forms.reduce((left, form) => left.replaceAll(form, MASK), value);

  const json = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return mask(value);
    if (typeof value !== 'object' || !value) return value;
    // A body that deep is no response of this service; what lies below cannot be shown to be free of the key.
    if (depth > 100) return MASK;
    if (Array.isArray(value)) return value.map((item) => json(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), json(item, depth + 1)]));
  };

  const cause = (thrown: unknown, depth = 0): Error | undefined => {
    if (!(thrown instanceof Error) || depth > 4) return undefined;
    const inner = cause(thrown.cause, depth + 1);
    const plain = new Error(mask(thrown.message), inner && { cause: inner });
    const { name, code } = json({ name: thrown.name, code: (thrown as { code?: unknown }).code }) as typeof thrown & {
      code?: unknown;
    };
    return Object.assign(plain, { name, stack: `${name}: ${plain.message}` }, code !== undefined && { code });
  };

  return {
    mask,
    beginning(value) {
      let whole = mask(value);
      for (const form of forms) {
        for (let length = form.length; length >= SHORTEST_PART; length--) {
          if (whole.endsWith(form.slice(0, length))) whole = whole.slice(0, -length) + MASK;
        }
      }
      return whole.slice(0, LONGEST_EXCERPT);
    },
    json: json as Redactor['json'],
    cause,
  };
}

function formsOf(key: string | undefined): string[] {
  if (!key) return [];
  const encoded = encodeURIComponent(key);
  return [key, encoded, encoded.replace(/%../g, (code) => code.toLowerCase())];
}
