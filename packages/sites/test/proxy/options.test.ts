import { ConfigurationError, memoryStore } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { type ArticlesProxyOptions, articlesProxy } from '../../src/proxy/index.js';
import { REFRESH } from '../../src/proxy/options.js';
import { LIST, Service } from './helpers.js';

const { articles } = new Service().client();

const AN_ORIGIN = 'must be an origin (scheme and host), such as https://www.example.com.';
const A_PATH = '`path` must be a path such as /content, without query, fragment, `//`, `.` or `..`.';
const A_CLIENT = '`client` must be a Client: new Client({ apiKey, baseUrl }); received an object.';
const A_STORE = '`store` must be a store with `all`, such as memoryStore(); received an object.';
const unknown = (name: string) => `\`${name}\` is an unknown option.`;

describe('options', () => {
  it.each<[string, string, ...object[]]>([
    ['misspelt names', `${unknown('origin')} Did you mean \`origins\`?`, { origin: [] }],
    ['other spelling', `${unknown('perday')} Did you mean \`perDay\`?`, { perday: 1 }],
    ['other names', unknown('budget'), { budget: {} }],
    ['no client', A_CLIENT, { client: {} }, { client: articles }],
    [
      'no list of origins',
      "`origins` must be '*' or a list of origins; received a string.",
      { origins: 'https://a.test' },
    ],
    ['no origin: a wildcard', `\`origins[0]\` ${AN_ORIGIN}`, { origins: ['*'] }, { origins: ['https://*.example'] }],
    ['no origin: null', `\`origins[0]\` ${AN_ORIGIN}`, { origins: ['null'] }, { origins: ['file:///'] }],
    ['no origin: a page', `\`origins[0]\` ${AN_ORIGIN}`, { origins: ['https://a.example/path'] }],
    ['no origin: a host', `\`origins[1]\` ${AN_ORIGIN}`, { origins: ['https://a.example', 'a.example'] }],
    ['no origin to confirm', `\`confirm.origins[0]\` ${AN_ORIGIN}`, { confirm: { origins: ['www.example.com'] } }],
    ['a switch', '`confirm` must be false or an object; received a boolean.', { confirm: true }],
    ['path: a query or fragment', A_PATH, { path: '/a?b' }, { path: '/a#b' }],
    ['path: a host', A_PATH, { path: '//a.example' }],
    ['path: dots', A_PATH, { path: '/a/../b' }, { path: '/a/%2e%2e/b' }],
    ['a store that cannot be read', A_STORE, { store: {} }, { store: { ...memoryStore(), all: undefined } }],
    ['a store with half a state', A_STORE, { store: { ...memoryStore(), saveState: undefined } }],
    ['a time as a text', '`refresh` must be a number, 0 or more; received a string.', { refresh: '60' }],
    ['no time', '`refresh` must be a number, 0 or more.', { refresh: -1 }],
    ['no number', '`refresh` must be a number, 0 or more; received NaN.', { refresh: Number.NaN }],
    ['no age', '`maxStale` must be a number, 0 or more.', { maxStale: -1 }],
    ['no budget', '`perDay` must be a number, 1 or more.', { perDay: 0 }],
    ['a number as a switch', '`allowMassDeletion` must be a boolean; received a number.', { allowMassDeletion: 1 }],
    ['no function', '`onError` must be a function; received a string.', { onError: 'log' }],
  ])('are refused: %s', (_, message, ...given) => {
    for (const wrong of given) {
      const options = { client: { articles }, ...wrong } as ArticlesProxyOptions;
      expect(() => articlesProxy(options)).toThrow(new ConfigurationError(`articlesProxy: ${message}`));
    }
  });

  it('may be undefined', async () => {
    const visit = new Service().visit({ path: undefined, origins: undefined, store: undefined, confirm: undefined });
    const s = REFRESH / 1_000;
    expect((await visit(LIST)).headers.get('cache-control')).toBe(`public, max-age=${s}, stale-while-revalidate=${s}`);
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
