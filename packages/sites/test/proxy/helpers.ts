import { Client, type ClientOptions } from '@multilocal/client/client';
import type { Article } from '@multilocal/client/resources/articles-reads-schema';
import { beforeEach, vi } from 'vitest';
import { type ArticlesProxyOptions, articlesProxy } from '../../src/proxy/index.js';

export const KEY = 'ml_live_proxy-test-key-9f3a77c1';
export const SECRET = 'SECRET-OF-ANOTHER-ROUTE';
export const PROXY = 'https://www.example.com';
const SERVICE = 'https://api.example.test/tenant';

export function article(id: number, fields: Partial<Article> = {}): Article {
  const minute = String(id % 60).padStart(2, '0');
  return {
    id,
    title: `Article ${id}`,
    content_html: `<p>${id}</p>`,
    status: 'published',
    published_at: `2026-01-01T00:${minute}:00Z`,
    created_at: '2025-12-31T00:00:00Z',
    updated_at: `2026-02-01T00:${minute}:00.000000+00:00`,
    slug: `article-${id}`,
    bulle_id: 'b-lyon',
    ...fields,
  };
}

type Reply = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** The service as an attacker would like it: it shows drafts unless told otherwise, and responds on every other route. */
export class Service {
  articles: Article[] = [article(1), article(2), article(3), article(4, { status: 'draft', title: 'DRAFT-TEXT' })];
  pageSize = 50;
  /** Shows drafts whatever `status` says. */
  leaky = false;
  /** Lists come without the texts. */
  lean = false;
  /** What came in: `GET /articles?…`, as it follows `/api/v2`. */
  asked: string[] = [];
  requests: Request[] = [];
  bodies: unknown[] = [];
  /** Its response is sent instead, if it returns one. */
  reply: Reply | undefined;

  fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    this.requests.push(request);
    this.asked.push(`${request.method} ${url.pathname.replace('/tenant/api/v2', '')}${url.search}`);
    if (request.method === 'POST') this.bodies.push(await request.clone().json());
    const instead = await this.reply?.(request);
    if (instead) return instead;
    if (request.headers.get('x-api-key') !== KEY) return json(401, { detail: 'Clé API invalide.' });
    return this.#route(request.method, url.pathname.replace('/tenant/api/v2', ''), url.searchParams);
  };

  client(options: ClientOptions = {}): Client {
    return new Client({ apiKey: KEY, baseUrl: SERVICE, fetch: this.fetch, rateLimit: false, ...options });
  }

  /** A visitor's `fetch` to a proxy before this service: a path, or a path with what a request takes. */
  visit(options: Partial<ArticlesProxyOptions> = {}) {
    const proxy = articlesProxy({ client: this.client(), ...options });
    return (path: string, init: RequestInit = {}) => proxy(new Request(`${PROXY}${path}`, init));
  }

  #route(method: string, path: string, query: URLSearchParams): Response {
    const id = Number(/^\/articles\/(\d+)/.exec(path)?.[1]);
    const found = this.articles.find((one) => one.id === id);
    if (method === 'GET' && path === '/articles') return json(200, this.#list(query));
    if (method === 'GET' && path === `/articles/${id}`) {
      return found ? json(200, found) : json(404, { detail: `Article introuvable : ${id}` });
    }
    if (method === 'POST' && path === `/articles/${id}/confirm`) {
      if (!found) return json(404, { detail: 'Article introuvable' });
      const confirmed_at = new Date().toISOString();
      return json(200, { article_id: id, confirmed_at, confirmation_source: 'pingback', internal: SECRET });
    }
    return json(200, { secret: SECRET });
  }

  #list(query: URLSearchParams) {
    const since = query.get('updated_since');
    const status = query.get('status') ?? 'all';
    const offset = Number(query.get('offset') ?? 0);
    const matching = this.articles
      .filter((one) => this.leaky || status === 'all' || one.status === status)
      .filter((one) => !query.has('bulle_id') || one.bulle_id === query.get('bulle_id'))
      .filter((one) => since === null || one.updated_at > since)
      .sort((a, b) => (since === null ? b.id - a.id : a.updated_at < b.updated_at ? -1 : 1));
    const page = matching.slice(offset, offset + this.pageSize);
    return {
      articles: this.lean ? page.map(({ content_html: _, ...rest }) => rest) : page,
      total: matching.length,
      limit: this.pageSize,
      offset,
      internal: SECRET,
    };
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

export const LIST = '/api/v2/articles';

export async function ids(response: Response): Promise<number[]> {
  const { articles } = (await response.json()) as { articles: Article[] };
  return articles.map(({ id }) => id);
}

/** A confirmation as a visitor sends it. */
export function confirmation(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** A promise to be kept later. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Runs each test of the file on virtual time. */
export function useVirtualTime(): void {
  beforeEach(() => void vi.useFakeTimers());
}
