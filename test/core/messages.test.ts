import { describe, expect, it, vi } from 'vitest';
import { ArticlesClient } from '../../src/articles.js';
import type { Client, ClientOptions } from '../../src/client.js';
import { ApiError, InvalidRequestError, InvalidResponseError, MultilocalError } from '../../src/core/errors/index.js';
import { printIssues } from '../../src/core/issues.js';
import { memoryStore } from '../../src/resources/articles-sync.js';
import { caught, freshUrl, makeArticles, makeClient } from '../support/clients.js';
import { BULLE_IDENTITY, LIST, TEXTS } from '../support/fixtures.js';
import { fail, hang, json, type Reply, raw, refuse, stubFetch } from '../support/stub-fetch.js';

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
    [
      403,
      'Non.',
      (client) => client.health(),
      'health: the key lacks a permission, or the target is outside its scope (403, GET /health). The service said: "Non".',
    ],
    [418, '', (client) => client.me(), 'me: the service responded with the status 418 (418, GET /me).'],
  ])('%i %j names what happened, where, and the words of the service', async (status, detail, act, message) => {
    const client = makeClient({ fetch: stubFetch(refuse(status, detail)), maxRetries: 0 });
    expect((await caught(act(client), ApiError)).message).toBe(message);
  });

  it.each<[name: string, status: number, body: string, act: Act, hint: RegExp | undefined]>([
    ...['{"detail":"Not Found"}', '{"detail":"Not found."}', '{"detail":"Ressource introuvable."}', ''].map(
      (body): [string, number, string, Act, RegExp] => [
        'a route that is not there',
        404,
        body,
        (client) => client.me(),
        /check `baseUrl`/,
      ],
    ),
    ['an answer of the service', 404, '{"detail":"Article introuvable"}', (client) => client.me(), undefined],
    ['a page in place of a resource', 404, '<html>', (client) => client.articles.get(1), /check `baseUrl`/],
    ['a resource that is not there', 404, '{"detail":"Not Found"}', (client) => client.articles.get(1), undefined],
    [
      'a path of the caller',
      404,
      '{"detail":"Not Found"}',
      (client) => client.request({ method: 'GET', path: '/forecst' }),
      /Check `path`\./,
    ],
    [
      'a page with 200',
      200,
      '<!doctype html><html>',
      (client) => client.me(),
      /It looks like a web page: check `baseUrl`/,
    ],
    [
      'a page with 200 for a write',
      200,
      '<!doctype html><html>',
      (client) => client.articles.publish(42),
      /check `baseUrl`\. If it is correct, look whether the write happened\.$/,
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
    expect(message).toBe(
      'articles.list: the response does not have the expected shape (200, GET /articles). ' +
        '`articles[0].status` must be a string; received null. ' +
        "Set `validation: 'warn'` to accept such responses.",
    );
  });
});

describe('parameters that are no object', () => {
  const acts: [string, (c: Client, wrong: never) => PromiseLike<unknown>][] = [
    ['posts.create', (c, wrong) => c.posts.create(wrong)],
    ['posts.list', (c, wrong) => c.posts.list(wrong)],
    ['posts.check', (c, wrong) => c.posts.check(wrong)],
    ['posts.findRecent', (c, wrong) => c.posts.findRecent(wrong)],
    ['articles.sync', (c, wrong) => c.articles.sync(wrong).next()],
    ['articles.changes', (c, wrong) => c.articles.changes(wrong).next()],
    ['articles.syncTo', (c, wrong) => c.articles.syncTo(memoryStore(), wrong)],
    ['images.upload', (c, wrong) => c.images.upload(wrong)],
    ['reports.createAndWait', (c, wrong) => c.reports.createAndWait(wrong)],
  ];

  it.each(acts)('%s says so, and sends nothing', async (operation, act) => {
    const fetch = stubFetch(json({}));
    const client = makeClient({ fetch, identity: BULLE_IDENTITY });
    const values = { 'a string': 'Merci', 'a number': 5, 'an array': ['Merci'], 'a date': new Date() };
    for (const [type, wrong] of Object.entries(values)) {
      const { message } = await caught(act(client, wrong as never), InvalidRequestError);
      expect(message).toMatch(new RegExp(`^${operation}: The parameters must be an object.*; received ${type}\\.$`));
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
  ])('get the nearest name: %#', async (act, message) => {
    expect((await caught(act(makeClient({ fetch: stubFetch() })), InvalidRequestError)).message).toBe(message);
  });
});

describe('a list of issues', () => {
  it('issues are printed with their paths, at most 20 of them', () => {
    const issues = Array.from({ length: 21 }, (_, at) => ({ path: ['articles', at, 'id'], message: 'must be x' }));
    const printed = printIssues(issues, 'It').split('. ');
    expect(printed).toHaveLength(20);
    expect(printed[19]).toBe('`articles[19].id` must be x.');
  });

  it('an issue of the whole value has its name as subject', () => {
    const issue = { path: [], message: 'must be an object' };
    expect(printIssues([issue], 'The response')).toBe('The response must be an object.');
  });
});

const failureOf = (reply: Reply, options: ClientOptions = {}) => {
  const always = {
    fetch: stubFetch(reply),
    maxRetries: 0,
    baseUrl: 'https://sentences.test',
    rateLimit: false,
  } as const;
  return caught(makeClient({ ...always, ...options }).sites.list(), MultilocalError);
};

it.each([
  [400, undefined, 'the service refused the request as invalid'],
  [404, undefined, 'the resource does not exist, or the key does not cover it'],
  [409, undefined, 'the state of the resource does not allow this'],
  [410, undefined, 'the resource is gone at the provider'],
  [422, undefined, 'the service refused the data as invalid'],
  [429, undefined, 'too many requests'],
  [500, undefined, 'the service failed'],
  [502, undefined, 'a provider behind the service failed'],
  [503, undefined, 'the service is not available'],
  [429, 'Quota mensuel dépassé', 'the monthly quota is used up'],
  [400, TEXTS.missingBulle, '`bulle_id` is required because this key covers several locations'],
  [400, TEXTS.missingFiche, '`fiche_id` is required because this key covers several listings'],
  [403, "Cet établissement n'appartient pas à votre périmètre.", "the location is outside the key's scope"],
  [403, 'Cet  établissement n’appartient pas\nà votre périmètre.', "the location is outside the key's scope"],
  [403, "Cette fiche GMB n'appartient pas à votre périmètre.", "the listing is outside the key's scope"],
  [404, 'Établissement introuvable : bul_lyon', 'no location has this `bulle_id`'],
  [404, 'Établissement introuvable:bul_lyon', 'no location has this `bulle_id`'],
  [404, 'Établissement introuvable', 'the resource does not exist, or the key does not cover it'],
])('%s %s', async (status, detail, sentence) => {
  const { message } = await failureOf(json({ detail }, { status }));
  const see = ` (see \`client.${detail === TEXTS.missingBulle ? 'bulles.list()' : 'identity.gmb_fiches'}\`)`;
  const hint = detail?.startsWith('Cette clé API') ? see : '';
  expect(message).toContain(`sites.list: ${sentence}${hint} (${status}, GET /sites)`);
});

it.each([
  ['<!DOCTYPE html><h1>Bonjour</h1>', 'the response is not JSON', 'page'],
  ['  <html>', 'the response is not JSON', 'page'],
  ['Bonjour <html>', 'the response is not JSON', undefined],
  ['{"a": [1', 'the response is not JSON', undefined],
  ['{"sites": []}', 'the response does not have the expected shape', undefined],
])('a body that is none: %s', async (body, sentence, hint) => {
  const error = await failureOf(raw(body));
  expect(error.message).toContain(sentence);
  expect(/web page|HTML/i.test(error.message)).toBe(hint === 'page');
  expect(error).toMatchObject({ status: 200, issues: [expect.objectContaining({ path: [] })] });
});

const away = (status: number, location?: string) =>
  raw(null, { status, headers: location === undefined ? {} : { location } });
const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('cable')) });
const refused = () => Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
const severalRefused = Object.assign(new AggregateError([refused(), refused()]), { code: 'ECONNREFUSED' });
const LATE = 'the call took longer than `totalTimeout` (15 ms)';
it.each<[string, Reply, ClientOptions, sentence: string]>([
  ['an attempt takes too long', hang, { timeout: 15 }, 'no complete response within 15 ms (GET /sites)'],
  ['the call takes too long', hang, { totalTimeout: 15 }, `${LATE} (GET /sites)`],
  [
    'an attempt of a call',
    hang,
    { timeout: 15, totalTimeout: 60_000 },
    'no complete response within 15 ms (GET /sites)',
  ],
  [
    'a wait for a place',
    hang,
    { totalTimeout: 15, rateLimit: { acquire: () => new Promise<never>(() => {}) } },
    `${LATE}, all of it before the first request was sent`,
  ],
  [
    'a redirect to another server',
    away(300, 'https://elsewhere.test/api?x=1'),
    {},
    'the server redirects to https://elsewhere.test; redirects are not followed, to protect the key (300, GET /sites). ' +
      'Set `baseUrl` to the final address.',
  ],
  ['a redirect to nowhere', away(302), {}, 'the server redirects; redirects are not followed, to protect the key'],
  ['a redirect to a path', away(399, '/login'), {}, 'the server redirects to https://sentences.test; redirects'],
  ['a failed connection', () => Promise.reject(new TypeError('no route')), {}, 'the connection failed: no route'],
  [
    'a refused connection',
    fail('ECONNREFUSED'),
    {},
    'no connection to the service: connect ECONNREFUSED (GET /sites). Check `baseUrl` and the network.',
  ],
  [
    'a refused connection whose failure has no text, as for a name with several addresses',
    () => Promise.reject(new TypeError('fetch failed', { cause: severalRefused })),
    {},
    'no connection to the service (GET /sites). Check `baseUrl` and the network.',
  ],
  ['a broken connection', raw(broken), {}, 'the connection broke: cable'],
])('%s', async (_, reply, options, sentence) => {
  vi.useFakeTimers();
  const [failure] = await Promise.all([failureOf(reply, options), vi.advanceTimersByTimeAsync(15)]);
  expect(failure.message).toContain(`sites.list: ${sentence}`);
});

it('a connection that fails in a page says what only the browser knows, and one that broke does not', async () => {
  vi.stubGlobal('location', new URL('https://page.test'));
  const hidden = 'The browser does not say why: check CORS';
  expect((await failureOf(() => Promise.reject(new TypeError('no')))).message).toContain(hidden);
  expect((await failureOf(raw('{"a"', { headers: { 'content-length': '9' } }))).message).not.toContain(hidden);
});

it('a write that succeeded is not to be sent again', async () => {
  const client = makeClient({ fetch: stubFetch(json({})), maxRetries: 0 });
  const call = client.qrCodes.create({ target_url: 'https://a.test', name: 'a' });
  expect((await caught(call, InvalidResponseError)).message).toContain('The request succeeded: do not send it again.');
});

describe('a write whose outcome is unknown', () => {
  const publish: Act = (client) => client.articles.publish(42);
  const trace = 'If it happened, `articles.get(id)` shows the status `published`';
  it.each<[string, Reply, Act, sentence: string]>([
    ['a costly write after a 503', refuse(503), publish, trace],
    ['a costly write whose connection broke', fail('ECONNRESET'), publish, trace],
    ['a harmless write', refuse(503), (client) => client.articles.confirm(42), 'You can call it again.'],
    [
      'a route that the client does not know',
      refuse(503),
      (client) => client.request({ method: 'POST', path: '/new' }),
      'Check this before you call it again.',
    ],
  ])('says so, and what to do: %s', async (_, reply, call, sentence) => {
    const error = await caught(call(makeClient({ fetch: stubFetch(reply), maxRetries: 0 })), MultilocalError);
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain(`It is unknown whether the write happened. ${sentence}`);
  });

  it('is none if it was a read', async () => {
    expect((await failureOf(refuse(503))).message).not.toContain('unknown');
  });
});
