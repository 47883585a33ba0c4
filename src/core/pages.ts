import { ApiPromise, type ApiResult } from './api-promise.js';
import type { Endpoint, Params } from './endpoint.js';
import type { Send } from './send.js';
import type { CallOptions } from './session.js';

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

/**
 * One page of a list when awaited, all of its items when iterated.
 * An item is yielded once, even if rows shift while pages are read; no page is asked for beyond the last; `break` stops.
 * @example
 * const firstPage = await client.posts.list({ status: 'error' });
 * for await (const post of client.posts.list({ status: 'error' })) console.log(post.id);
 */
export class ListPromise<Page, Item> extends ApiPromise<Page> implements AsyncIterable<Item> {
  /** No closure: engines take one that is made at each call for long-lived, and with it all the pages that it holds. */
  readonly #walk: Parameters<typeof walk<Page, Item>>;

  /** @internal */
  constructor(
    first: Promise<ApiResult<Page>>,
    params: Params,
    ask: (params: Params) => Promise<Page>,
    paging: Paging<Page, Item>,
  ) {
    // Its own state stays open, and `then` goes to the outcome: whoever iterates never looks at the promise itself, which
    // must not fail unheard. A handler for that alone would hide the caller's frames from errors (see `ApiPromise`).
    super(new Promise(() => {}));
    const outcome = first.then(
      (whole) => () => whole,
      (error) => () => {
        throw error;
      },
    );
    this.#walk = [outcome, params, ask, paging];
  }

  /** @internal */
  // biome-ignore lint/suspicious/noThenProperty: it is a promise, and this its one way to the outcome
  override then<A = Page, B = never>(
    onFulfilled?: ((page: Page) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#walk[0].then((give) => give().data).then(onFulfilled, onRejected);
  }

  /** @internal */
  override withResponse(): Promise<ApiResult<Page>> {
    return this.#walk[0].then((give) => give());
  }

  /** All items, page after page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { fresh } of walk(...this.#walk)) yield* fresh;
  }

  /** The pages as the service sent them, from the one that was asked for; none that holds nothing new. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    for await (const { page } of walk(...this.#walk)) yield page;
  }
}

async function* walk<Page, Item>(
  first: Promise<() => ApiResult<Page>>,
  firstParams: Params,
  ask: (params: Params) => Promise<Page>,
  { items, id, next, position }: Paging<Page, Item>,
): AsyncGenerator<{ page: Page; fresh: Item[] }, void, undefined> {
  const seen = new Set<unknown>();
  const isNew = (item: Item) => seen.size < seen.add(id(item)).size;
  const idsOf = (page: Page) => JSON.stringify(items(page).map(id));
  let params = firstParams;
  let page = (await first)().data;
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

/** Send the first page and know how to go on. */
export function sendList<Page, Item>(
  send: Send,
  endpoint: Endpoint,
  params: Params,
  options: CallOptions | undefined,
  paging: Paging<Page, Item>,
): ListPromise<Page, Item> {
  const ask = (page: Params) => send<Page>(endpoint, page, options);
  return new ListPromise(ask(params).withResponse(), params, ask, paging);
}
