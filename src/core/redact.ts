import type { Issue } from './types.js';

/** Maximum length of a text from the service or a library in an error. */
const LONGEST_EXCERPT = 2_000;
/**
 * Number of characters that are searched for keys. It is larger than the excerpt, because removing keys makes the text
 * shorter.
 */
const LONGEST_SEARCH = 10_000;
/** A shorter secret, such as the key of a first test, is masked only as a whole word: `k` is in every other word. */
const SHORTEST_ANYWHERE = 8;
const MASK = '[redacted]';
/** Maximum length of a masked secret, because engines refuse longer patterns. No key or address is that long. */
const LONGEST_SECRET = 10_000;

/** Masks the secrets in a text. */
export type Mask = (text: string) => string;

/** Removes the API key from everything that an error or an event shows. */
export interface Redactor {
  readonly mask: Mask;
  /** Returns the beginning of a text without the key, cut after the key is taken out. */
  beginning(value: string): string;
  /** Returns a copy of a JSON value without the key. */
  json<T>(value: T): T;
  /** Returns issues without the key. Long names are cut, because the service may have chosen them. */
  issues(issues: readonly Issue[]): Issue[];
  /**
   * Returns headers without the key. A header with the key in its name is left out, because a masked name is invalid.
   */
  headers(headers: Iterable<[string, string]>): Headers;
  /** Returns name, message, code and cause of an error, without the objects (requests, headers) that it may hold. */
  cause(thrown: unknown): Error | undefined;
}

/**
 * Creates a redactor. It masks each secret in plain and in URL-encoded form and in any case, because services and
 * proxies repeat requests in these forms. `hide` masks what a fixed text does not describe, such as a phone number.
 */
export function createRedactor(secrets: readonly (string | undefined)[], hide: Mask = (text) => text): Redactor {
  // Longer secrets come first, because a short secret may be part of a longer one.
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  // One pattern searches a text once, and does not find one secret in the mask of another.
  const pattern = new RegExp(forms.map(patternOf).join('|') || '$.', 'gi');
  const mask = (value: string) => hide(value.replaceAll(pattern, MASK));

  const beginning = (value: string) => mask(value.slice(0, LONGEST_SEARCH)).slice(0, LONGEST_EXCERPT);

  const json = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return mask(value);
    if (typeof value === 'number') return mask(`${value}`) === `${value}` ? value : MASK;
    if (typeof value !== 'object' || !value) return value;
    // No response of this service is that deep. Deeper values are not searched for the key, so they are masked.
    if (depth > 100) return MASK;
    const copy = (item: unknown) => json(item, depth + 1);
    if (Array.isArray(value)) return value.map(copy);
    const name = (key: string) => (key.length < SHORTEST_ANYWHERE ? key : mask(key));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [name(key), copy(item)]));
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
        // A custom `fetch` may return anything as headers.
      }
      return shown;
    },
    cause: (thrown) => plainError(thrown, beginning),
  };
}

/** Copies an error and its causes, with texts that `shown` has masked. */
function plainError(thrown: unknown, shown: (text: string) => string, depth = 0): Error | undefined {
  try {
    if (!(thrown instanceof Error) || depth > 4) return undefined;
    const { message, code } = thrown as Error & { code?: unknown };
    const inner = plainError(thrown.cause, shown, depth + 1);
    const plain = new Error(shown(String(message)), inner && { cause: inner });
    const name = shown(String(thrown.name));
    const known = typeof code === 'number' ? { code } : typeof code === 'string' && { code: shown(code) };
    return Object.assign(plain, { name, stack: `${name}: ${plain.message}` }, known);
  } catch {
    // A getter or a proxy may throw when it is read.
    return undefined;
  }
}

function formsOf(key: string | undefined): string[] {
  if (!key) return [];
  // `encodeURIComponent` throws for half a surrogate pair.
  return [key, encodeURIComponent(key.replace(/\p{Surrogate}/gu, '\ufffd'))].map((form) =>
    form.slice(0, LONGEST_SECRET),
  );
}

function patternOf(form: string): string {
  const text = form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  if (form.length >= SHORTEST_ANYWHERE) return text;
  // No lookbehind, which Safari before 16.4 refuses.
  return `${/^\w/.test(form) ? '\\b' : '\\B'}${text}(?!\\w)`;
}
