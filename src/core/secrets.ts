/** Characters of a body that is not JSON which an error keeps. */
const LONGEST_EXCERPT = 2_000;
/** So many characters of the key's beginning say that a text ends within it. */
const SHORTEST_PART = 4;
const MASK = '[redacted]';

/** Takes the API key out of whatever an error or an event might show. */
export interface Redactor {
  text(value: string): string;
  /** The beginning of a text, cut after the key is taken out; nor does it end in the midst of the key. */
  excerpt(value: string): string;
  /** A copy of a JSON value without the key; the value itself where the key does not occur. */
  json<T>(value: T): T;
  headers(headers: Headers): Headers;
  /** What a thrown value tells, without the objects (requests, headers) that may hang on it. */
  cause(thrown: unknown): Error | undefined;
}

/** The key as it is, and as it looks in a URL or in base64: services and proxies repeat requests in all these forms. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets.filter(Boolean).flatMap(formsOf))];
  const text = (value: string) => forms.reduce((left, form) => left.replaceAll(form, MASK), value);

  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    // A body that deep is no answer of this service; what lies below cannot be shown to be free of the key.
    if (depth > 100) return MASK;
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), copy(item, depth + 1)]));
  };

  const cause = (thrown: unknown, depth: number): Error | undefined => {
    if (!(thrown instanceof Error) || depth > 4) return undefined;
    const inner = cause(thrown.cause, depth + 1);
    const plain = new Error(text(thrown.message), inner && { cause: inner });
    plain.name = text(thrown.name);
    plain.stack = `${plain.name}: ${plain.message}`;
    const { code } = thrown as { code?: unknown };
    return typeof code === 'string' ? Object.assign(plain, { code: text(code) }) : plain;
  };

  const excerpt = (value: string) => {
    const whole = text(value);
    const parts = forms.flatMap((form) => Array.from({ length: form.length }, (_, length) => form.slice(0, length)));
    const cut = parts.filter((part) => part.length >= SHORTEST_PART && whole.endsWith(part));
    const longest = Math.max(0, ...cut.map(({ length }) => length));
    return `${whole.slice(0, whole.length - longest).slice(0, LONGEST_EXCERPT)}${longest > 0 ? MASK : ''}`;
  };

  return {
    text,
    excerpt,
    json: <T>(value: T) => copy(value, 0) as T,
    headers: (headers) => new Headers([...headers].map(([name, value]): [string, string] => [name, text(value)])),
    cause: (thrown) => cause(thrown, 0),
  };
}

function formsOf(key: string): string[] {
  // Only what fits into Latin-1 has a base64 form; keys do, people's addresses may not.
  if ([...key].some((character) => character > '\u00ff')) return [key];
  const encoded = encodeURIComponent(key);
  // Within a longer text, base64 shows the key at one of three offsets, but for the characters at its ends.
  const base64 = ['', 'x', 'xx'].map((before) => {
    return btoa(before + key).slice(
      before.length === 0 ? 0 : before.length + 1,
      Math.floor(((before.length + key.length) * 8) / 6),
    );
  });
  const base64url = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const whole = [key, encoded, encoded.replace(/%../g, (code) => code.toLowerCase())];
  // What is left of a short key is too short to mean it.
  return [...whole, ...[...base64, ...base64url].filter((form) => form.length >= 8)];
}
