import type { Api } from './api.js';
import type { Endpoint, Params } from './endpoint.js';
import type { CallOptions } from './options.js';
import { ApiPromise, type ApiResult } from './promise.js';

/** How the pages of one list hang together. */
export interface Paging<Page, Item> {
  items(page: Page): readonly Item[];
  id(item: Item): unknown;
  /**
   * The parameters of the next page; `undefined` when this one is the last that can be known of.
   * `before` is the page read before this one, where it may be held against it: a list that tells how many rows it has
   * can go back for those that moved to pages that were read already.
   */
  next(page: Page, params: Params, before: Page | undefined): Params | undefined;
  /** How far down the list parameters reach; needed by a list that goes back. */
  position?(params: Params): number;
}

/** How many pages that bring nothing new are read in a row, since rows may have shifted by as many. */
const STALE_PAGES = 2;

/** One page of a list, and what it holds that no page before it held. */
interface FreshPage<Page, Item> {
  page: Page;
  fresh: Item[];
}

/**
 * One page of a list when awaited, all of its items when iterated.
 * An item is yielded once, even if rows shift while pages are read; no page is asked for beyond the last; `break` stops.
 * @example
 * const firstPage = await client.posts.list({ status: 'error' });
 * for await (const post of client.posts.list({ status: 'error' })) console.log(post.id);
 */
export class ListPromise<Page, Item> extends ApiPromise<Page> implements AsyncIterable<Item> {
  readonly #pages: () => AsyncGenerator<FreshPage<Page, Item>, void, undefined>;

  /** @internal */
  constructor(
    first: Promise<ApiResult<Page>>,
    params: Params,
    ask: (params: Params) => Promise<Page>,
    paging: Paging<Page, Item>,
  ) {
    super(first);
    this.#pages = () => walk(first, params, ask, paging);
    // Whoever only iterates never looks at the promise itself, which must not fail unheard.
    this.catch(() => {});
  }

  /** All items, page after page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { fresh } of this.#pages()) yield* fresh;
  }

  /** The pages as the service sent them, starting at the requested one. Pages without new items are skipped. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    for await (const { page } of this.#pages()) yield page;
  }
}

async function* walk<Page, Item>(
  first: Promise<ApiResult<Page>>,
  firstParams: Params,
  ask: (params: Params) => Promise<Page>,
  { items, id, next, position }: Paging<Page, Item>,
): AsyncGenerator<FreshPage<Page, Item>, void, undefined> {
  const seen = new Set<unknown>();
  const isNew = (item: Item) => seen.size < seen.add(id(item)).size;
  const idsOf = (page: Page) => JSON.stringify(items(page).map(id));
  let params = firstParams;
  let page = (await first).data;
  let before: Page | undefined;
  let furthest = -1;
  /** Pages in a row that brought nothing new. */
  let barren = 0;
  /** How many of them were read for the first time. */
  let stale = 0;
  for (;;) {
    const fresh = items(page).filter(isNew);
    if (fresh.length > 0 || !before) yield { page, fresh };
    const at = position?.(params) ?? furthest + 1;
    const isFirstTime = at > furthest;
    furthest = Math.max(furthest, at);
    barren = fresh.length > 0 ? 0 : barren + 1;
    stale = fresh.length > 0 ? 0 : stale + Number(isFirstTime);
    // Counts that go up and down must not send it to and fro for ever.
    const following = next(page, params, barren < STALE_PAGES ? before : undefined);
    if (!following) return;
    const goesBack = position !== undefined && position(following) <= at;
    if (before && barren > 0 && isFirstTime && !goesBack) {
      // A service that gives a page again would do so for ever.
      if (items(page).length === 0 || idsOf(page) === idsOf(before) || stale === STALE_PAGES) return;
    }
    before = page;
    params = following;
    page = await ask(params);
  }
}

/** Sends the first page and knows how to go on. */
export function sendList<Page, Item>(
  api: Pick<Api, 'send'>,
  endpoint: Endpoint,
  params: object | undefined,
  options: CallOptions | undefined,
  paging: Paging<Page, Item>,
): ListPromise<Page, Item> {
  const ask = (page: object | undefined) => api.send<Page>(endpoint, page, options);
  // The caller may change the object before the next page is requested.
  return new ListPromise(ask(params).withResponse(), { ...params }, ask, paging);
}
