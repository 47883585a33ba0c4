import { connect } from '../page/connect.js';
import { ArticleReads } from '../resources/articles-reads.js';
import type { Article } from '../resources/articles-reads-schema.js';
import { isoOf } from '../site/values.js';

/** The articles of one address, and the requests for them. It keeps what it has read, so nothing is requested twice. */
export class Library {
  /** The articles that were read so far, newest first. `undefined` before the first page. */
  list: readonly Article[] | undefined;
  /** Whether the service has more articles than {@link Library.list}. */
  hasMore = false;
  readonly #articles: ArticleReads;
  readonly #known = new Map<number, Article>();
  #offset = 0;

  /** @throws a `ConfigurationError` if `src` is not an address. */
  constructor(readonly src: string) {
    // The page shows failures, and the visitor decides about the next attempt: a retry could wait for a minute.
    this.#articles = new ArticleReads(connect({ baseUrl: src, maxRetries: 0, totalTimeout: 20_000 }));
  }

  /** Reads the next page of the list and returns the articles that are new. One request. */
  async more(signal: AbortSignal): Promise<readonly Article[]> {
    const extra = this.#offset > 0 ? { offset: this.#offset } : {};
    const { articles, total } = await this.#articles.list({ status: 'published' }, { signal, extra });
    const before = this.list ?? [];
    // Pages move by one when an article is published.
    const listed = new Set(before.map(({ id }) => id));
    const fresh = articles.filter(({ id }) => !listed.has(id)).sort((a, b) => compare(dateOf(b), dateOf(a)));
    for (const article of fresh) this.#known.set(article.id, article);
    this.#offset += articles.length;
    this.list = [...before, ...fresh];
    this.hasMore = fresh.length > 0 && this.#offset < total;
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
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
