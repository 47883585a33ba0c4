import * as z from 'zod/mini';
import type { Api } from './api.js';
import type { Endpoint, Params } from './endpoint.js';
import type { CallOptions } from './options.js';
import { ApiPromise, type ApiResult } from './promise.js';
import { checkOptions } from './request.js';
import * as s from './schema.js';

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
export interface FreshPage<Page, Item> {
  page: Page;
  fresh: Item[];
}

const collectOptionsSchema = s.params({ limit: z.optional(s.int(0)) });

/**
 * One page of a list when awaited, all of its items when iterated.
 * An item is yielded once, even if rows shift while pages are read; no page is asked for beyond the last; `break` stops.
 * A list that the service sends whole is iterated with one request.
 * @example
 * const firstPage = await client.posts.list({ status: 'error' });
 * for await (const post of client.posts.list({ status: 'error' })) console.log(post.id);
 * const newest = await client.posts.list().toArray({ limit: 200 });
 */
export class ListPromise<Page, Item> extends ApiPromise<Page> implements AsyncIterable<Item> {
  readonly #pages: () => AsyncIterable<FreshPage<Page, Item>>;
  readonly #operation: string;

  /** @internal */
  constructor(first: Promise<ApiResult<Page>>, pages: () => AsyncIterable<FreshPage<Page, Item>>, operation: string) {
    super(first);
    this.#operation = operation;
    this.#pages = () => {
      // An iteration reports what fails. Not in the constructor: with a second listener, V8 does not find the caller that
      // awaits the list, and the stack of an error would not show it.
      this.catch(() => {});
      return pages();
    };
  }

  /** All items, page after page. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return itemsOf(this.#pages());
  }

  /** The pages as the service sent them, starting at the requested one. Pages without new items are skipped. */
  pages(): AsyncGenerator<Page, void, undefined> {
    return pagesOf(this.#pages());
  }

  /** Collects all items, or the first `limit` of them. Requests no page beyond those that hold them. */
  async toArray(options: { limit?: number | undefined } = {}): Promise<Item[]> {
    checkOptions(collectOptionsSchema, options, { operation: this.#operation });
    const { limit = Number.POSITIVE_INFINITY } = options;
    const collected: Item[] = [];
    for await (const item of this) if (collected.push(item) >= limit) break;
    return collected.slice(0, limit);
  }
}

async function* itemsOf<Item>(pages: AsyncIterable<FreshPage<unknown, Item>>): AsyncGenerator<Item, void, undefined> {
  for await (const { fresh } of pages) yield* fresh;
}

async function* pagesOf<Page>(pages: AsyncIterable<FreshPage<Page, unknown>>): AsyncGenerator<Page, void, undefined> {
  for await (const { page } of pages) yield page;
}

/** The paging of an array that the service sends whole: one request. */
export function wholeList<Item>(id: (item: Item) => unknown): Paging<Item[], Item> {
  return { items: (page) => page, id, next: () => undefined };
}

async function* walk<Page, Item>(
  first: Promise<ApiResult<Page>>,
  firstParams: Params,
  ask: (params: Params) => Promise<ApiResult<Page>>,
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
    page = (await ask(params)).data;
  }
}

/** Sends the first page and knows how to go on. */
export function sendList<Page, Item>(
  api: Pick<Api, 'ask'>,
  endpoint: Endpoint,
  params: object | undefined,
  options: CallOptions | undefined,
  paging: Paging<Page, Item>,
): ListPromise<Page, Item> {
  const ask = (page: object | undefined) => api.ask<Page>(endpoint, page, options);
  // The caller may change the object before the next page is requested.
  const copy: Params = { ...params };
  const first = ask(params);
  return new ListPromise(first, () => walk(first, copy, ask, paging), endpoint.operation);
}
