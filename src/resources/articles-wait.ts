import type { Api } from '../core/api.js';
import { SyncStalledError } from '../core/errors/index.js';
import { needed } from '../core/response.js';
import * as s from '../core/schema.js';
import { parseTimestamp } from '../core/timestamps.js';
import { byService } from '../stages/listeners.js';
import { walk } from '../sync/walk.js';
import { changed, listing } from './articles-list.js';
import { type Article, articleReadEndpoints } from './articles-reads-schema.js';
import { perSession } from './shared.js';
import { isTemporary, poll, SharedReads, type WaitOptions, type Wanted } from './wait.js';

/** An article that was created this many ms before its wait is in the first list of what changed. */
const RECENT = 3_600_000;

/** What a wait needs of an article, with any `validation`. */
const text = { content_html: s.maybe(s.string) };
const written = s.object(text);
const listed = s.object({ articles: s.list(s.object({ ...changed, ...text })) });

/** What was read of each article: itself, or why it could not be read. */
type Found = ReadonlyMap<number, { readonly article?: Article; readonly error?: unknown }>;

interface ArticleWait extends Wanted<Article, Found> {
  readonly id: number;
  /** Earlier than the last change of the article that is known. */
  since: string;
  get(signal: AbortSignal): Promise<Article>;
}

const readsOf = perSession(() => new SharedReads<Found>());

/** Polls until an article has its text. One wait reads its article, and several read the list of what changed. */
export function waitForText(api: Api, article_id: number, options: WaitOptions = {}): Promise<Article> {
  const { pollInterval = 10_000, timeout = 600_000, onPoll, signal: own, ...callOptions } = options;
  const { extra: _, totalTimeout: __, ...others } = callOptions;
  const shared = api.shared();
  const wanted: ArticleWait = {
    since: byService(api.session, new Date(Date.now() - RECENT)),
    get: async (signal) => {
      const path = { article_id };
      return needed(await api.ask<Article>(articleReadEndpoints.get, {}, { ...callOptions, signal }, path), written);
    },
    read: (waiting: readonly ArticleWait[], signal) =>
      readArticles(waiting, signal, (since) =>
        walk(listing(shared, { status: 'all' }, { ...others, signal }, listed), since),
      ),
    look: (found) => {
      const { article, error } = found.get(article_id) ?? {};
      if (error && !isTemporary(error)) throw error;
      if (article?.content_html) return article;
      const at = parseTimestamp(article?.updated_at);
      // The lists show what changed later than a moment.
      if (at) wanted.since = new Date(+at - 1).toISOString();
      return undefined;
    },
    first: 0,
    id: article_id,
    what: `The text of article ${article_id}`,
    context: { operation: 'articles.waitUntilWritten', method: 'GET', path: `/articles/${article_id}` },
    redactor: api.session.config.redactor,
  };
  return api.following(own, (signal) => poll(readsOf(api.session), wanted, { pollInterval, timeout, onPoll, signal }));
}

/** Reads the articles that are waited for. A list never costs more requests than the articles themselves. */
async function readArticles(
  waiting: readonly ArticleWait[],
  signal: AbortSignal,
  pages: (since: string) => AsyncIterable<{ readonly articles: readonly Article[] }>,
): Promise<Found> {
  const missing = new Map(waiting.map((one) => [one.id, one]));
  const found = new Map<number, { article?: Article; error?: unknown }>();
  const [first, ...more] = missing.values();
  if (first && more.length === 0) return found.set(first.id, { article: await first.get(signal) });
  try {
    let left = missing.size - 1;
    const [since = ''] = waiting.map((one) => one.since).sort();
    for await (const { articles } of pages(since)) {
      for (const article of articles) if (missing.delete(article.id)) found.set(article.id, { article });
      if (missing.size === 0 || --left <= 0) break;
    }
  } catch (error) {
    if (!(error instanceof SyncStalledError)) throw error;
  }
  for (const one of missing.values()) {
    found.set(
      one.id,
      await one.get(signal).then(
        (article) => ({ article }),
        (error: unknown) => ({ error }),
      ),
    );
  }
  return found;
}
