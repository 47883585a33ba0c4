import { ConfigurationError, memoryStore } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { type ArticlesProxyOptions, articlesProxy } from '../../src/proxy/index.js';
import { LIST, Service } from './helpers.js';

const { articles } = new Service().client();

describe('options', () => {
  it.each([
    [undefined],
    [{}],
    [{ client: {} }],
    [{ client: articles }],
    [{ origin: ['https://a.example'] }],
    [{ origins: 'https://a.example' }],
    [{ origins: ['*'] }],
    [{ origins: ['null'] }],
    [{ origins: ['a.example'] }],
    [{ origins: ['https://a.example/path'] }],
    [{ origins: ['https://*.example'] }],
    [{ origins: ['file:///'] }],
    [{ origins: [1] }],
    [{ path: '/a?b' }],
    [{ path: '/a#b' }],
    [{ path: '//a.example' }],
    [{ path: '/a/../b' }],
    [{ path: '/a/%2e%2e/b' }],
    [{ path: 1 }],
    [{ store: {} }],
    [{ store: null }],
    [{ store: { ...memoryStore(), all: undefined } }],
    [{ store: { ...memoryStore(), saveState: undefined } }],
    [{ refresh: -1 }],
    [{ refresh: Number.NaN }],
    [{ refresh: '60' }],
    [{ maxStale: -1 }],
    [{ perDay: 0 }],
    [{ allowMassDeletion: 1 }],
    [{ cache: {} }],
    [{ budget: {} }],
    [{ timeout: 1 }],
    [{ visitor: () => undefined }],
    [{ confirm: true }],
    [{ confirm: { origins: '*' } }],
    [{ confirm: { origins: ['www.example.com'] } }],
    [{ onError: 'log' }],
  ])('%j is refused', (options) => {
    const known = options && !('client' in options) && Object.keys(options).length > 0;
    const given = known ? { client: { articles }, ...options } : options;
    expect(() => articlesProxy(given as unknown as ArticlesProxyOptions)).toThrow(ConfigurationError);
  });

  it.each([
    [{ origin: [] }, '`origin` is an unknown option. Did you mean `origins`?'],
    [{ client: {} }, '`client` must be a Client: new Client({ apiKey, baseUrl }); received an object.'],
    [{ path: '/a/../b' }, '`path` must be a path such as /content, without query, fragment, `//`, `.` or `..`.'],
    [{ origins: 'https://a.example' }, "`origins` must be '*' or a list of origins; received a string."],
    [
      { origins: ['https://a.example', 'a.example'] },
      '`origins[1]` must be an origin (scheme and host), such as https://www.example.com.',
    ],
    [{ confirm: true }, '`confirm` must be false or an object; received a boolean.'],
    [{ refresh: '1' }, '`refresh` must be a number, 0 or more; received a string.'],
    [{ perday: 1 }, '`perday` is an unknown option. Did you mean `perDay`?'],
    [{ store: {} }, '`store` must be a store with `all`, such as memoryStore(); received an object.'],
    [{ onError: 'log' }, '`onError` must be a function; received a string.'],
  ])('%j: the error says what is expected', (options, message) => {
    const given = { client: { articles }, ...options };
    expect(() => articlesProxy(given as unknown as ArticlesProxyOptions)).toThrow(
      new ConfigurationError(`articlesProxy: ${message}`),
    );
  });

  it('may be undefined', async () => {
    const visit = new Service().visit({ path: undefined, origins: undefined, store: undefined, confirm: undefined });
    expect((await visit(LIST)).headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=300');
  });

  it('are compatible with every runtime', () => {
    const proxy = articlesProxy({ client: { articles } });
    const worker: {
      fetch(request: Request, env: object, ctx: { waitUntil(work: Promise<unknown>): void }): Promise<Response>;
    } = { fetch: proxy };
    const deno: (request: Request, info: { remoteAddr: string }) => Response | Promise<Response> = proxy;
    const next: (request: Request, context: { params: Promise<{ path: string[] }> }) => Promise<Response> = proxy;
    const plain: (request: Request) => Promise<Response> = proxy;
    expect([worker.fetch, deno, next, plain]).toEqual([proxy, proxy, proxy, proxy]);
  });
});
