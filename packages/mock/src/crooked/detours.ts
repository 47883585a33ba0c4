import { ok, type Reply } from '../engine/http.js';
import type { Exchange } from '../engine/router.js';
import { namedArticle } from '../resources/articles/article.js';

export type Handle = (exchange: Exchange) => Reply;

/** Stands before a handler: it may change the request, or call the handler more than once. */
export type Detour = (exchange: Exchange, handle: Handle) => Reply;

/** The exchange with other parameters in its query. `undefined` removes a parameter. */
function asking(exchange: Exchange, changes: Readonly<Record<string, string | undefined>>): Exchange {
  const query = new URLSearchParams(exchange.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return { ...exchange, query };
}

/** Gives a parameter another default. */
export const byDefault =
  (name: string, value: string): Detour =>
  (exchange, handle) =>
    handle(exchange.query.has(name) ? exchange : asking(exchange, { [name]: value }));

export const ignoreOffset: Detour = (exchange, handle) => handle(asking(exchange, { offset: undefined }));

export const ignoreDryRun: Detour = (exchange, handle) =>
  handle({ ...exchange, body: { ...exchange.body, dry_run: false } });

/** A read of an article that counts as a change. */
export const touchArticle: Detour = (exchange, handle) => {
  namedArticle(exchange).updated_at = exchange.service.clock.stamp();
  return handle(exchange);
};

/** The largest page of a list. */
const LARGEST = 100;

/** Reverses a list before it is cut into pages. `limit` is its default. A list without `offset` ends after one large page. */
export const oldestFirst =
  (limit: number, hasOffset: boolean): Detour =>
  (exchange, handle) => {
    // Refuses a wrong query before it is replaced.
    handle(exchange);
    const all: unknown[] = [];
    let page: readonly unknown[];
    do {
      page = handle(asking(exchange, { limit: `${LARGEST}`, offset: `${all.length}` })).body as readonly unknown[];
      all.push(...page);
    } while (hasOffset && page.length === LARGEST);
    const asked = Object.fromEntries(exchange.query);
    const start = hasOffset ? Number(asked.offset ?? 0) : 0;
    return ok(all.reverse().slice(start, start + Number(asked.limit ?? limit)));
  };
