import type { Cached } from './cache.js';
import type { Settings } from './options.js';
import type { Refusal } from './refusal.js';

/** Builds the responses with their headers for caching and CORS. */
export class Responses {
  readonly #origins: ReadonlySet<string> | '*';
  readonly #cacheControl: string;

  constructor({ origins, cache }: Settings) {
    this.#origins = origins;
    this.#cacheControl = cache
      ? `public, max-age=${seconds(cache.maxAge)}, stale-while-revalidate=${seconds(cache.staleWhileRevalidate)}, stale-if-error=${seconds(cache.staleIfError)}`
      : 'no-store';
  }

  /** A 200 that every cache may store. */
  shared({ body, age }: Cached, request: Request): Response {
    return this.#json(200, body, request, { 'Cache-Control': this.#cacheControl, Age: String(seconds(age)) });
  }

  /** A 200 for this visitor only. */
  private({ body }: Cached, request: Request): Response {
    return this.#json(200, body, request, { 'Cache-Control': 'no-store' });
  }

  /** `{ detail }` with the status of the refusal. */
  refused({ status, detail, retryAfter, headers }: Refusal, request: Request): Response {
    return this.#json(status, JSON.stringify({ detail }), request, {
      'Cache-Control': 'no-store',
      ...headers,
      ...(retryAfter !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter / 1000))) }),
    });
  }

  /** A 204 that lists what pages of allowed origins may send. */
  preflight(methods: readonly string[], request: Request): Response {
    const cors = this.#cors(request);
    const permits = {
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'content-type',
      'Access-Control-Max-Age': '600',
    };
    const headers = { Allow: allowed(methods), ...cors, ...('Access-Control-Allow-Origin' in cors && permits) };
    return new Response(null, { status: 204, headers });
  }

  #json(status: number, body: string, request: Request, headers: Record<string, string>): Response {
    const own = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };
    return new Response(body, { status, headers: { ...own, ...headers, ...this.#cors(request) } });
  }

  #cors(request: Request): Record<string, string> {
    const origin = request.headers.get('origin');
    const exposed = { 'Access-Control-Expose-Headers': 'Age, Retry-After' };
    if (this.#origins === '*') return { 'Access-Control-Allow-Origin': '*', ...exposed };
    // The response depends on the origin even if the request has none: caches must not send it to another origin.
    const vary = { Vary: 'Origin' };
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
