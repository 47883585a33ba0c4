import type { RateLimitStore } from 'multilocal/limiter';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientOptions, Logger, LogLevel } from '../../src/index.js';
import { Client, ConfigurationError, memoryStore } from '../../src/index.js';
import { freshUrl, makeClient } from '../support/clients.js';
import { ARTICLE, KEY, LIST, PUBLICATION, SPHERE_IDENTITY, UPDATE } from '../support/fixtures.js';
import { expectNoKey } from '../support/render.js';
import { fail, hang, json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';
import { unhandledIn } from '../support/unhandled.js';

const now = { 'retry-after': '0' };
const PREVIEW = { dry_run: true, would_publish: true };

/** A logger that needs its `this`, like those of classes. */
class Recorder implements Logger {
  readonly lines: [level: string, line: string][] = [];
  error = this.#noter('error');
  warn = this.#noter('warn');
  info = this.#noter('info');
  debug = this.#noter('debug');
  #noter(level: string) {
    return function (this: Recorder, line: string) {
      this.lines.push([level, line.replace(/\d+ ms/g, '# ms')]);
    };
  }
}

function setUp(options: ClientOptions, ...script: Reply[]) {
  const logger = new Recorder();
  const fetch = stubFetch(...script);
  return { client: makeClient({ fetch, logger, ...options }), fetch, lines: logger.lines };
}

beforeEach(() => vi.stubEnv('MULTILOCAL_LOG', ''));

describe('the lines of a call', () => {
  const debug = { logLevel: 'debug' } as const;
  const once = { ...debug, maxRetries: 0 };
  const busy = refuse(503, 'x', now);
  const get = (client: Client) => client.articles.get(42);
  const place = (attempt = 1) => `(GET /articles/42, attempt ${attempt}, waited # ms)`;
  const retried = 'is retried in # ms after';

  it.each<[string, ClientOptions, Reply[], (client: Client) => Promise<unknown>, lines: string[]]>([
    [
      'each attempt and each retry at debug, also attempts without a response',
      { ...debug, maxRetries: 2 },
      [busy, fail('ECONNREFUSED'), json(ARTICLE)],
      get,
      [
        `debug articles.get 503 in # ms ${place(1)}`,
        `info articles.get ${retried} service_unavailable (GET /articles/42, attempt 1)`,
        `debug articles.get connection after # ms ${place(2)}`,
        `info articles.get ${retried} connection (GET /articles/42, attempt 2)`,
        `debug articles.get 200 in # ms ${place(3)}`,
      ],
    ],
    ['a timeout', { ...once, timeout: 10 }, [hang], get, [`debug articles.get timeout after # ms ${place()}`]],
    [
      'an abort',
      debug,
      [hang],
      (client) => client.articles.get(42, { signal: AbortSignal.timeout(10) }),
      [`debug articles.get aborted after # ms ${place()}`],
    ],
    [
      'a retry that gets no place in the limiter',
      { ...debug, rateLimit: { perMinute: 1, maxWait: 0 } },
      [fail('ECONNRESET')],
      get,
      [
        `debug articles.get connection after # ms ${place()}`,
        `info articles.get ${retried} connection (GET /articles/42, attempt 1)`,
      ],
    ],
    [
      'a view',
      debug,
      [json(PREVIEW)],
      (client) => client.forBulle('b-1').dryRun.articles.publish(42),
      ['debug articles.publish 200 in # ms (POST /articles/42/publish, attempt 1, waited # ms)'],
    ],
    ['a read at warn, with its retry', { logLevel: 'warn' }, [busy, json(ARTICLE)], get, []],
    [
      'the retry of a write at warn',
      {},
      [busy, json(UPDATE)],
      (client) => client.articles.update(42, { title: 'Le pain' }),
      [`warn articles.update ${retried} service_unavailable (PUT /articles/42, attempt 1)`],
    ],
    [
      'drift at warn, with the fields',
      { validation: 'warn' },
      [json({ ...ARTICLE, id: 'x', title: 7 })],
      get,
      [
        'warn articles.get: the response does not have the expected shape (GET /articles/42, attempt 1). ' +
          '`id` must be an integer; received a string. `title` must be a string; received a number.',
      ],
    ],
  ])('%s', async (_, options, script, call, expected) => {
    const { client, lines } = setUp(options, ...script);
    await call(client).catch(() => {});
    expect(lines).toEqual(expected.map((line) => line.replace(' ', '\0multilocal: ').split('\0')));
  });

  it('the wait is the time in the limiter', async () => {
    vi.useFakeTimers();
    vi.advanceTimersByTime(5_000);
    const debug = vi.fn();
    const logger = { ...console, debug, warn: () => {} };
    const options = { logger, logLevel: 'debug', rateLimit: { perMinute: 1 } } as const;
    const client = makeClient({ fetch: stubFetch(json(ARTICLE)), ...options });
    await client.articles.get(42);
    await Promise.all([client.articles.get(42), vi.advanceTimersByTimeAsync(60_000)]);
    const waits = debug.mock.calls.map(([line]) => Number(/waited (\d+) ms/.exec(line)?.[1]));
    expect(waits).toEqual([0, 60_000]);
  });

  it('the retry of a preview changes nothing, so it is information', async () => {
    const { client, lines } = setUp({ logLevel: 'info' }, json(PREVIEW), refuse(503, 'x', now), json(PREVIEW));
    await client.dryRun.articles.publish(42);
    await client.dryRun.articles.publish(42);
    expect(lines.map(([level]) => level)).toEqual(['info']);
  });

  const refused = (seconds: string) => refuse(429, 'Rate limit exceeded', { 'retry-after': seconds });
  const SET_MAX_WAIT = 'Set `rateLimit.maxWait` (ms) to fail instead.';

  it.each<[string, ClientOptions['rateLimit'], calls: number, Reply[], lines: string[]]>([
    [
      'a long wait has one line, with what is left',
      { perMinute: 2, perDay: 500 },
      4,
      [],
      [`waits 60 s for the request budget of its key (left: 0 of 2 a minute, 498 of 500 a day). ${SET_MAX_WAIT}`],
    ],
    [
      'a wait that ends clearly later has a line of its own',
      { perMinute: 2, perDay: Infinity },
      6,
      [],
      [60, 120].map((s) => `waits ${s} s for the request budget of its key (left: 0 of 2 a minute). ${SET_MAX_WAIT}`),
    ],
    [
      'a wait after a 429 has one line, and the calls behind it none',
      {},
      3,
      [refused('30')],
      ['waits 30 s because the service answered 429. ' + 'Set `rateLimit.maxWait` (ms) to fail instead.'],
    ],
    ['a wait of 5 s after a 429 has none', {}, 1, [refused('5')], []],
  ])('%s', async (_, rateLimit, count, script, expected) => {
    vi.useFakeTimers();
    const { client, lines } = setUp({ ...(rateLimit && { rateLimit }) }, ...script, json(ARTICLE));
    const calls: Promise<unknown>[] = [client.articles.get(42)];
    if (script.length > 0) await vi.advanceTimersByTimeAsync(1_000);
    while (calls.length < count) calls.push(client.articles.get(42));
    await vi.advanceTimersByTimeAsync(120_002);
    await Promise.all(calls);
    expect(lines).toEqual(expected.map((line) => ['warn', `multilocal: articles.get ${line}`]));
  });
});

describe('a store of the limiter', () => {
  const storeOf = (count: RateLimitStore['count']): RateLimitStore => {
    let takes = 0;
    return {
      take: () => (takes++ === 0 ? { state: 'wait', ms: 60_000 } : { state: 'go', ms: 0 }),
      settle: () => {},
      hold: () => {},
      ...(count && { count }),
    };
  };
  /** The hash of the key takes real time, in which the virtual clock must not run. */
  const waiting = async (rateLimit: ClientOptions['rateLimit'], logLevel: LogLevel = 'warn') => {
    const made = setUp({ rateLimit, logLevel }, json(ARTICLE));
    await made.client.budget().catch(() => {});
    vi.useFakeTimers();
    const call = made.client.articles.get(42);
    await vi.advanceTimersByTimeAsync(60_000);
    await call;
    return made.lines.map(([, line]) => line);
  };

  it('says what is left', async () => {
    expect(await waiting({ store: storeOf(() => ({ used: [59, 900], waiting: 1 })) })).toEqual([
      expect.stringContaining(' of its key (left: 1 of 60 a minute, 100 of 1000 a day). '),
    ]);
  });

  it('that cannot count leaves the line without it', async () => {
    const count = () => Promise.reject(new Error('hunter2'));
    const lines = await waiting({ store: storeOf(count), onStoreError: 'throw' });
    expect(lines).toEqual([expect.stringContaining(' waits 60 s for the request budget of its key. ')]);
  });

  it('is not asked if nothing is logged', async () => {
    const count = vi.fn(() => ({ used: [0, 0], waiting: 0 }));
    expect(await waiting({ store: storeOf(count) }, 'error')).toEqual([]);
    expect(count).toHaveBeenCalledTimes(1);
  });

  it('that fails with a message about the key is a warning without the key', async () => {
    const store = { ...storeOf(undefined), take: () => Promise.reject(new ConfigurationError(`wrong: ${KEY}`)) };
    const { client, lines } = setUp({ rateLimit: { store } }, json(ARTICLE));
    await client.articles.get(42);
    expect(lines).toEqual([['warn', expect.stringContaining('failed: wrong: [redacted]. ')]]);
  });
});

/** Makes calls that have something to log at each level. */
async function makeNoise(options: ClientOptions): Promise<[level: string, line: string][]> {
  vi.useFakeTimers();
  const script = [refuse(503, 'x', now), json(UPDATE), refuse(503, 'x', now), json({ ...ARTICLE, id: 'x' })];
  const { client, lines } = setUp({ validation: 'warn', rateLimit: { perMinute: 3 }, ...options }, ...script);
  const calls = client.articles.update(42, { title: 'Le pain' }).then(() => client.articles.get(42));
  await vi.advanceTimersByTimeAsync(61_000);
  await calls;
  vi.useRealTimers();
  return lines;
}

describe('the level', () => {
  const counts = { debug: 4, info: 1, warn: 3 };
  const logged = async (options: ClientOptions) => {
    const found: Record<string, number> = {};
    for (const [level] of await makeNoise(options)) found[level] = (found[level] ?? 0) + 1;
    return found;
  };

  it.each<[LogLevel, object]>([
    ['off', {}],
    ['error', {}],
    ['warn', { warn: counts.warn }],
    ['info', { warn: counts.warn, info: counts.info }],
    ['debug', counts],
  ])('%s', async (logLevel, expected) => {
    expect(await logged({ logLevel })).toEqual(expected);
  });

  it.each([
    ['', { warn: counts.warn }],
    ['debug', counts],
    [' DEBUG\n', counts],
  ])('comes from the environment, or is warn: %j', async (level, expected) => {
    vi.stubEnv('MULTILOCAL_LOG', level);
    expect(await logged({})).toEqual(expected);
  });

  it('of an option takes precedence over the environment', async () => {
    vi.stubEnv('MULTILOCAL_LOG', 'debug');
    expect(await logged({ logLevel: 'off' })).toEqual({});
    vi.stubEnv('MULTILOCAL_LOG', 'nonsense');
    expect(await logged({ logLevel: 'off' })).toEqual({});
  });

  it('that is wrong in the environment is a warning, and the level is warn', () => {
    vi.stubEnv('MULTILOCAL_LOG', KEY);
    expect(setUp({}).lines).toEqual([
      ['warn', 'multilocal: `MULTILOCAL_LOG` must be one of off, error, warn, info, debug. The log level is warn.'],
    ]);
  });

  it('works where there is no process, and where the environment must not be read', async () => {
    const { process } = globalThis;
    const denied = {
      get env() {
        throw new Error('Requires env access');
      },
    };
    for (const other of [undefined, denied]) {
      Object.assign(globalThis, { process: other });
      const { client, lines } = setUp({}, refuse(503, 'x', now), json(UPDATE));
      Object.assign(globalThis, { process });
      await client.articles.update(42, { title: 'Le pain' });
      expect(lines.map(([level]) => level)).toEqual(['warn']);
    }
  });
});

describe('the logger', () => {
  it('is the global console by default', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
    const client = makeClient({ fetch: stubFetch(refuse(503, 'x', now), json(UPDATE)), logLevel: 'debug' });
    await client.articles.update(42, { title: 'Le pain' });
    expect([warn.mock.calls.length, debug.mock.calls.length]).toEqual([1, 2]);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => expect.unreachable()],
    ['is async and rejects', async () => Promise.reject(new Error('logger'))],
  ])('changes no call: it %s', async (_, broken) => {
    const logger = { error: broken, warn: broken, info: broken, debug: broken };
    const fetch = stubFetch(refuse(503, 'x', now), json(UPDATE), json(LIST), json({ ...LIST, articles: [] }));
    const client = makeClient({ fetch, logger, logLevel: 'debug' });
    const unhandled = await unhandledIn(async () => {
      expect(await client.articles.update(42, { title: 'Le pain' })).toEqual(UPDATE);
      expect(await client.articles.syncTo(memoryStore())).toMatchObject({ upserted: 1 });
    });
    expect(unhandled).toEqual([]);
  });
});

describe('a line', () => {
  it('is one line, whatever the names of the response are', async () => {
    const forged = { 'a\nmultilocal: forged\u2028\u001b[31m': 'x' };
    const limits = { character_limits: forged, image_limits: {}, video_limits: {} };
    const { client, lines } = setUp({ validation: 'warn' }, json(limits));
    await client.platforms.limits();
    expect(lines).toHaveLength(1);
    expect(lines[0]?.[1]).toMatch(/^multilocal: platforms\.limits: .*a multilocal: forged \[31m/);
    expect(lines[0]?.[1]).not.toMatch(/[\p{Cc}\u2028]/u);
  });

  it('shows the event as it was, even if the observer changes it', async () => {
    const onEvent = (event: object) => void Object.assign(event, { operation: 'evil', path: '/evil' });
    const { client, lines } = setUp({ onEvent, logLevel: 'debug' }, json(PUBLICATION));
    await client.articles.publish(42);
    expect(JSON.stringify(lines)).not.toContain('evil');
    expect(lines).toHaveLength(1);
  });
});

it('two clients of a key keep their own levels', async () => {
  const [quiet, loud] = (['off', 'debug'] as const).map((logLevel) =>
    setUp({ baseUrl: 'https://levels.test', logLevel }, json(SPHERE_IDENTITY)),
  );
  await Promise.all([quiet?.client.me(), loud?.client.me()]);
  expect([quiet?.lines.length, loud?.lines.length]).toEqual([0, 1]);
});

describe('Client.connect and the API version', () => {
  it.each([true, false])('one warning for another version than 2.x (kept identity: %s)', async (isKept) => {
    const connectTo = async (api_version: string) => {
      const logger = new Recorder();
      const identity = { ...SPHERE_IDENTITY, api_version };
      const options = { apiKey: KEY, baseUrl: freshUrl(), logger, fetch: stubFetch(json(identity)) };
      const client = await Client.connect(isKept ? { ...options, identity } : options);
      client.forBulle('b-1');
      return logger.lines;
    };
    for (const version of ['3.0', '20.1', '1.9', '']) {
      expect(await connectTo(version)).toEqual([['warn', expect.stringContaining(`version ${version}`)]]);
    }
    for (const version of ['2.0', '2.17']) expect(await connectTo(version)).toEqual([]);
    const [[, line = ''] = []] = await connectTo(`3\n${KEY}`);
    expect(line).not.toMatch(/\n/);
    expectNoKey(line, KEY);
  });
});
