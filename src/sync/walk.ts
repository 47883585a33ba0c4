import { SyncStalledError } from '../core/errors/index.js';
import { isAfter, isAfterThat, sortKey } from '../core/timestamps.js';
import type { SyncArticle, SyncList, SyncPage } from './source.js';

/** Earlier than any article: with it the service sorts, oldest change first, and leaves nothing out. */
export const BEGINNING = '1970-01-01T00:00:00Z';

/**
 * How often a run of equal timestamps may shift under the walk before it gives up. Each shift takes an article out of
 * the run, so the walk gets through in the end; only a service that orders equal timestamps anew each time would not let it.
 */
const MOST_RESTARTS = 20;

/** How often a page may come again at another offset before the walk gives up. */
const MOST_REPEATS = 20;

/** What one page brought. */
export interface Step<Listed extends SyncArticle> {
  /** Versions not delivered before, oldest first. */
  articles: readonly Listed[];
  /** Every change up to here is delivered; absent if the page ends within one timestamp. */
  cursor?: string;
  /** Articles that match from where the walk stands, as the service counts them. */
  total: number;
  /** Articles that a page holds at most. */
  limit: number;
  /** No page follows. */
  isLast: boolean;
  /** The service promised more articles than its pages hold, or did not count them. */
  isDoubtful: boolean;
}

/**
 * Walks all versions later than `since`, each once, without a gap.
 *
 * `updated_since` means *later*: continuing from the last timestamp of a page would lose the articles of that timestamp
 * which the page's end cut off. So the walk continues from the timestamp before it and leaves out what it has delivered.
 * The page then begins with a known article, which also shows that nothing slipped through while articles changed.
 * If one timestamp fills a page, only `offset` leads on: by one less than the page, for the same reason, and only if
 * the response shows that the service heeds it.
 *
 * `total` never ends a walk by itself, since services count wrongly or at another moment. A full page is followed by
 * another one. A short page is the last, unless `total` promises more: then one more page has to show it.
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

/** How far a walk has come. */
class Position<Listed extends SyncArticle> {
  readonly #source: SyncList<Listed>;
  /** Every change up to here is delivered. */
  #cursor: string;
  #offset = 0;
  /** The last article of the page before, if the walk continues by offset. */
  #edge: Listed | undefined;
  /** The page begins with the edge. A page of one article has no room for it. */
  #overlaps = false;
  #restarts = 0;
  #repeats = 0;
  /** The articles of the page before. */
  #before: readonly Listed[] = [];
  /** Only the `total` of a short page promised the page that comes now. */
  #isPromised = false;
  #largestPage = 0;
  /** Delivered versions later than the cursor. */
  readonly #delivered = new Map<number, string>();

  constructor(source: SyncList<Listed>, since: string) {
    this.#source = source;
    this.#cursor = since;
  }

  /** Requests the next page. `undefined` if the run of equal timestamps shifted, so that it has to be read again. */
  async read(): Promise<SyncPage<Listed> | undefined> {
    const offset = this.#offset;
    const page = await this.#list(offset);
    if (offset > 0 && page.offset !== offset) {
      if (!this.#isPromised) this.#stall('one updated_at fills a page and the service ignores `offset`');
      return { ...page, articles: [] };
    }
    const edge = this.#edge;
    if (!edge) return page;
    const [first] = (this.#overlaps ? page : await this.#list(offset - 1)).articles;
    if (first?.id === edge.id && first.updated_at === edge.updated_at) return page;
    // An article before it moved away, and with it the count.
    if (++this.#restarts > MOST_RESTARTS) this.#stall('articles keep changing within one updated_at');
    this.#offset = 0;
    this.#edge = undefined;
    return undefined;
  }

  /** Takes the articles of a page for delivered, and moves on behind them. */
  take(page: SyncPage<Listed>): Step<Listed> {
    const { articles, total, limit } = page;
    const keys = new Map(articles.map((article) => [article, sortKey(article.updated_at)]));
    const isSorted = articles.every((article, index) => isInOrder(articles[index - 1], article, keys));
    const isFull = articles.length > 0 && articles.length >= fullSize(page, this.#largestPage);
    const promisesMore = total > this.#offset + articles.length;
    const fresh = this.#deliver(articles);
    const isLast = !isFull && !(promisesMore && (!this.#isPromised || fresh.length > 0));
    const isDoubtful = !(total <= this.#offset + articles.length);
    if (!isSorted && !isLast) this.#stall('a page is not sorted by updated_at');
    // A page that is cut down to its published articles may look like the one before.
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
    // What the service promised and did not show may share the last timestamp.
    return promisesMore || !end || !isAfter(end.updated_at, this.#cursor) ? this.#cursor : end.updated_at;
  }

  /** Moves on to the next page. Returns the new cursor, if a timestamp is complete. */
  #advance(inOrder: readonly Listed[]): string | undefined {
    const end = inOrder.at(-1);
    // An empty page although there is more to come is read once more.
    if (!end) return undefined;
    // The edge stands before a page without an overlap.
    const neighbours = this.#edge && !this.#overlaps ? [this.#edge, ...inOrder] : inOrder;
    const complete = neighbours.findLast(({ updated_at }) => updated_at !== end.updated_at);
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
    for (const [id, updated_at] of this.#delivered) if (!isLater(updated_at)) this.#delivered.delete(id);
    return this.#cursor;
  }

  /** Takes the versions that were not delivered before. */
  #deliver(articles: readonly Listed[]): Listed[] {
    const isLater = isAfterThat(this.#cursor);
    return articles.filter(({ id, updated_at }) => {
      if (this.#delivered.get(id) === updated_at || !isLater(updated_at)) return false;
      this.#delivered.set(id, updated_at);
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

/** From how many articles on a page is full: `limit`, or fewer if the service showed that it holds back. */
function fullSize({ limit }: SyncPage<SyncArticle>, largest: number): number {
  const most = limit >= 1 ? limit : 1;
  return largest > 0 ? Math.min(most, largest) : most;
}

function isInOrder<Listed>(before: Listed | undefined, article: Listed, keys: ReadonlyMap<Listed, string | undefined>) {
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

/** The error of a list that cannot be walked. The cursor comes from the service or a store, which may repeat the key. */
export function stalled(
  { mask }: Pick<SyncList<SyncArticle>, 'mask'>,
  reason: string,
  position: string,
): SyncStalledError {
  const cursor = mask(position);
  const message = `Stopped after ${cursor}: ${reason}. Everything before it is complete.`;
  return new SyncStalledError(message, { operation: 'articles.list', method: 'GET', path: '/articles', cursor });
}
