import { SyncStalledError } from '../core/errors/index.js';
import { sortKey } from '../core/timestamps.js';
import type { SyncArticle, SyncList, SyncPage } from './source.js';

/** Earlier than any article. With `updated_since`, the service sorts by change, oldest first. */
export const BEGINNING = '1970-01-01T00:00:00Z';

/**
 * How often articles with one equal timestamp may change during the walk before the walk gives up. Each change gives an
 * article a new timestamp, so the walk ends unless the service orders equal timestamps differently each time.
 */
const MOST_RESTARTS = 20;

/** How often the service may return the same page at another offset before the walk gives up. */
const MOST_REPEATS = 20;

/** The result of one page. */
export interface Step<Listed extends SyncArticle> {
  /** The versions that were not delivered before, oldest first. */
  articles: readonly Listed[];
  /** Every change up to this timestamp is delivered. `undefined` if the page ends within one timestamp. */
  cursor: string | undefined;
  /** Number of articles after the position of the page, as the service counts them. */
  total: number;
  /** Maximum number of articles on a page. */
  limit: number;
  /** Whether this is the last page. */
  isLast: boolean;
  /** Whether `total` is missing, or larger than the number of listed articles. */
  isDoubtful: boolean;
}

/**
 * Walks all versions later than `since`, each once, without a gap.
 *
 * `updated_since` means *later than*. Several articles can share the last timestamp of a page, and continuing from it
 * would lose those that did not fit on the page. So the walk continues from the timestamp before it and skips the
 * articles that it has already delivered. The next page then begins with a known article, which also proves that no
 * article was skipped because of a change in the meantime.
 *
 * If one timestamp fills a page, the walk continues with `offset`. It advances by one less than the page, for the same
 * reason, and trusts `offset` only if the response repeats it.
 *
 * `total` never ends a walk by itself, because a service may count and select at different moments. After a full page,
 * the walk always requests another one. A short page is the last one, unless `total` promises more articles, because the
 * service may limit the bytes of a page: then the walk continues, with `offset` where a page brings nothing new, until a
 * page is empty.
 */
export async function* walk<Listed extends SyncArticle>(
  source: SyncList<Listed>,
  since: string,
): AsyncGenerator<Step<Listed>, void, undefined> {
  const position = new Position(source, since);
  for (let isLast = false; !isLast; ) {
    const page = await position.read();
    if (!page) continue;
    const step = position.take(page);
    yield step;
    isLast = step.isLast;
  }
}

/** The position of a walk. */
class Position<Listed extends SyncArticle> {
  readonly #source: SyncList<Listed>;
  /** Every change up to here is delivered. */
  #cursor: string;
  #offset = 0;
  /** The last article of the previous page, if the walk continues by offset. */
  #edge: Listed | undefined;
  #restarts = 0;
  #repeats = 0;
  /** The articles of the previous page that was not empty. */
  #before: readonly Listed[] = [];
  /** Whether the next page is requested only because of the `total` of a short page. */
  #isPromised = false;
  #largestPage = 0;
  /** The delivered versions that are later than the cursor, with their sort keys. */
  readonly #delivered = new Map<number, { updated_at: string; key: string | undefined }>();

  constructor(source: SyncList<Listed>, since: string) {
    this.#source = source;
    this.#cursor = since;
  }

  /** Requests the next page. `undefined` if articles with the same timestamp changed, so that they must be read again. */
  async read(): Promise<SyncPage<Listed> | undefined> {
    const offset = this.#offset;
    const edge = this.#edge;
    const page = await this.#list(offset);
    if (!edge) return page;
    if (page.offset !== offset) {
      const isLater = ({ updated_at }: Listed) => isAfter(updated_at, edge.updated_at);
      // If only `total` promises more articles and none is later, `total` is wrong and the walk does not need `offset`.
      if (!this.#isPromised || (await this.#list(0, edge.updated_at)).articles.some(isLater))
        this.#stall('the service ignores `offset`');
      return { ...page, articles: [] };
    }
    // The walk ends without moving the cursor, so nothing gets lost if the edge has changed.
    if (this.#isPromised && page.articles.length === 0 && page.total > offset) return page;
    // A page of one article cannot contain both the edge and a new article, so the page after it starts behind the edge.
    const { articles } = this.#before.length > 1 ? page : await this.#list(offset - 1);
    if (isSame(articles.slice(0, 1), [edge])) return page;
    // An article before the edge has changed, so the offset no longer fits.
    if (++this.#restarts > MOST_RESTARTS) this.#stall('articles with the same updated_at keep changing');
    this.#offset = 0;
    this.#edge = undefined;
    return undefined;
  }

  /** Counts the articles of a page as delivered and moves behind them. */
  take(page: SyncPage<Listed>): Step<Listed> {
    const { articles, total, limit } = page;
    const keys = new Map(articles.map((article) => [article, sortKey(article.updated_at)]));
    const keyOf = (article: Listed) => keys.get(article) ?? '';
    const inOrder = [...articles].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));
    const unread = articles.find((article) => !keyOf(article));
    const isSorted = !unread && isSame(articles, inOrder);
    // Some services have a smaller limit than they say.
    const most = limit > 0 ? limit : 1;
    const isFull = articles.length >= Math.min(most, this.#largestPage || most);
    const shown = this.#offset + articles.length;
    const promisesMore = total > shown;
    // A server in between may remove drafts from pages, so two different pages may begin with the same article. Otherwise the
    // service repeats `offset` without applying it, and what was read must not count as the end of the list.
    this.#repeats = this.#offset > 0 && isSame(articles.slice(0, 1), this.#before.slice(0, 1)) ? this.#repeats + 1 : 0;
    const isLast = !isFull && !this.#repeats && (!promisesMore || (this.#isPromised && articles.length === 0));
    if (!isSorted && !isLast)
      this.#stall(unread ? `article ${unread.id} has no valid updated_at` : 'a page is not sorted by updated_at');
    // Without an offset, a page begins with articles of the previous page, so only the first page may be empty.
    if (isLast && promisesMore && !this.#edge && this.#delivered.size > 0) this.#stall('a page is empty');
    if (this.#repeats > MOST_REPEATS) this.#stall('the service repeats a page');
    if (articles.length > 0) this.#before = articles;

    const fresh = this.#deliver(inOrder, keys);
    this.#largestPage = Math.max(this.#largestPage, articles.length);
    this.#isPromised = !isFull;
    const cursor = isLast ? this.#end(inOrder, promisesMore) : this.#advance(inOrder);
    return { articles: fresh, total, limit, isLast, isDoubtful: !(total <= shown), cursor };
  }

  /** The cursor behind the last page. */
  #end(inOrder: readonly Listed[], promisesMore: boolean): string {
    const end = inOrder.findLast(({ updated_at }) => sortKey(updated_at) !== undefined) ?? this.#edge;
    // The articles that `total` counts and no page shows may have the last timestamp.
    return promisesMore || !end || !isAfter(end.updated_at, this.#cursor) ? this.#cursor : end.updated_at;
  }

  /** Moves on to the next page. Returns the new cursor, if a timestamp is complete. */
  #advance(inOrder: readonly Listed[]): string | undefined {
    const end = inOrder.at(-1);
    // An empty page that should not be empty is requested once more.
    if (!end) return undefined;
    const neighbours = this.#edge ? [this.#edge, ...inOrder] : inOrder;
    // Instants are compared and not texts, because a service may write one instant in two spellings.
    const complete = neighbours.findLast(({ updated_at }) => isAfter(end.updated_at, updated_at));
    if (!complete || !isAfter(complete.updated_at, this.#cursor)) {
      this.#edge = end;
      this.#offset += Math.max(1, inOrder.length - 1);
      return undefined;
    }
    this.#cursor = complete.updated_at;
    this.#offset = 0;
    this.#edge = undefined;
    this.#restarts = 0;
    const isLater = isAfterThat(this.#cursor);
    for (const [id, { updated_at, key }] of this.#delivered) {
      if (!isLater(updated_at, key)) this.#delivered.delete(id);
    }
    return this.#cursor;
  }

  /** Returns the versions that were not delivered before, and counts them as delivered. */
  #deliver(articles: readonly Listed[], keys: SortKeys<Listed>): Listed[] {
    const isLater = isAfterThat(this.#cursor);
    return articles.filter((article) => {
      const { id, updated_at } = article;
      const key = keys.get(article);
      const delivered = this.#delivered.get(id);
      const isKnown = delivered !== undefined && delivered.updated_at === updated_at;
      if (isKnown || !isLater(updated_at, key)) return false;
      this.#delivered.set(id, { updated_at, key });
      return true;
    });
  }

  #list(offset: number, updated_since = this.#cursor): Promise<SyncPage<Listed>> {
    return this.#source.list({ updated_since, offset });
  }

  #stall(reason: string): never {
    throw stalled(this.#source, reason, this.#cursor);
  }
}

/** The sort key of each article's `updated_at`, so that it is parsed once. `undefined` if it cannot be read. */
type SortKeys<Listed> = ReadonlyMap<Listed, string | undefined>;

function isSame(articles: readonly SyncArticle[], others: readonly SyncArticle[]): boolean {
  const isEqual = ({ id, updated_at }: SyncArticle, other: SyncArticle | undefined) =>
    id === other?.id && updated_at === other.updated_at;
  return articles.length === others.length && articles.every((article, index) => isEqual(article, others[index]));
}

/** The error for a list that cannot be read without a gap. The key is masked in the cursor, which may contain it. */
export function stalled(
  { mask }: Pick<SyncList<SyncArticle>, 'mask'>,
  reason: string,
  position: string,
): SyncStalledError {
  const cursor = mask(position);
  const message = `The sync stopped after ${cursor}: ${reason}. Everything up to this cursor is complete.`;
  return new SyncStalledError(message, { operation: 'articles.list', method: 'GET', path: '/articles', cursor });
}

/**
 * Whether one timestamp is later than another. If one of them cannot be read, any difference counts as later: an extra
 * version is better than a missing one.
 */
export function isAfter(timestamp: string, other: string): boolean {
  return isAfterThat(other)(timestamp);
}

/** Like {@link isAfter}, for comparing many timestamps with one. The result also takes a sort key that is known. */
export function isAfterThat(other: string): (timestamp: string, key?: string) => boolean {
  const otherKey = sortKey(other);
  return (timestamp, key = sortKey(timestamp)) => {
    return key && otherKey ? key > otherKey : timestamp !== other;
  };
}
