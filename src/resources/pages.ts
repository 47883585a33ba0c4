import * as z from 'zod/mini';
import { type Api, ApiPromise, type ApiResult, type Trail } from '../core/api.js';
import type { Endpoint, Params } from '../core/endpoint.js';
import type { CallOptions } from '../core/options.js';
import { checkOptions } from '../core/request.js';
import { needed } from '../core/response.js';
import * as s from '../core/schema.js';

/** How to read the pages of a list. */
export interface Paging<Page, Item> {
  /** What an iteration needs from a page, with any `validation`. */
  needs: s.Schema;
  items(page: Page): readonly Item[];
  /** Recognises an item that has moved to another page. Absent for a list without pages. */
  id?(item: Item): unknown;
  /**
   * Returns the parameters of the next page. `undefined` if this page is known to be the last one.
   *
   * `before` is the page that was read before this one. A list with a total compares the two: if items have moved to
   * pages that were already read, it goes back. `before` is `undefined` for the first page, and if going back found
   * nothing new.
   */
  next(page: Page, params: Params, before: Page | undefined): Params | undefined;
  /** The position in the list that the parameters point to. Required for a list that goes back. */
  position?(params: Params): number;
}

/**
 * The iteration ends after this many pages in a row without new items. It does not end at the first one, because items
 * may have moved by a whole page.
 */
const STALE_PAGES = 2;

/** One page of a list, and its items that no earlier page contained. */
export interface FreshPage<Page, Item> {
  page: Page;
  fresh: Item[];
}

const collectOptionsSchema = s.params({ limit: z.optional(s.int(0)) });

/**
 * One page of a list if awaited, all items if iterated. An iteration yields no item twice, even if items move while the
 * pages are read. It requests no page after the last one, and `break` ends it. A list without pages costs one request.
 * @example
 * const firstPage = await client.posts.list({ status: 'error' });
 * for await (const post of client.posts.list({ status: 'error' })) console.log(post.id);
 * const newest = await client.posts.list().toArray({ limit: 200 });
 */
export class ListPromise<Page, Item> extends ApiPromise<Page> implements AsyncIterable<Item> {
  readonly #pages: () => AsyncIterable<FreshPage<Page, Item>>;
  readonly #operation: string;
  readonly #trail: Trail;

  /** @internal */
  constructor(
    first: Promise<ApiResult<Page>>,
    pages: () => AsyncIterable<FreshPage<Page, Item>>,
    operation: string,
    trail: Trail,
  ) {
    super(first);
    this.#operation = operation;
    this.#trail = trail;
    this.#pages = () => {
      // The iteration reports the failure of the first page, so this promise must not report it again. This is not in
      // the constructor: with a second handler, V8 does not find the caller that awaits the list, and the stack of an
      // error would not show it.
      this.catch(() => {});
      return pages();
    };
  }

  /** Iterates all items, page by page. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return each(this.#pages(), ({ fresh }) => fresh, this.#trail);
  }

  /**
   * Iterates the pages as the service returned them, starting at the requested one. Pages without new items are
   * skipped.
   */
  pages(): AsyncGenerator<Page, void, undefined> {
    return each(this.#pages(), ({ page }) => [page], this.#trail);
  }

  /** Collects all items, or the first `limit` items. Requests only the pages that contain them. */
  async toArray(options: { limit?: number | undefined } = {}): Promise<Item[]> {
    this.catch(() => {});
    checkOptions(collectOptionsSchema, options, { operation: this.#operation });
    const { limit = Number.POSITIVE_INFINITY } = options;
    const collected: Item[] = [];
    for await (const item of this) if (collected.push(item) >= limit) break;
    return collected.slice(0, limit);
  }
}

/** Iterates the items of each page. After a signal has aborted, the next step rejects, even if everything was read. */
export async function* each<Page, Item>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly Item[],
  { check, told }: Trail,
): AsyncGenerator<Item, void, undefined> {
  try {
    for await (const page of pages) {
      for (const item of itemsOf(page)) {
        check();
        yield item;
      }
    }
    check();
  } catch (error) {
    throw told(error);
  }
}

/** The paging of an array that the service returns as a whole, in one response. */
export function wholeList<Item>(): Paging<Item[], Item> {
  return { needs: s.list(s.anything), items: (page) => page, next: () => undefined };
}

async function* walk<Page, Item>(
  first: Promise<ApiResult<Page>>,
  firstParams: Params,
  ask: (params: Params) => Promise<ApiResult<Page>>,
  { needs, items, id, next, position }: Paging<Page, Item>,
): AsyncGenerator<FreshPage<Page, Item>, void, undefined> {
  const seen = new Set<unknown>();
  const isNew = (item: Item) => !id || seen.size < seen.add(id(item)).size;
  let params = firstParams;
  let page = needed(await first, needs);
  let before: Page | undefined;
  let furthest = -1;
  /** Number of pages in a row without new items. */
  let barren = 0;
  /** How many of these pages were read for the first time. */
  let stale = 0;
  for (;;) {
    const fresh = items(page).filter(isNew);
    if (fresh.length > 0 || !before) yield { page, fresh };
    const at = position?.(params) ?? furthest + 1;
    const isFirstTime = at > furthest;
    furthest = Math.max(furthest, at);
    [barren, stale] = fresh.length > 0 ? [0, 0] : [barren + 1, stale + Number(isFirstTime)];
    // A total that goes up and down must not make the iteration go back again and again.
    const following = next(page, params, barren < STALE_PAGES ? before : undefined);
    if (!following) return;
    const goesBack = position !== undefined && position(following) <= at;
    // A service that repeats a page could repeat it forever.
    if (before && isFirstTime && !goesBack && (items(page).length === 0 || stale === STALE_PAGES)) return;
    before = page;
    params = following;
    page = needed(await ask(params), needs);
  }
}

/** Requests the first page. The returned promise requests the others. */
export function sendList<Page, Item>(
  api: Pick<Api, 'ask' | 'sent' | 'trail'>,
  endpoint: Endpoint,
  params: object | undefined,
  options: CallOptions | undefined,
  paging: Paging<Page, Item>,
): ListPromise<Page, Item> {
  // The caller may change the objects before the next page is requested.
  const [copy, own]: [Params, CallOptions] = [{ ...params }, { ...options }];
  const start = api.sent(endpoint, copy, own);
  const first = api.ask<Page>(endpoint, params, options);
  // `extra` may have placed the first page, and nothing wins over it.
  const ask = (page: Params) => api.ask<Page>(endpoint, copy, { ...own, extra: page });
  return new ListPromise(first, () => walk(first, start, ask, paging), endpoint.operation, api.trail(own));
}
