import { SyncStalledError } from '../core/errors/index.js';
import { isAfter, isAfterThat, sortKey } from '../core/timestamps.js';
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
  /** Every change up to this timestamp is delivered. Absent if the page ends within one timestamp. */
  cursor?: string;
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
 * the walk always requests another one. A short page is the last one, unless `total` promises more articles: then the
 * walk requests one more page.
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
  /** Whether the page begins with the edge. A page of one article cannot contain both the edge and a new article. */
  #overlaps = false;
  #restarts = 0;
  #repeats = 0;
  /** The articles of the previous page. */
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

  /**
   * Requests the next page. `undefined` if articles with the same timestamp changed, so that they must be read again.
   */
  async read(): Promise<SyncPage<Listed> | undefined> {
    const offset = this.#offset;
    const page = await this.#list(offset);
    if (offset > 0 && page.offset !== offset) {
      if (!this.#isPromised)
        this.#stall('articles with the same updated_at fill a page, and the service ignores `offset`');
      return { ...page, articles: [] };
    }
    const edge = this.#edge;
    if (!edge) return page;
    const [first] = (this.#overlaps ? page : await this.#list(offset - 1)).articles;
    if (first?.id === edge.id && first.updated_at === edge.updated_at) return page;
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
    const isSorted = articles.every((article, index) => isInOrder(articles[index - 1], article, keys));
    const isFull = articles.length >= fullSize(page, this.#largestPage);
    const promisesMore = total > this.#offset + articles.length;
    const fresh = this.#deliver(articles, keys);
    const isLast = !isFull && !(promisesMore && (!this.#isPromised || fresh.length > 0));
    const isDoubtful = !(total <= this.#offset + articles.length);
    if (!isSorted && !isLast) this.#stall('a page is not sorted by updated_at');
    // `articlesProxy` removes drafts from pages, so two different pages may look the same.
    this.#repeats = isFull && this.#offset > 0 && isSame(articles, this.#before) ? this.#repeats + 1 : 0;
    if (this.#repeats > MOST_REPEATS) this.#stall('the service repeats a page');
    this.#before = articles;

    const byChange = (a: Listed, b: Listed) => compare(keys.get(a) ?? '', keys.get(b) ?? '');
    const inOrder = isSorted ? articles : [...articles].sort(byChange);
    if (!isSorted) fresh.sort(byChange);
    this.#largestPage = Math.max(this.#largestPage, articles.length);
    this.#isPromised = !isFull;
    const cursor = isLast ? this.#end(inOrder, promisesMore) : this.#advance(inOrder);
    return { articles: fresh, total, limit, isLast, isDoubtful, ...(cursor !== undefined && { cursor }) };
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
    // A page without an overlap follows directly after the edge.
    const neighbours = this.#edge && !this.#overlaps ? [this.#edge, ...inOrder] : inOrder;
    // Instants are compared and not texts, because a service may write one instant in two spellings.
    const complete = neighbours.findLast(({ updated_at }) => isAfter(end.updated_at, updated_at));
    if (!complete || !isAfter(complete.updated_at, this.#cursor)) {
      this.#edge = end;
      this.#overlaps = inOrder.length > 1;
      this.#offset += this.#overlaps ? inOrder.length - 1 : 1;
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

  #list(offset: number): Promise<SyncPage<Listed>> {
    return this.#source.list({ updated_since: this.#cursor, offset });
  }

  #stall(reason: string): never {
    throw stalled(this.#source, reason, this.#cursor);
  }
}

/** The number of articles on a full page: `limit`, or fewer if the largest page so far had fewer. */
function fullSize({ limit }: SyncPage<SyncArticle>, largest: number): number {
  const most = limit >= 1 ? limit : 1;
  return largest > 0 ? Math.min(most, largest) : most;
}

/** The sort key of each article's `updated_at`, so that it is parsed once. `undefined` if it cannot be read. */
type SortKeys<Listed> = ReadonlyMap<Listed, string | undefined>;

function isInOrder<Listed>(before: Listed | undefined, article: Listed, keys: SortKeys<Listed>) {
  const key = keys.get(article);
  return key !== undefined && (!before || (keys.get(before) ?? '') <= key);
}

function isSame(articles: readonly SyncArticle[], others: readonly SyncArticle[]): boolean {
  const isEqual = ({ id, updated_at }: SyncArticle, other: SyncArticle | undefined) =>
    id === other?.id && updated_at === other.updated_at;
  return articles.length === others.length && articles.every((article, index) => isEqual(article, others[index]));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
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
