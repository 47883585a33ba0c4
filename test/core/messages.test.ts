import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ArticlesClient } from '../../src/articles.js';
import { Client, type ClientOptions } from '../../src/client.js';
import {
  ApiError,
  ConfigurationError,
  InvalidRequestError,
  InvalidResponseError,
  isMultilocalError,
  MissingFicheIdError,
} from '../../src/core/errors/index.js';
import { printIssues } from '../../src/core/issues.js';
import { memoryStore } from '../../src/resources/articles-sync.js';
import { caught, freshUrl, makeArticles, makeClient, thrown } from '../support/clients.js';
import { BULLE_IDENTITY, KEY, LIST, SPHERE_IDENTITY, TEXTS } from '../support/fixtures.js';
import { json, raw, refuse, stubFetch } from '../support/stub-fetch.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Act = (client: Client) => PromiseLike<unknown>;

describe('the error of a response', () => {
  it.each<[status: number, detail: string, act: Act, message: string]>([
    [
      401,
      'Clé API invalide',
      (client) => client.me(),
      'me: the API key is missing, invalid, expired or revoked (401, GET /me). The service said: "Clé API invalide". Check `apiKey`.',
    ],
    [
      403,
      'Non.',
      (client) => client.articles.publish(42),
      'articles.publish: the key lacks a permission, or the target is outside its scope (403, POST /articles/42/publish). The service said: "Non". The operation needs the permission `publish`.',
    ],
    [
      403,
      TEXTS.bulleOutOfScope,
      (client) => client.posts.list({ bulle_id: 'b-lyon' }),
      `posts.list: the location b-lyon is outside the key's scope (403, GET /posts). The service said: "${TEXTS.bulleOutOfScope.slice(0, -1)}".`,
    ],
    [
      404,
      'Établissement introuvable : b-9',
      (client) => client.connections.list({ bulle_id: 'b-9' }),
      'connections.list: no location has the `bulle_id` b-9 (404, GET /connections). The service said: "Établissement introuvable : b-9".',
    ],
    [
      400,
      'Plateforme non connectée',
      (client) => client.posts.create({ content: 'a', platforms: ['tiktok'] }),
      'posts.create: tiktok is not connected on this location (400, POST /posts). The service said: "Plateforme non connectée".',
    ],
    [
      400,
      'Plateforme non connectée',
      (client) => client.posts.create({ content: 'a', platforms: ['gmb', 'tiktok'] }),
      'posts.create: a platform is not connected on this location (one of gmb, tiktok: `posts.check` shows which) (400, POST /posts). The service said: "Plateforme non connectée".',
    ],
    [418, '', (client) => client.me(), 'me: the service responded with the status 418 (418, GET /me).'],
  ])('%i %j names what happened, where, and the words of the service', async (status, detail, act, message) => {
    const client = makeClient({ fetch: stubFetch(refuse(status, detail)), maxRetries: 0 });
    expect((await caught(act(client), ApiError)).message).toBe(message);
  });

  it.each<[name: string, status: number, body: string, act: Act, hint: RegExp | undefined]>([
    ['a route that is not there', 404, '{"detail":"Not Found"}', (client) => client.me(), /check `baseUrl`/],
    ['a page in place of a resource', 404, '<html>', (client) => client.articles.get(1), /check `baseUrl`/],
    ['a resource that is not there', 404, '{"detail":"Not Found"}', (client) => client.articles.get(1), undefined],
    [
      'a path of the caller',
      404,
      '{"detail":"Not Found"}',
      (client) => client.request({ method: 'GET', path: '/forecst' }),
      /Check `path`\./,
    ],
    ['a page with 200', 200, '<!doctype html><html>', (client) => client.me(), /It looks like a web page: `baseUrl`/],
    [
      'a page with 200 for a write',
      200,
      '<!doctype html><html>',
      (client) => client.articles.publish(42),
      /address of a website\. If it is correct, look whether a write happened before you send it again\.$/,
    ],
    ['a text with 200', 200, 'ok', (client) => client.me(), undefined],
  ])('%s: has a hint only if the hint applies', async (_, status, body, act, hint) => {
    const client = makeClient({ fetch: stubFetch(raw(body, { status })), maxRetries: 0 });
    const { message } = (await act(client).then(undefined, (error) => error)) as Error;
    if (hint) expect(message).toMatch(hint);
    else expect(message).not.toMatch(/check `/i);
  });

  it('does not mention a key if the client has none', async () => {
    for (const status of [401, 403]) {
      const articles = new ArticlesClient({ baseUrl: freshUrl(), fetch: stubFetch(refuse(status, '')) });
      const { message } = await caught(articles.list(), ApiError);
      expect(message).toContain('the server refused the request, and no API key was sent');
      expect(message).not.toMatch(/check `/i);
    }
  });

  it('of an unexpected shape names the path and how to accept the response', async () => {
    const articles = makeArticles({
      fetch: stubFetch(json({ ...LIST, articles: [{ ...LIST.articles[0], status: null }] })),
    });
    const { message } = await caught(articles.list(), InvalidResponseError);
    expect(message).toContain('`articles[0].status` must be a string; received null.');
    expect(message).toContain("Report the difference. Set `validation: 'warn'` to accept such responses.");
  });
});

describe('parameters that are no object', () => {
  const acts: [string, (client: Client, wrong: never) => PromiseLike<unknown> | AsyncIterator<unknown>][] = [
    ['posts.create', (client, wrong) => client.posts.create(wrong)],
    ['posts.list', (client, wrong) => client.posts.list(wrong)],
    ['posts.update', (client, wrong) => client.posts.update(42, wrong)],
    ['posts.check', (client, wrong) => client.posts.check(wrong)],
    ['posts.findRecent', (client, wrong) => client.posts.findRecent(wrong)],
    ['social.quota', (client, wrong) => client.social.quota(wrong)],
    ['reviews.reply', (client, wrong) => client.reviews.reply('r-1', wrong)],
    ['articles.publish', (client, wrong) => client.articles.publish(42, wrong)],
    ['articles.sync', (client, wrong) => client.articles.sync(wrong).next()],
    ['articles.changes', (client, wrong) => client.articles.changes(wrong).next()],
    ['articles.syncTo', (client, wrong) => client.articles.syncTo(memoryStore(), wrong)],
    ['seo.snapshot', (client, wrong) => client.seo.snapshot(wrong)],
    ['images.upload', (client, wrong) => client.images.upload(wrong)],
    ['reports.createAndWait', (client, wrong) => client.reports.createAndWait(wrong)],
  ];

  it.each(acts)('%s says so, and sends nothing', async (operation, act) => {
    const fetch = stubFetch(json({}));
    const client = makeClient({ fetch, identity: BULLE_IDENTITY });
    for (const [wrong, type] of [
      ['Merci', 'a string'],
      [5, 'a number'],
      [['Merci'], 'an array'],
      [new Date(), 'a date'],
    ]) {
      const error = await caught(act(client, wrong as never) as PromiseLike<unknown>, InvalidRequestError);
      expect(error.message).toMatch(
        new RegExp(`^${operation}: The parameters must be an object.*; received ${type}\\.$`),
      );
    }
    expect(fetch.calls).toHaveLength(0);
  });
});

describe('unknown names', () => {
  it.each<[act: Act, message: string]>([
    [
      (client) => client.articles.update(42, { titel: 'a' } as never),
      'articles.update: `titel` is an unknown parameter. Did you mean `title`?',
    ],
    [
      (client) => client.articles.list({ limit: 5 } as never),
      'articles.list: `limit` is an unknown parameter. `for await` reads all pages of the list.',
    ],
    [
      (client) => client.articles.publish(42, { dryRun: true } as never),
      'articles.publish: `dryRun` is an unknown parameter. Did you mean `dry_run`?',
    ],
    [
      (client) => client.me({ dispatcher: {} } as never),
      'me: `dispatcher` is an unknown option. Pass it in `fetchOptions`.',
    ],
    [
      (client) => client.me({ apiKey: KEY } as never),
      'me: `apiKey` is an unknown option. The key belongs to the client: pass `apiKey` to its constructor.',
    ],
  ])('get the nearest name, or the correct place of the option: %#', async (act, message) => {
    expect((await caught(act(makeClient({ fetch: stubFetch() })), InvalidRequestError)).message).toBe(message);
  });
});

describe('client options', () => {
  const message = (options: unknown) => thrown(() => new Client(options as ClientOptions), ConfigurationError).message;
  const baseUrl = 'https://api.test';

  it.each<[options: unknown, message: string]>([
    [KEY, 'The options must be an object such as { apiKey, baseUrl }; received a string.'],
    [{ token: KEY, apiKey: KEY, baseUrl }, '`token` is an unknown option.'],
    [
      { scope: 'sphere', apiKey: KEY, baseUrl },
      '`scope` is an option of `Client.connect`, and its only value is `sphere`.',
    ],
    [{ apiKey: '', baseUrl }, '`apiKey` is empty. Is the environment variable set?'],
    [{ apiKey: ' ', baseUrl }, '`apiKey` is empty. Is the environment variable set?'],
    [{ apiKey: `"${KEY}"`, baseUrl }, '`apiKey` is wrapped in quotes. Remove them, for example in the .env file.'],
    [{ apiKey: `Bearer ${KEY}`, baseUrl }, '`apiKey` must be the key only, without spaces or `Bearer`.'],
    [
      { apiKey: KEY, baseUrl: 'api.test' },
      '`baseUrl` must be an address that begins with https:// (or http:// for this machine).',
    ],
    [
      { apiKey: KEY, baseUrl: "'https://api.test'" },
      '`baseUrl` is wrapped in quotes. Remove them, for example in the .env file.',
    ],
    [{ apiKey: KEY, baseUrl, maxRetry: 1 }, '`maxRetry` is an unknown option. Did you mean `maxRetries`?'],
  ])('%# get a message that names the problem', (options, expected) => {
    expect(message(options)).toBe(`Invalid \`Client\` options. ${expected}`);
    expect(message(options)).not.toContain(KEY);
  });
});

it.each([
  ['MULTILOCAL_API_KEY', '`apiKey` is missing. Pass it, or set the environment variable MULTILOCAL_API_KEY.'],
  ['MULTILOCAL_BASE_URL', '`baseUrl` is missing. Pass it, or set the environment variable MULTILOCAL_BASE_URL.'],
])('without %s, the message names the variable', (missing, expected) => {
  vi.stubEnv('MULTILOCAL_API_KEY', KEY);
  vi.stubEnv('MULTILOCAL_BASE_URL', 'https://api.test');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const value of [undefined, '']) {
    vi.stubEnv(missing, value);
    for (const options of [undefined, {}, { timeout: 1_000 }]) {
      expect(thrown(() => new Client(options), ConfigurationError).message).toBe(expected);
    }
  }
});

it('an unknown option is named, although no key is set', () => {
  vi.stubEnv('MULTILOCAL_API_KEY', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const message = thrown(
    () => new Client({ token: KEY, baseUrl: 'https://api.test' } as never),
    ConfigurationError,
  ).message;
  expect(message).toBe('Invalid `Client` options. `token` is an unknown option.');
});

it('a second argument of the constructor is refused, whatever the first one is', () => {
  const Loose = Client as unknown as new (...given: unknown[]) => Client;
  for (const given of [
    [KEY, 'https://api.test'],
    [{ apiKey: KEY, baseUrl: 'https://api.test' }, 'x'],
    [undefined, {}],
    [{}, null],
  ]) {
    expect(() => new Loose(...given)).toThrow(
      new ConfigurationError('Invalid `Client` options. Pass one object: new Client({ apiKey, baseUrl }).'),
    );
  }
});

describe('a long wait for the limiter', () => {
  it('is reported once on the console, with its length and reason', async () => {
    vi.useFakeTimers();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const client = makeClient({ fetch: stubFetch(json(BULLE_IDENTITY)), rateLimit: { perMinute: 2 } });
    const calls = Promise.all([1, 2, 3, 4].map(() => client.me()));
    await vi.advanceTimersByTimeAsync(1);
    expect(warn.mock.calls).toEqual([
      [
        'multilocal: me waits 60 s for the request budget of its key (left: 0 of 2 a minute, 998 of 1000 a day). ' +
          'Set `rateLimit.maxWait` (ms) to fail instead of waiting that long.',
      ],
    ]);
    await vi.advanceTimersByTimeAsync(60_001);
    await calls;
    await Promise.all([client.me(), vi.advanceTimersByTimeAsync(60_001)]);
    expect(warn).toHaveBeenCalledTimes(2);
    expect(JSON.stringify(warn.mock.calls)).not.toContain(KEY);
  });

  it('is silent up to 5 s', async () => {
    vi.useFakeTimers();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const client = makeClient({ fetch: stubFetch(json(BULLE_IDENTITY)), rateLimit: { perMinute: 1 } });
    await client.me();
    await vi.advanceTimersByTimeAsync(55_000);
    await Promise.all([client.me(), vi.advanceTimersByTimeAsync(5_000)]);
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('error codes', () => {
  it('narrow to the class with its fields', async () => {
    const client = makeClient({
      fetch: stubFetch(refuse(400, TEXTS.missingFiche)),
      identity: SPHERE_IDENTITY,
      preflight: false,
    });
    const error = await caught(client.reviews.summary(), MissingFicheIdError);
    const choices = isMultilocalError(error) && error.code === 'missing_fiche_id' && error.choices;
    expect(choices).toEqual(SPHERE_IDENTITY.gmb_fiches);
  });
});

describe('a list of issues', () => {
  it('issues are printed with their paths, at most 20 of them', () => {
    const issues = Array.from({ length: 21 }, (_, index) => ({
      path: ['articles', index, 'id'],
      message: 'must be x',
    }));
    const printed = printIssues(issues, 'It').split('. ');
    expect(printed).toHaveLength(20);
    expect(printed[19]).toBe('`articles[19].id` must be x.');
  });

  it('an issue of the whole value has its name as subject', () => {
    expect(printIssues([{ path: [], message: 'must be an object' }], 'The response')).toBe(
      'The response must be an object.',
    );
  });
});
