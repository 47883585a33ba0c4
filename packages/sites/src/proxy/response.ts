import * as mark from 'multilocal/internal/page-mark';
import { hash } from 'multilocal/internal/text';
import type { Catalogue } from './catalogue.js';
import type { Reading } from './copy.js';
import type { Settings } from './options.js';
import type { Refusal } from './refusal.js';

const NO_STORE = { 'Cache-Control': 'no-store' };
/** Number of addresses whose tag is kept. Visitors can invent any number of them. */
const MOST_TAGS = 1_000;

/** Builds the responses with their headers for caching and CORS. */
export class Responses {
  readonly #origins: ReadonlySet<string> | '*';
  readonly #cacheControl: string;
  /** The tag of each address, for each copy. */
  readonly #tags = new WeakMap<Catalogue, Map<string, string>>();

  constructor({ origins, refresh }: Settings) {
    this.#origins = origins;
    // Caches subtract `Age`, so none shows an article that a run twice `refresh` ago has read.
    this.#cacheControl = `public, max-age=${seconds(refresh)}, stale-while-revalidate=${seconds(refresh)}`;
  }

  /** A 200 that every cache may store, or a 304. A copy without articles may come from a wrong key. */
  async shared(content: () => object, { articles, age }: Reading, request: Request): Promise<Response> {
    if (articles.size === 0) return this.#json(200, JSON.stringify(content()), request, NO_STORE);
    const tags = this.#tags.get(articles) ?? new Map<string, string>();
    this.#tags.set(articles, tags);
    let body: string | undefined;
    let etag = tags.get(request.url);
    if (!etag) {
      body = JSON.stringify(content());
      etag = `"${(await hash(body)).slice(0, 32)}"`;
      if (tags.size < MOST_TAGS) tags.set(request.url, etag);
    }
    const headers = { 'Cache-Control': this.#cacheControl, Age: String(seconds(age)), ETag: etag };
    const known = request.headers.get('if-none-match')?.split(',') ?? [];
    const isKnown = known.some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
    return isKnown
      ? new Response(null, { status: 304, headers: { ...headers, ...this.#common(request) } })
      : this.#json(200, body ?? JSON.stringify(content()), request, headers);
  }

  /** A 200 for this visitor only. */
  private(body: string, request: Request): Response {
    return this.#json(200, body, request, NO_STORE);
  }

  /** `{ detail }` with the status of the refusal. */
  refused({ status, detail, retryAfter, headers }: Refusal, request: Request): Response {
    return this.#json(status, JSON.stringify({ detail }), request, {
      ...NO_STORE,
      ...headers,
      ...(retryAfter !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter / 1000))) }),
    });
  }

  /** A 204 that lists what pages of allowed origins may send. */
  preflight(methods: readonly string[], request: Request): Response {
    const common = this.#common(request);
    const permits = {
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'content-type',
      'Access-Control-Max-Age': '600',
    };
    const headers = { Allow: allowed(methods), ...common, ...('Access-Control-Allow-Origin' in common && permits) };
    return new Response(null, { status: 204, headers });
  }

  #json(status: number, body: string, request: Request, headers: Record<string, string>): Response {
    const own = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };
    return new Response(mark.BODY_MARK + body, {
      status,
      headers: { ...own, ...headers, ...this.#common(request) },
    });
  }

  /** The headers of every response. */
  #common(request: Request): Record<string, string> {
    const origin = request.headers.get('origin');
    const own = { [mark.PROXY_MARK]: '1' };
    const exposed = { 'Access-Control-Expose-Headers': `Age, ETag, Retry-After, ${mark.PROXY_MARK}` };
    if (this.#origins === '*') return { ...own, 'Access-Control-Allow-Origin': '*', ...exposed };
    // The response depends on the origin even if the request has none: caches must not send it to another origin.
    const vary = { ...own, Vary: 'Origin' };
    return origin !== null && this.#origins.has(origin)
      ? { 'Access-Control-Allow-Origin': origin, ...exposed, ...vary }
      : vary;
  }
}

/** The value of `Allow`. */
export function allowed(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ');
}

function seconds(ms: number): number {
  return Math.min(Math.floor(ms / 1000), 2 ** 31);
}
