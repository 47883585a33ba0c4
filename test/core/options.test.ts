import { afterEach, describe, expect, it, vi } from 'vitest';
import { ArticlesClient, type ArticlesClientOptions } from '../../src/articles.js';
import {
  Client,
  type ClientOptions,
  ConfigurationError,
  InvalidRequestError,
  type RequestOptions,
} from '../../src/index.js';
import { caught, freshUrl, makeArticles, makeClient, makePage, rejection, thrown } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY, KEY, SPHERE_IDENTITY, UPDATE } from '../support/fixtures.js';
import { expectNoKey } from '../support/render.js';
import { json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';

afterEach(() => void vi.unstubAllEnvs());

const baseUrl = 'https://options.test';
const refused = (options: object): ConfigurationError => {
  const error = thrown(() => new Client({ apiKey: KEY, baseUrl, ...options } as ClientOptions), ConfigurationError);
  expect(error).toMatchObject({ name: 'ConfigurationError', code: 'configuration', outcome: 'not_applied' });
  expectNoKey(error, KEY);
  return error;
};

describe('the key', () => {
  it.each([
    ...[undefined, '', ' \n\t ', 42, null, 'acme_live_a\nb', 'acme_live_a\rb', 'acme_live_🔑', 'acme_live_a—b'],
  ])('%j is refused', (apiKey) => {
    vi.stubEnv('MULTILOCAL_API_KEY', '');
    const error = refused({ apiKey });
    expect(error.message).toMatch(/apiKey/);
    if (typeof apiKey === 'string' && apiKey.trim()) expectNoKey(error, apiKey);
  });

  it('comes from the environment like the address, and those of the options take precedence', async () => {
    vi.stubEnv('MULTILOCAL_API_KEY', 'env_live_key\n');
    vi.stubEnv('MULTILOCAL_BASE_URL', 'https://env.test/tenant/');
    const fetch = stubFetch(json(ARTICLE));
    await new Client({ fetch }).articles.get(42);
    await new Client({ fetch, apiKey: KEY, baseUrl }).articles.get(42);
    expect(fetch.calls.map(({ url, headers }) => [url.href, headers['x-api-key']])).toEqual([
      ['https://env.test/tenant/api/v2/articles/42', 'env_live_key'],
      ['https://options.test/api/v2/articles/42', KEY],
    ]);
  });

  it('works where there is no process', async () => {
    const fetch = stubFetch(json(ARTICLE));
    const { process } = globalThis;
    Object.defineProperty(globalThis, 'process', { value: undefined, configurable: true, writable: true });
    try {
      const client = new Client({ apiKey: KEY, baseUrl, fetch });
      expect(client.identity).toBeUndefined();
      thrown(() => new Client({ baseUrl }), ConfigurationError);
    } finally {
      Object.defineProperty(globalThis, 'process', { value: process, configurable: true, writable: true });
    }
  });
});

describe('the address', () => {
  it('may contain any letters, for any number of clients', () => {
    // Enough for V8 to optimise the check.
    for (let n = 0; n < 6_000; n++) new Client({ apiKey: KEY, baseUrl: 'https://été.example' });
  });

  it.each([
    ...['', 'api.test', '/api/v2', '//api.test', 'http://api.test', 'http://127.0.0.1.evil.test', 'https://'],
    ...['http://localhost.evil.test', 'http://notlocalhost', 'http://evil127.0.0.1.test', 'http://192.168.1.10'],
    ...['http://0.0.0.0:3000', 'http://[2001:db8::1]', 'httpx://api.test', 'shttp://api.test'],
    ...['ftp://api.test', 'file:///etc/passwd', 'javascript:alert(1)', 'https://user:pass@api.test'],
    ...['https://api.test?x=1', 'https://api.test/#x', null, 42, {}],
  ])('%j is refused', (address) => {
    refused({ baseUrl: address });
    thrown(() => new ArticlesClient({ apiKey: KEY, baseUrl: address as string }), ConfigurationError);
  });

  it.each([
    ...['http://localhost', 'http://localhost:3000/', 'http://api.localhost', 'http://127.0.0.1:3000'],
    ...['http://127.9.9.9', 'http://127.100.20.255:80', 'http://[::1]:3000', 'https://api.test'],
    ...['https://192.168.1.10', 'HTTPS://API.test'],
  ])('%s is accepted', (address) => {
    expect(new Client({ apiKey: KEY, baseUrl: address })).toBeInstanceOf(Client);
  });

  const BEGIN = 'must be an address that begins with https:// (or http:// for this machine).';
  it.each<[string, string]>([
    ['', 'is empty. Is the environment variable set?'],
    ['   ', 'is empty. Is the environment variable set?'],
    ...['"https://api.test"', " 'https://api.test' ", '\t`https://api.test`\n'].map((address): [string, string] => [
      address,
      'is wrapped in quotes. Remove them, for example in the .env file.',
    ]),
    ['api.test', BEGIN],
    ['localhost:3000', BEGIN],
    ['ftp://api.test', BEGIN],
    ['/content', `${BEGIN} A relative address works only in a page.`],
    [
      'http://api.test',
      'must begin with https://, because http:// sends the key unencrypted. Set `allowHttp: true` to allow http:// on a trusted network.',
    ],
    ['https://user:pass@api.test', 'must be the address of the service, without credentials, query or fragment.'],
  ])('%j: the message names the reason', (address, problem) => {
    const error = thrown(() => new ArticlesClient({ apiKey: KEY, baseUrl: address }), ConfigurationError);
    expect(error.message).toBe(`Invalid \`Client\` options. \`baseUrl\` ${problem}`);
  });

  it('a wrong address and a wrong option are reported together', () => {
    expect(refused({ baseUrl: 'x', maxRetry: 0 }).message).toMatch(
      /^Invalid `Client` options\. `maxRetry` is .+ `baseUrl` must be /,
    );
  });
});

describe('http', () => {
  it.each(['http://mock:4010', 'http://192.168.1.10:4010/tenant', 'http://[2001:db8::1]:4010', 'http://0.0.0.0'])(
    '%s is accepted with allowHttp, and by a client without a key',
    (address) => {
      expect(new Client({ apiKey: KEY, baseUrl: address, allowHttp: true })).toBeInstanceOf(Client);
      expect(new ArticlesClient({ apiKey: KEY, baseUrl: address, allowHttp: true })).toBeInstanceOf(ArticlesClient);
      expect(new ArticlesClient({ baseUrl: address })).toBeInstanceOf(ArticlesClient);
    },
  );

  it('allowHttp sends the key over http, and allows nothing else', async () => {
    const fetch = stubFetch(json(ARTICLE));
    await makeClient({ fetch, baseUrl: 'http://mock:4010', allowHttp: true }).articles.get(42);
    expect(fetch.calls[0]).toMatchObject({ url: { host: 'mock:4010' }, headers: { 'x-api-key': KEY } });
    for (const address of ['ftp://api.test', 'http://user:pass@api.test', 'http://api.test?x=1', 'api.test']) {
      refused({ baseUrl: address, allowHttp: true });
    }
  });
});

describe('a relative address', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const sentTo = async (address: string, options: object = {}) => {
    const fetch = stubFetch(json(ARTICLE));
    await new ArticlesClient({ baseUrl: address, fetch, ...options }).get(42);
    return fetch.calls[0]?.url.href;
  };

  it.each([
    ['/content', 'https://shop.test/content/api/v2/articles/42'],
    ['/', 'https://shop.test/api/v2/articles/42'],
    ['./content/', 'https://shop.test/blog/content/api/v2/articles/42'],
    ['../content', 'https://shop.test/content/api/v2/articles/42'],
    ['/content/api/v2', 'https://shop.test/content/api/v2/articles/42'],
  ])('%s stands for %s in a page', async (address, expected) => {
    vi.stubGlobal('document', { baseURI: 'https://shop.test/blog/index.html?page=2#top' });
    expect(await sentTo(address)).toBe(expected);
    expect(await sentTo(address, { apiKey: KEY })).toBe(expected);
  });

  it('is resolved against the location of a worker', async () => {
    vi.stubGlobal('location', { href: 'https://shop.test/assets/worker.js' });
    expect(await sentTo('/content')).toBe('https://shop.test/content/api/v2/articles/42');
  });

  it('needs https or allowHttp for the key, like any other address', async () => {
    vi.stubGlobal('document', { baseURI: 'http://shop.test/' });
    const create = () => new ArticlesClient({ apiKey: KEY, baseUrl: '/content' });
    expect(thrown(create, ConfigurationError).message).toContain('`allowHttp: true`');
    for (const options of [{ apiKey: KEY, allowHttp: true }, {}]) {
      expect(await sentTo('/content', options)).toMatch(/^http:\/\/shop\.test\/content\//);
    }
  });

  it.each([
    ...['', 'content', 'api.test', '//api.test', '/\\api.test', '/\t/api.test', '/content?x=1', '/content#x'].map(
      (address) => [address, 'https://shop.test/'],
    ),
    ...['file:///srv/index.html', 'about:blank', 'blob:https://shop.test/0b7e'].map((page) => ['/content', page]),
  ])('%j is refused in a page at %s', (address, baseURI) => {
    vi.stubGlobal('document', { baseURI });
    thrown(() => new ArticlesClient({ baseUrl: address as string }), ConfigurationError);
  });
});

const NAMES = [
  ...['timeout', 'totalTimeout', 'maxRetries', 'rateLimit', 'validation', 'fetchOptions', 'headers', 'onEvent'],
  ...['identity', 'preflight'],
];

describe('invalid options', () => {
  it.each<object>([
    ...[0, -1, Number.NaN, '30'].map((timeout) => ({ timeout })),
    ...[0, '30'].map((totalTimeout) => ({ totalTimeout })),
    ...[-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '2'].map((maxRetries) => ({ maxRetries })),
    { validation: 'strict' },
    ...[true, null, 60, { perMinute: 0 }, { perDay: Number.NaN }, { perMinute: '60' }, { maxWait: -1 }].map(
      (rateLimit) => ({ rateLimit }),
    ),
    ...[{ 'x-a': 'b\r\nx-evil: 1' }, { 'x a': 'b' }, { '': 'b' }, { 'x-a': '…' }, { 'x-a': 1 }, 'x-a: b'].map(
      (headers) => ({ headers }),
    ),
    // Nobody would see its fields.
    { headers: new Headers({ 'x-a': 'b' }) },
    { identity: { bulle: 7 } },
    { identity: { ...SPHERE_IDENTITY, sphere: undefined } },
    ...[{ fetch: 'fetch' }, { onEvent: 'log' }, { fetchOptions: 'no-store' }, { allowHttp: 'yes' }],
    ...['x', {}, new AbortController(), { aborted: true }, { aborted: true, addEventListener() {} }].map((signal) => ({
      signal,
    })),
    ...[
      { aborted: true, throwIfAborted() {} },
      { aborted: 'no', addEventListener() {}, throwIfAborted() {} },
    ].map((signal) => ({ signal })),
    ...['dry_run=0', [1]].map((extra) => ({ extra })),
  ])('%o: the error names the option: of a client, of `withOptions` and of a call', async (options) => {
    const [name = ''] = Object.keys(options);
    const isOfCall = /^(timeout|totalTimeout|maxRetries|validation|headers|fetchOptions|signal|extra)$/.test(name);
    if (!/signal|extra/.test(name)) expect(refused(options).message).toContain(`\`${name}`);
    const fetch = stubFetch(json(ARTICLE));
    const client = makeClient({ fetch });
    if (!isOfCall) return;
    expect(thrown(() => client.withOptions(options), ConfigurationError).message).toContain(`\`${name}`);
    for (const call of [client.articles.get(42, options), client.articles.waitUntilWritten(42, options)]) {
      const error = await caught(call, InvalidRequestError);
      expect(error).toMatchObject({
        attempts: 0,
        outcome: 'not_applied',
        message: expect.stringContaining(`\`${name}`),
      });
    }
    expect(fetch.calls).toHaveLength(0);
  });

  it.each([
    [{ maxRetry: 0 }, '`maxRetry` is an unknown option. Did you mean `maxRetries`?'],
    [{ retries: 0 }, '`retries` is an unknown option. Did you mean `maxRetries`?'],
    [{ rateLimit: { perMin: 5 } }, '`rateLimit.perMin` is an unknown option. Did you mean `perMinute`?'],
    [{ totalTimeOut: 5 }, '`totalTimeOut` is an unknown option. Did you mean `totalTimeout`?'],
    ...['agent', 'httpAgent', 'httpsAgent', 'dispatcher', 'proxy'].map((name) => [
      { [name]: {} },
      'is an unknown option. Pass a `dispatcher` in `fetchOptions`, or a `fetch` of your own.',
    ]),
  ] as [object, string][])('%j: an unknown option is named', (options, message) => {
    expect(refused(options).message).toContain(message);
    if (!('rateLimit' in options)) {
      expect(thrown(() => makePage(options), ConfigurationError).message).toContain('is an unknown option.');
    }
  });

  it('a parameter among the options of a call is refused', async () => {
    const fetch = stubFetch(json(ARTICLE));
    const client = makeClient({ fetch });
    const scan = await caught(client.seo.scan({}, { bulle_id: 'b-1' } as object), InvalidRequestError);
    expect(scan.issues).toEqual([{ path: ['bulle_id'], message: expect.stringContaining('unknown option') }]);
    const error = await caught(client.articles.get(42, { timeOut: 5 } as object), InvalidRequestError);
    expect(error.message).toContain('articles.get: `timeOut` is an unknown option. Did you mean `timeout`?');
    expect(fetch.calls).toHaveLength(0);
  });

  it.each<[string, object]>([
    ['all of them undefined', Object.fromEntries(NAMES.map((name) => [name, undefined]))],
    ['no limits', { rateLimit: { perMinute: Infinity, perDay: Infinity, maxWait: Infinity } }],
    ['a limiter of the caller, whatever else it holds', { rateLimit: { acquire: async () => {}, redis: {} } }],
    ['an identity with fields of a later version', { identity: { ...SPHERE_IDENTITY, plan: 'pro' } }],
  ])('valid options are accepted: %s', async (_, options) => {
    expect(await makeArticles({ fetch: stubFetch(json(ARTICLE)), ...options }).get(42)).toEqual(ARTICLE);
    expect(makeClient({ fetch: undefined } as object)).toBeInstanceOf(Client);
  });
});

describe('options that are not an object', () => {
  it.each([null, 'x', 42])('%j: of the client', async (options) => {
    vi.stubEnv('MULTILOCAL_API_KEY', '');
    vi.stubEnv('MULTILOCAL_BASE_URL', '');
    thrown(() => new Client(options as never), ConfigurationError);
    expect(await rejection(Client.connect(options as never))).toMatchObject({ code: 'configuration' });
    thrown(() => new ArticlesClient(options as never), ConfigurationError);
  });

  it('nothing at all: of ArticlesClient', () => {
    thrown(() => new (ArticlesClient as unknown as new () => ArticlesClient)(), ConfigurationError);
  });

  it('a signal of another realm or library is accepted, and null means no signal', async () => {
    const { signal } = new AbortController();
    const [addEventListener, removeEventListener] = [signal.addEventListener, signal.removeEventListener];
    const methods = {
      addEventListener: addEventListener.bind(signal),
      removeEventListener: removeEventListener.bind(signal),
    };
    const foreign = { aborted: false, reason: undefined, throwIfAborted() {}, ...methods };
    for (const given of [foreign, null]) {
      const client = makeClient({ fetch: stubFetch(json(ARTICLE)) });
      expect(await client.articles.get(42, { signal: given as never })).toEqual(ARTICLE);
    }
  });
});

describe('a runtime without a global that every call needs', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('is named at construction', () => {
    vi.stubGlobal('Request', undefined);
    expect(refused({}).message).toContain('`Request`');
    expect(refused({}).message).toContain('For tests in jsdom, use the test environment `node`.');
    vi.unstubAllGlobals();
    vi.stubGlobal('AbortSignal', class {});
    expect(refused({}).message).toContain('`AbortSignal.any`');
    vi.stubGlobal('AbortSignal', undefined);
    refused({});
  });
});

describe('a browser page', () => {
  it('refuses the full client without dangerouslyAllowBrowser, and accepts ArticlesClient', async () => {
    vi.stubGlobal('window', { document: {} });
    try {
      expect(refused({}).message).toContain('For tests in jsdom, use the test environment `node`.');
      expect(makeClient({ dangerouslyAllowBrowser: true })).toBeInstanceOf(Client);
      expect(makePage()).toBeInstanceOf(ArticlesClient);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('the headers option', () => {
  const headersOf = async (client: RequestOptions['headers'], call: RequestOptions['headers'], write = false) => {
    const fetch = stubFetch(json(write ? UPDATE : ARTICLE));
    const api = makeArticles({ fetch, ...(client && { headers: client }) });
    const options = call && { headers: call };
    await (write ? api.update(42, { title: 'abc' }, options) : api.get(42, options));
    const { 'user-agent': _, ...headers } = fetch.calls[0]?.headers ?? {};
    return headers;
  };

  const JSON_TYPE = { 'content-type': 'application/json' };
  const inherited = Object.assign(Object.create({ 'X-API-Key': 'other', 'x-b': 'c' }), { 'x-a': 'b' });
  const plain = { 'content-type': 'text/plain' };
  it.each<[string, RequestOptions['headers'], RequestOptions['headers'], sent: object, write?: boolean]>([
    [
      'those of the call win',
      { 'x-a': '1', 'x-b': '1' },
      { 'X-A': '2', 'x-c': '2' },
      { 'x-a': '2', 'x-b': '1', 'x-c': '2' },
    ],
    ['inherited ones are not sent', inherited, inherited, { 'x-a': 'b' }],
    ['null removes one of the client', { 'x-a': 'b' }, { 'X-A': null }, {}],
    ['undefined changes nothing', { 'x-a': undefined, 'x-api-key': undefined }, { 'x-a': undefined }, {}],
    ['a write keeps its Content-Type', plain, { 'CONTENT-TYPE': null }, JSON_TYPE, true],
    ['a read gets no Content-Type', plain, undefined, {}],
  ])('%s', async (_, client, call, sent, write = false) => {
    const { accept, ...rest } = await headersOf(client, call, write);
    expect(rest).toEqual({ 'x-api-key': KEY, ...sent });
  });

  it('null removes Accept', async () => {
    expect((await headersOf(undefined, { Accept: null })).accept ?? '*/*').toBe('*/*');
  });

  it.each(['x-api-key', 'X-API-KEY', 'X-Api-Key', 'X-API-Key'])(
    '%s is refused: another key has another budget',
    async (name) => {
      for (const value of ['other_live_4711', '', null]) {
        const fetch = stubFetch(json(ARTICLE));
        const headers = { [name]: value };
        for (const error of [
          thrown(() => makeArticles({ headers }), ConfigurationError),
          await caught(makeArticles({ fetch }).get(42, { headers }), InvalidRequestError),
        ]) {
          expect(error.message).toContain('X-API-Key');
          expectNoKey(error, 'other_live_4711');
        }
        expect(fetch.calls).toHaveLength(0);
      }
    },
  );

  it('of one call do not apply to the next call', async () => {
    const fetch = stubFetch(json(ARTICLE));
    const api = makeArticles({ fetch });
    await api.get(1, { headers: { 'x-a': 'once' } });
    await api.get(2);
    expect(fetch.calls[1]?.headers['x-a']).toBeUndefined();
    expect(fetch.calls[1]?.headers['x-api-key']).toBe(KEY);
  });

  it('the client does not change an object of options, and later changes of the object have no effect', async () => {
    const headers: Record<string, string> = { 'x-a': 'before' };
    const options = Object.freeze({ headers, maxRetries: 0, rateLimit: Object.freeze({ perMinute: 5 }) });
    const fetch = stubFetch(json(ARTICLE));
    const api = makeArticles({ ...options, fetch });
    await api.get(42, Object.freeze({ headers: Object.freeze({ 'x-b': 'c' }), extra: Object.freeze({}) }));
    expect(headers).toEqual({ 'x-a': 'before' });
    expect(fetch.calls[0]?.headers['x-a']).toBe('before');
  });
});

describe('the scope', () => {
  const options = (reply: Reply) => ({ apiKey: KEY, baseUrl: freshUrl(), fetch: stubFetch(reply) });

  it('is that of the identity, which is read once, or not at all if it is passed', async () => {
    const given = options(json(SPHERE_IDENTITY));
    const brand = await Client.connect({ ...given, scope: 'sphere' });
    expect(brand).toBeInstanceOf(Client);
    expect([brand.scope, brand.identity]).toEqual([{ kind: 'sphere' }, SPHERE_IDENTITY]);
    await Client.connect({ ...given, identity: SPHERE_IDENTITY, scope: 'sphere' });
    const { scope } = await Client.connect({ ...given, identity: BULLE_IDENTITY });
    expect(scope).toEqual({ kind: 'bulle', bulle: BULLE_IDENTITY.bulle });
    expect(given.fetch.calls.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual(['GET /api/v2/me']);
  });

  it('refuses the key of one location', async () => {
    const work = Client.connect({ ...options(json(BULLE_IDENTITY)), scope: 'sphere' });
    expect((await caught(work, ConfigurationError)).message).toBe(
      "This key covers only one location. Use a key of the whole brand, or leave out `scope: 'sphere'`.",
    );
  });

  it('refuses another scope, before a request', async () => {
    const given = options(json(BULLE_IDENTITY));
    for (const scope of ['bulle', '', null, true]) {
      await caught(Client.connect({ ...given, scope } as never), ConfigurationError);
    }
    expect(given.fetch.calls).toHaveLength(0);
  });

  it('is not an option of the constructor', () => {
    expect(() => new Client({ ...options(json({})), scope: 'sphere' } as never)).toThrow(
      '`scope` is an option of `Client.connect`',
    );
  });
});

// Both clients use the same core. Most tests of the core use one of them: this file checks that they are wired alike.
describe('both clients', () => {
  /** What a client sends, returns and tells the observer, with every option set to something else than its default. */
  async function behaviourOf(make: (options: Partial<ArticlesClientOptions>) => ReturnType<typeof makePage>) {
    const fetch = stubFetch(refuse(503, 'x', { 'retry-after': '0' }), json({ ...ARTICLE, id: 'x' }));
    const events: string[] = [];
    const articles = make({
      apiKey: 'another-key',
      baseUrl: `${freshUrl()}/tenant`,
      fetch,
      headers: { 'x-team': 'a' },
      fetchOptions: { cache: 'no-store' },
      maxRetries: 1,
      validation: 'off',
      onEvent: ({ type }) => void events.push(type),
    });
    const article = await articles.get(42);
    const refused = await rejection(articles.confirm(0.5));
    const calls = fetch.calls.map(({ url, headers, body, request: { cache } }) => {
      return { path: url.pathname, headers, body, cache };
    });
    return { article, refused: JSON.parse(JSON.stringify(refused)) as object, calls, events };
  }

  it('Client and ArticlesClient pass all their options on', async () => {
    const articles = await behaviourOf(makePage);
    const client = await behaviourOf(({ headers, ...options }) => {
      const made = makeClient({ ...options, headers: { ...headers, 'user-agent': null }, rateLimit: false });
      return made.articles as never;
    });
    expect(articles).toEqual(client);
    const sent = { path: '/tenant/api/v2/articles/42', cache: 'no-store' };
    expect(articles).toMatchObject({
      article: { id: 'x' },
      refused: { attempts: 0, outcome: 'not_applied' },
      calls: [{ ...sent, headers: { 'x-api-key': 'another-key', 'x-team': 'a' } }, sent],
      events: ['request', 'response', 'retry', 'request', 'response', 'end'],
    });
  });
});

describe('an option that is named', () => {
  it.each([
    [{ 'X-Client': 'é…' }, '`headers.X-Client` has a character that headers cannot hold.'],
    [{ 'X-Client': 'a\nb' }, '`headers.X-Client` has a character that headers cannot hold.'],
    [{ ok: 'a', 'X Client': 'a' }, '`headers.X Client` has a character that headers cannot hold.'],
  ])('a header: %j', async (headers, message) => {
    expect(thrown(() => makeClient({ headers }), ConfigurationError).message).toContain(message);
    const error = await caught(makeClient({}).articles.get(42, { headers }), InvalidRequestError);
    expect(error.message).toContain(message);
  });
});
