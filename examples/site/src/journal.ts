import { type Article, ArticlesClient, RateLimitError, ServiceUnavailableError } from 'multilocal/articles';
import { Shelf } from './shelf.js';

/** Milliseconds in which the visits of a reader cost no request. */
const LIFETIME = 15 * 60_000;

/**
 * A client without a key: the site's own server adds it. Without retries, a visit costs at most one request. The reader
 * has a button to try again.
 */
export const client = new ArticlesClient({
  baseUrl: '/content',
  maxRetries: 0,
  timeout: 10_000,
});

/** The newest articles with their texts, so that article pages cost no request. */
export interface Journal {
  readonly articles: readonly Article[];
  /** Time of the response, in milliseconds since 1970. */
  readonly at: number;
}

const shelf = new Shelf(
  'articles',
  (value): value is Journal =>
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'number' &&
    'articles' in value &&
    Array.isArray(value.articles),
);

/** The stored articles, if they are fresh enough to show without a request. */
export function freshJournal(): Journal | undefined {
  const journal = shelf.read();
  // A date in the future comes from a wrong clock.
  const age = Date.now() - (journal?.at ?? 0);
  return age >= 0 && age < LIFETIME ? journal : undefined;
}

/** The stored articles, of any age. */
export const oldJournal = (): Journal | undefined => shelf.read();

let asking: Promise<Journal> | undefined;

/** Requests the articles: one request, even if several pages wait for it. */
export function askJournal(): Promise<Journal> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function ask(): Promise<Journal> {
  const { articles } = await client.list({ status: 'published' });
  const journal = { articles, at: Date.now() };
  shelf.write(journal);
  return journal;
}

/**
 * Whether the limits are used up: 429 from the service itself, or 503 from a proxy. Other errors are failures.
 * `retryAfter` is in milliseconds, if it is known.
 */
export function isOverBudget(error: unknown): error is RateLimitError | ServiceUnavailableError {
  return (
    error instanceof RateLimitError || (error instanceof ServiceUnavailableError && error.retryAfter !== undefined)
  );
}
