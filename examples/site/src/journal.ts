import { type Article, ArticlesClient, RateLimitError, ServiceUnavailableError } from 'multilocal/articles';
import { Shelf } from './shelf.js';

/** Milliseconds for which a reader's visits cost no request. */
const LIFETIME = 15 * 60_000;

/**
 * No key: the site's own server adds it. No retries either, so that a visit costs one request at most; the reader
 * has a button for another.
 */
export const client = new ArticlesClient({
  baseUrl: '/content',
  maxRetries: 0,
  timeout: 10_000,
});

/** The newest articles, whole: the list brings the texts with it, so that article pages cost nothing. */
export interface Journal {
  readonly articles: readonly Article[];
  /** When they came, in milliseconds since 1970. */
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

/** What is fresh enough to be shown without asking. */
export function freshJournal(): Journal | undefined {
  const journal = shelf.read();
  // A date in the future comes from a clock that was wrong.
  const age = Date.now() - (journal?.at ?? 0);
  return age >= 0 && age < LIFETIME ? journal : undefined;
}

/** What there is, however old. */
export const oldJournal = (): Journal | undefined => shelf.read();

let asking: Promise<Journal> | undefined;

/** Ask for the articles: one request, however many pages wait for it. */
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
 * Whether no request is left for now, as against a failure: 429 from the service itself, or 503 from a proxy that has
 * none left. `retryAfter`: milliseconds, where they are known.
 */
export function isOverBudget(error: unknown): error is RateLimitError | ServiceUnavailableError {
  return (
    error instanceof RateLimitError || (error instanceof ServiceUnavailableError && error.retryAfter !== undefined)
  );
}
