import { describe, expect, it, vi } from 'vitest';
import { ArticlesClient, type ArticlesClientOptions } from '../../src/articles.js';
import {
  Client,
  type ClientOptions,
  ConfigurationError,
  type FetchOptions,
  InvalidRequestError,
  type RequestOptions,
} from '../../src/index.js';
import { caught, freshUrl, makeArticles, makeClient, makePage, rejection, thrown } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY, KEY, SPHERE_IDENTITY, UPDATE } from '../support/fixtures.js';
import { expectNoKey } from '../support/render.js';
import { json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';

const baseUrl = 'https://options.test';
const given = { apiKey: KEY, baseUrl };

/** The message of a client that refuses these options. Errors of options show no key. */
function refusal(make: () => unknown): string {
  const error = thrown(make, ConfigurationError);
  expect(error).toMatchObject({ name: 'ConfigurationError', code: 'configuration', outcome: 'not_applied' });
  expectNoKey(error, KEY);
  return error.message;
}
const refused = (options: object) => refusal(() => new Client({ ...given, ...options } as ClientOptions));

const EMPTY = 'is empty. Is the environment variable set?';
const IN_QUOTES = 'is wrapped in quotes. Remove them.';
const KEY_ONLY = '`apiKey` must be the key only, without spaces or `Bearer`.';
const NO_KEY = '`headers` must lack `X-API-Key`: pass the key as `apiKey`.';
const HEADERS = '`headers` must be an object, `Headers` or pairs of name and value; received';
const CHARACTER = 'has a character that headers cannot hold.';
const LOGGER = '`logger` must be a logger with error, warn, info and debug; received';
const LIMITS =
  '`rateLimit` must be false, { acquire } or { perMinute, perDay, maxWait, reserve, store, onStoreError, instances }; received';
const UNDICI = 'is an unknown option. Pass a `dispatcher` in `fetchOptions`, or a `fetch` of your own.';

type Row = [options: object, sentence: string];
/** Wrong values of one option, which all get the same sentence. */
const each = (name: string, values: unknown[], sentence: string) =>
  values.map((value): Row => [{ [name]: value }, sentence]);

/** Options of clients and calls. */
const WRONG: Row[] = [
  [{ timeout: 0 }, '`timeout` must be a number above 0.'],
  [{ timeout: Number.NaN }, '`timeout` must be a number above 0; received NaN.'],
  [{ totalTimeout: 0 }, '`totalTimeout` must be a number above 0.'],
  [{ totalTimeout: '30' }, '`totalTimeout` must be a number above 0; received a string.'],
  [{ maxRetries: -1 }, '`maxRetries` must be 0 or more.'],
  [{ maxRetries: 1.5 }, '`maxRetries` must be an integer; received a number.'],
  [{ maxRetries: Number.POSITIVE_INFINITY }, '`maxRetries` must be an integer; received Infinity.'],
  [{ validation: 'of' }, '`validation` must be one of throw, warn, off; received "of". Did you mean "off"?'],
  [{ validation: KEY }, '`validation` must be one of throw, warn, off; received "[redacted]".'],
  [{ fetchOptions: 'no-store' }, '`fetchOptions` must be an object; received a string.'],
  [{ headers: { ok: 'a', 'x-a': `${KEY}\r\n${KEY}` } }, `\`headers.x-a\` ${CHARACTER}`],
  [{ headers: { 'X-Client': 'é…' } }, `\`headers.X-Client\` ${CHARACTER}`],
  [{ headers: { [`x ${KEY}`]: 'a' } }, `\`headers.x [redacted]\` ${CHARACTER}`],
  [{ headers: { '': 'b' } }, `\`headers.\` ${CHARACTER}`],
  [{ headers: { 'x-a': 1 } }, '`headers.x-a` must be a string; received a number.'],
  [{ headers: [['x-a', new Date(0)]] }, '`headers.x-a` must be a string; received a date.'],
  [{ headers: 'x-a: b' }, `${HEADERS} a string.`],
  // They have no fields of their own, so they would be ignored.
  [{ headers: new Map([['x-a', 'b']]) }, `${HEADERS} a map.`],
  [{ headers: new URLSearchParams('x-a=b') }, `${HEADERS} a urlsearchparams.`],
  ...each(
    'headers',
    [['x-a'], [['x-a']], [['x-a', 'b', 'c']], [[undefined, 'b']], new Array(1)],
    `${HEADERS} an array.`,
  ),
  // Another key has another budget.
  ...each('headers', [{ 'x-api-key': KEY }, { 'X-API-KEY': '' }, { 'X-Api-Key': null }], NO_KEY),
  ...each('headers', [[['X-Api-Key', KEY]], new Headers({ 'x-api-key': KEY })], NO_KEY),
  ...['method', 'headers', 'body', 'redirect', 'signal'].map(
    (name): Row => [
      { fetchOptions: { [name]: name === 'headers' ? {} : null } },
      `\`fetchOptions.${name}\` must be absent: the client or \`fetch\` sets it.`,
    ],
  ),
  // `fetch` would refuse them, and its error would not show that nothing was sent.
  ...[{ mode: 'navigate' }, { mode: 'no-cors' }, { credentials: 'some' }].map(
    (fetchOptions): Row => [{ fetchOptions }, '`fetchOptions` must be options that `fetch` takes ('],
  ),
  // A wrong length could cut the body.
  ...['Content-Length', 'transfer-encoding', 'expect'].map(
    (name): Row => [
      { headers: { [name]: '3' } },
      `\`headers.${name}\` must be absent: the client or \`fetch\` sets it.`,
    ],
  ),
  [{ fetchOptions: new Map() }, '`fetchOptions` must be an object; received a map.'],
  [{ maxRetry: 0 }, '`maxRetry` is an unknown option. Did you mean `maxRetries`?'],
  [{ totalTimeOut: 5 }, '`totalTimeOut` is an unknown option. Did you mean `totalTimeout`?'],
  [{ [KEY]: 1 }, '`[redacted]` is an unknown option.'],
];

const WRONG_FOR_CLIENTS: Row[] = [
  ...each('apiKey', ['', ' \n\t '], `\`apiKey\` ${EMPTY}`),
  [{ apiKey: `"${KEY}"` }, `\`apiKey\` ${IN_QUOTES}`],
  [{ apiKey: async () => KEY }, '`apiKey` must be a string; received a function.'],
  ...each('apiKey', [`Bearer ${KEY}`, `${KEY}\nX-Evil: 1`, `${KEY}\u0000`, `${KEY}é…`, '🔑'], KEY_ONLY),
  [{ apiKey: 42 }, '`apiKey` must be a string; received a number.'],
  [{ fetch: 'fetch' }, '`fetch` must be a function; received a string.'],
  [{ onEvent: 'log' }, '`onEvent` must be a function; received a string.'],
  [{ allowHttp: 'yes' }, '`allowHttp` must be a boolean; received a string.'],
  [{ retries: 0 }, '`retries` is an unknown option. Did you mean `maxRetries`?'],
  [{ signal: undefined, extra: {} }, '`signal` is an unknown option. `extra` is an unknown option.'],
];

const WRONG_FOR_CLIENT: Row[] = [
  [{ rateLimit: true }, `${LIMITS} a boolean.`],
  [{ rateLimit: null }, `${LIMITS} null.`],
  [{ rateLimit: { perMinute: 0 } }, '`rateLimit.perMinute` must be a number, 1 or more.'],
  [{ rateLimit: { perDay: '60' } }, '`rateLimit.perDay` must be a number, 1 or more; received a string.'],
  [{ rateLimit: { maxWait: -1 } }, '`rateLimit.maxWait` must be a number, 0 or more.'],
  [{ rateLimit: { reserve: -1 } }, '`rateLimit.reserve` must be 0 or more.'],
  [{ rateLimit: { instances: 0 } }, '`rateLimit.instances` must be 1 or more.'],
  [
    { rateLimit: { store: { take() {}, settle() {} } } },
    '`rateLimit.store` must be a store, such as redisStore(evalFunction); received an object.',
  ],
  [{ rateLimit: { perMin: 5 } }, '`rateLimit.perMin` is an unknown option. Did you mean `perMinute`?'],
  ...each('logger', [null, {}, { error() {}, warn() {}, info() {} }, { ...console, debug: 1 }], LOGGER),
  ...each('logLevel', ['verbose', '', null], '`logLevel` must be one of off, error, warn, info, debug; received'),
  ...['agent', 'httpAgent', 'httpsAgent', 'dispatcher', 'proxy'].flatMap((name) =>
    each(name, [{}], `\`${name}\` ${UNDICI}`),
  ),
  [{ scope: 'sphere' }, '`scope` is an option of `Client.connect`, and its only value is `sphere`.'],
  [{ maxRetry: 0, baseUrl: 'x' }, '`maxRetry` is an unknown option. Did you mean `maxRetries`? `baseUrl` must be '],
];

const SIGNAL = '`signal` must be an AbortSignal; received';
const listens = { addEventListener() {}, throwIfAborted() {} };
const WRONG_FOR_CALLS: [options: unknown, sentence: string][] = [
  ...each('signal', ['x', {}, new AbortController(), { ...listens, aborted: 'no' }], SIGNAL),
  ...each(
    'signal',
    [
      { aborted: true, addEventListener() {} },
      { aborted: true, throwIfAborted() {} },
    ],
    SIGNAL,
  ),
  [{ extra: 'dry_run=0' }, '`extra` must be an object; received a string.'],
  [{ extra: [1] }, '`extra` must be an object; received an array.'],
  [{ dispatcher: {} }, '`dispatcher` is an unknown option. Pass it in `fetchOptions`.'],
  [{ rateLimit: false }, '`rateLimit` is an unknown option.'],
  [{ bulle_id: 'b-1' }, '`bulle_id` is an unknown option.'],
  [null, '`options` must be an object; received null.'],
  ['x', '`options` must be an object; received a string.'],
];

describe('a wrong option is named, with what to do', () => {
  it.each([...WRONG, ...WRONG_FOR_CLIENTS])('of both clients: %j', (options, sentence) => {
    expect(refused(options)).toContain(`Invalid client options. ${sentence}`);
    expect(refusal(() => makePage(options))).toContain(`Invalid client options. ${sentence}`);
  });

  it.each(WRONG_FOR_CLIENT)('of the full client: %j', (options, sentence) => {
    expect(refused(options)).toContain(`Invalid client options. ${sentence}`);
  });

  it.each([...WRONG, ...WRONG_FOR_CALLS])('of a call and of `withOptions`: %j', async (given, sentence) => {
    const options = given as RequestOptions;
    const fetch = stubFetch(json(ARTICLE));
    const client = makeClient({ fetch });
    const view = client.withOptions({ maxRetries: 0 }).forBulle('b-1');
    for (const one of [client, view, client.dryRun]) {
      expect(refusal(() => one.withOptions(options))).toContain(`Invalid client options. ${sentence}`);
    }
    for (const call of [
      client.articles.get(42, options),
      view.articles.get(42, options),
      client.articles.waitUntilWritten(42, options),
    ]) {
      const error = await caught(call, InvalidRequestError);
      expect(error.message).toContain(`${error.operation}: ${sentence}`);
      expect(error).toMatchObject({ attempts: 0, outcome: 'not_applied' });
      expectNoKey(error, KEY);
    }
    expect(fetch.calls).toHaveLength(0);
  });

  it('the key of a call belongs to the client', async () => {
    const call = makeClient({ fetch: stubFetch() }).me({ apiKey: KEY } as never);
    expect((await caught(call, InvalidRequestError)).message).toBe(
      'me: `apiKey` is an unknown option. Pass it to the constructor of the client.',
    );
  });

  it.each([{ bulle: 7 }, { ...SPHERE_IDENTITY, sphere: undefined }, { [KEY]: KEY }])('an identity: %j', (identity) => {
    expect(refused({ identity })).toMatch(/^`identity` is not a valid GET \/me response\. .*`sphere` is required/);
  });

  it.each([
    [KEY, 'The options must be an object such as { apiKey, baseUrl }; received a string.'],
    [42, 'The options must be an object such as { apiKey, baseUrl }; received a number.'],
  ])('options that are not an object: %j', async (options, sentence) => {
    const wrong = options as never;
    for (const make of [() => new Client(wrong), () => new ArticlesClient(wrong)]) {
      expect(refusal(make)).toBe(`Invalid client options. ${sentence}`);
    }
    expect(await rejection(Client.connect(wrong))).toMatchObject({ code: 'configuration' });
  });

  it('a second argument, whatever the first one is', () => {
    const Loose = Client as unknown as new (...given: unknown[]) => Client;
    for (const first of [KEY, given, undefined, {}]) {
      for (const second of ['x', {}, null]) {
        const message = 'Invalid client options. Pass one object: new Client({ apiKey, baseUrl }).';
        expect(refusal(() => new Loose(first, second))).toBe(message);
      }
    }
  });
});

describe('the key', () => {
  it.each([
    ['MULTILOCAL_API_KEY', '`apiKey` is missing. Pass it, or set the environment variable MULTILOCAL_API_KEY.'],
    ['MULTILOCAL_BASE_URL', '`baseUrl` is missing. Pass it, or set the environment variable MULTILOCAL_BASE_URL.'],
  ])('without %s, the message names the variable', (missing, expected) => {
    vi.stubEnv('MULTILOCAL_API_KEY', KEY);
    vi.stubEnv('MULTILOCAL_BASE_URL', baseUrl);
    for (const value of [undefined, '']) {
      vi.stubEnv(missing, value);
      for (const options of [undefined, null, {}, { timeout: 1_000 }]) {
        expect(refusal(() => new Client(options as ClientOptions))).toBe(expected);
      }
      const named = () => new Client({ baseUrl, apiKey: KEY, token: KEY, [missing.slice(11)]: undefined } as object);
      expect(refusal(named)).toContain('Invalid client options. `token` is an unknown option.');
    }
  });

  it.each(['a_"quoted"_part', '"quoted"_part', 'part_"quoted"', '"only_at_the_beginning', 'only_at_the_end"'])(
    'may hold quotes, but not around it: %s',
    (apiKey) => {
      expect(makeClient({ apiKey })).toBeInstanceOf(Client);
    },
  );

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

  it('works where there is no process', () => {
    vi.stubGlobal('process', undefined);
    expect(new Client({ apiKey: KEY, baseUrl }).identity).toBeUndefined();
    thrown(() => new Client({ baseUrl }), ConfigurationError);
  });
});

describe('the address', () => {
  it('may contain any letters, for any number of clients', { tags: 'long' }, () => {
    // Enough for V8 to optimise the check.
    for (let n = 0; n < 6_000; n++) new Client({ apiKey: KEY, baseUrl: 'https://été.example' });
  });

  const BEGIN = 'must be an address that begins with https:// (or http:// for this machine).';
  it.each<[string, unknown[]]>([
    [EMPTY, ['', '   ']],
    [IN_QUOTES, ['"https://api.test"', " 'https://api.test' ", '\t`https://api.test`\n']],
    [BEGIN, ['api.test', 'localhost:3000', 'https://', 'httpx://api.test', 'shttp://api.test', 'ftp://api.test']],
    [BEGIN, ['file:///etc/passwd', 'javascript:alert(1)', `nonsense ${KEY}`, `ftp://${KEY}`, null, 42, {}]],
    [`${BEGIN} A relative address works only in a page.`, ['/content', '//api.test']],
    [
      'must begin with https://, because http:// sends the key unencrypted. Set `allowHttp: true` to allow http:// on a trusted network.',
      [
        ...['http://api.test', 'http://127.0.0.1.evil.test', 'http://localhost.evil.test', 'http://notlocalhost'],
        ...['http://evil127.0.0.1.test', 'http://192.168.1.10', 'http://0.0.0.0:3000', 'http://[2001:db8::1]'],
      ],
    ],
    [
      'must be the address of the service, without credentials, query or fragment.',
      [
        `https://user:${encodeURIComponent(KEY)}@api.test`,
        `https://api.test?key=${encodeURIComponent(KEY)}`,
        'https://api.test/#x',
      ],
    ],
  ])('%s', (problem, addresses) => {
    for (const address of addresses as string[]) {
      const message = `Invalid client options. \`baseUrl\` ${problem}`;
      expect(refused({ baseUrl: address })).toBe(message);
      expect(refusal(() => new ArticlesClient({ apiKey: KEY, baseUrl: address }))).toBe(message);
    }
  });

  it.each([
    ...['http://localhost', 'http://localhost:3000/', 'http://api.localhost', 'http://127.0.0.1:3000'],
    ...['http://127.9.9.9', 'http://127.100.20.255:80', 'http://[::1]:3000', 'https://api.test'],
    ...['https://192.168.1.10', 'HTTPS://API.test'],
  ])('%s is accepted', (address) => {
    expect(new Client({ apiKey: KEY, baseUrl: address })).toBeInstanceOf(Client);
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

describe('valid options', () => {
  it.each<[string, object]>([
    ['all of them undefined', Object.fromEntries(NAMES.map((name) => [name, undefined]))],
    ['no limits', { rateLimit: { perMinute: Infinity, perDay: Infinity, maxWait: Infinity } }],
    ['a limiter of the caller, whatever else it holds', { rateLimit: { acquire: async () => {}, redis: {} } }],
    ['an identity with fields of a later version', { identity: { ...SPHERE_IDENTITY, plan: 'pro' } }],
  ])('are accepted: %s', async (_, options) => {
    expect(await makeArticles({ fetch: stubFetch(json(ARTICLE)), ...options }).get(42)).toEqual(ARTICLE);
    expect(makeClient({ fetch: undefined } as object)).toBeInstanceOf(Client);
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

it('a runtime without a global that every call needs is named at construction', () => {
  vi.stubGlobal('Request', undefined);
  expect(refused({})).toContain('`Request`');
  expect(refused({})).toContain('For tests in jsdom, use the test environment `node`.');
  vi.unstubAllGlobals();
  vi.stubGlobal('AbortSignal', class {});
  expect(refused({})).toContain('`AbortSignal.any`');
  vi.stubGlobal('AbortSignal', undefined);
  refused({});
});

it('a browser page refuses the full client without dangerouslyAllowBrowser, and accepts ArticlesClient', () => {
  vi.stubGlobal('window', { document: {} });
  expect(refused({})).toContain('For tests in jsdom, use the test environment `node`.');
  expect(makeClient({ dangerouslyAllowBrowser: true })).toBeInstanceOf(Client);
  expect(makePage()).toBeInstanceOf(ArticlesClient);
});

/** Headers as whatwg-fetch makes them: without the tag of the platform's. */
function ofPackage(fields: Record<string, string>) {
  const entries = Object.entries(fields);
  class Other {
    map = fields;
    append() {}
    forEach(callback: (value: string, name: string) => void) {
      for (const [name, value] of entries) callback(value, name);
    }
  }
  return new Other();
}

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
    ['a Headers object', new Headers({ 'X-A': 'b' }), new Headers({ 'x-c': 'd' }), { 'x-a': 'b', 'x-c': 'd' }],
    ['Headers of another realm or package', ofPackage({ 'X-A': 'b' }), undefined, { 'x-a': 'b' }],
    [
      'pairs, joined by name',
      [['X-A', '1'] as const, ['x-a', '2'] as const],
      [['x-b', '3']],
      { 'x-a': '1, 2', 'x-b': '3' },
    ],
    ['pairs of a call win', [['x-a', '1']], [['X-A', '2']], { 'x-a': '2' }],
  ])('%s', async (_, client, call, sent, write = false) => {
    const { accept, ...rest } = await headersOf(client, call, write);
    expect(rest).toEqual({ 'x-api-key': KEY, ...sent });
  });

  it('null removes Accept', async () => {
    expect((await headersOf(undefined, { Accept: null })).accept ?? '*/*').toBe('*/*');
  });

  it('of `fetchOptions`, too, the nearest to the call wins, unless it is undefined or null', async () => {
    const fetch = stubFetch(json(ARTICLE));
    const mine: FetchOptions = { credentials: 'include', priority: 'low' };
    const view = makeClient({ fetch, fetchOptions: mine }).withOptions({
      fetchOptions: { credentials: undefined, keepalive: true },
    });
    mine.priority = 'high';
    const unset = { credentials: null, keepalive: undefined, mode: 'cors' } as unknown as FetchOptions;
    await view.articles.get(42, { fetchOptions: unset });
    expect(fetch.calls[0]?.init).toMatchObject({
      credentials: 'include',
      keepalive: true,
      mode: 'cors',
      priority: 'low',
    });
  });

  it('the client keeps its own and changes no object: later changes of it, and the headers of one call, do not reach the next call', async () => {
    const headers: Record<string, string> = { 'x-a': 'before' };
    const options = Object.freeze({ headers, maxRetries: 0, rateLimit: Object.freeze({ perMinute: 5 }) });
    const fetch = stubFetch(json(ARTICLE));
    const api = makeArticles({ ...options, fetch });
    headers['x-a'] = 'after';
    await api.get(42, Object.freeze({ headers: Object.freeze({ 'x-b': 'once' }), extra: Object.freeze({}) }));
    await api.get(42);
    expect(headers).toEqual({ 'x-a': 'after' });
    expect(fetch.calls).toMatchObject([
      { headers: { 'x-a': 'before', 'x-b': 'once' } },
      { headers: { 'x-a': 'before', 'x-api-key': KEY } },
    ]);
    expect(fetch.calls[1]?.headers).not.toHaveProperty('x-b');
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
