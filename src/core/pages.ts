import { ApiPromise, type ApiResult } from './api-promise.js';
import type { Endpoint, Params } from './endpoint.js';
import type { Send } from './send.js';
import type { CallOptions } from './session.js';

/** How the pages of one list hang together. */
export interface Paging<Page, Item> {
  items(page: Page): readonly Item[];
  id(item: Item): unknown;
  /** The parameters of the next page; `undefined` when this one is the last that can be known of. */
  next(page: Page, params: Params): Params | undefined;
}

/**
 * One page of a list when awaited, all of its items when iterated.
 * An item is yielded once, even if rows shift while pages are read; no page is asked for beyond the last; `break` stops.
 * @example
 * const firstPage = await client.posts.list({ status: 'error' });
 * for await (const post of client.posts.list({ status: 'error' })) console.log(post.id);
 */
export class ListPromise<Page, Item> extends ApiPromise<Page> implements AsyncIterable<Item> {
  readonly #first: Promise<ApiResult<Page>>;
  readonly #params: Params;
  readonly #ask: (params: Params) => Promise<Page>;
  readonly #paging: Paging<Page, Item>;

  /** @internal */
  constructor(
    first: Promise<ApiResult<Page>>,
    params: Params,
    ask: (params: Params) => Promise<Page>,
    paging: Paging<Page, Item>,
  ) {
    super(first);
    this.#first = first;
    this.#params = params;
    this.#ask = ask;
    this.#paging = paging;
    // Whoever iterates hears of a failure there; the promise itself is then never looked at.
    this.catch(() => {});
  }

  /** All items, page after page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { items, id } = this.#paging;
    const seen = new Set<unknown>();
    for await (const page of this.pages()) {
      for (const item of items(page)) {
        if (seen.has(id(item))) continue;
        seen.add(id(item));
        yield item;
      }
    }
  }

  /** The pages as the service sent them, from the one that was asked for. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const { items, id, next } = this.#paging;
    const seen = new Set<string>();
    const isRepeated = (page: Page) => seen.size === seen.add(JSON.stringify(items(page).map(id))).size;
    let page = (await this.#first).data;
    let params: Params | undefined = this.#params;
    for (;;) {
      yield page;
      params = next(page, params);
      if (!params) return;
      isRepeated(page);
      page = await this.#ask(params);
      // A service that gives a page again would do so for ever.
      if (items(page).length === 0 || isRepeated(page)) return;
    }
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
