import type { Article, ArticleList } from 'multilocal';
import { ArticlesClient } from 'multilocal/internal/page-client';
import { isoOf } from '../site/values.js';

/** The attributes that say which articles there are. An attribute without a value is as none. */
export const SELECTION = ['src', 'limit', 'category', 'bulle'] as const;
export type Selection = Partial<Record<(typeof SELECTION)[number], string | undefined>>;

/** The articles of one selection, and the requests for them. It keeps what it has read, so nothing is requested twice. */
export class Library {
  /** The articles that were read so far, newest first. `undefined` before the first page. */
  list: readonly Article[] | undefined;
  /** Whether the service has more articles than {@link Library.list}. */
  hasMore = false;
  readonly #articles: ArticlesClient;
  readonly #known = new Map<number, Article>();
  #offset = 0;

  /** @throws a `ConfigurationError` if `src` is not an address. */
  constructor(readonly selection: Selection) {
    // The page shows failures, and the visitor decides about the next attempt: a retry could wait for a minute.
    this.#articles = new ArticlesClient({ baseUrl: selection.src ?? '', maxRetries: 0, totalTimeout: 20_000 });
  }

  /** Reads the next page of the list and returns the articles that are new. One request, or more if pages have moved. */
  async more(signal: AbortSignal): Promise<readonly Article[]> {
    const { limit, category, bulle: bulle_id } = this.selection;
    const offset = this.#offset || undefined;
    // Only `articlesProxy` knows `limit` and `category`. Without the two, any server that adds the key will do.
    const isLatest = limit !== undefined || category !== undefined;
    const size = limit === undefined ? undefined : Number(limit);
    const { articles, total }: ArticleList = isLatest
      ? await this.#articles.latest({ limit: size, category, bulle_id, offset }, { signal })
      : await this.#articles.list({ status: 'published', bulle_id }, { signal, extra: { offset } });
    // Pages move by one when an article is published.
    const listed = new Set(this.list?.map(({ id }) => id));
    const fresh = articles.filter(({ id }) => !listed.has(id)).sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1));
    for (const article of fresh) this.#known.set(article.id, article);
    this.#offset += articles.length;
    this.list = [...(this.list ?? []), ...fresh];
    const isEnd = articles.length === 0 || this.#offset >= total;
    // As many articles as a small page holds may have been published meanwhile.
    if (fresh.length === 0 && !isEnd && isLatest) return this.more(signal);
    this.hasMore = fresh.length > 0 && !isEnd;
    return fresh;
  }

  /** An article that a list has shown with its text. */
  known(id: number): Article | undefined {
    const article = this.#known.get(id);
    return typeof article?.content_html === 'string' ? article : undefined;
  }

  /** Reads an article. One request, unless it is known. @throws a `NotFoundError` if it is not online. */
  async get(id: number, signal: AbortSignal): Promise<Article> {
    const article = this.known(id) ?? (await this.#articles.get(id, { signal }));
    this.#known.set(id, article);
    return article;
  }
}

const dateOf = ({ published_at }: Article): string => isoOf(published_at) ?? '';
