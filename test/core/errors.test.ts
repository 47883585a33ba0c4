import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { transform } from 'esbuild';
import { describe, expect, it, vi } from 'vitest';
import * as sdk from '../../src/index.js';
import {
  type ApiError,
  BulleNotFoundError,
  isMultilocalError,
  MissingFicheIdError,
  MultilocalError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
} from '../../src/index.js';
import { statuses } from '../spec/errors.js';
import { caught, makeArticles, makeClient, rejection, thrown } from '../support/clients.js';
import { KEY, SPHERE_IDENTITY, TEXTS } from '../support/fixtures.js';
import { json, raw, refuse, stubFetch } from '../support/stub-fetch.js';

/** The exports by name. */
const classes = { ...sdk };
const once = { maxRetries: 0 };

async function errorOf(status: number, body: unknown, identity = SPHERE_IDENTITY): Promise<ApiError> {
  const fetch = stubFetch(json(body, { status }));
  return caught(makeClient({ fetch, identity, ...once }).articles.get(42), sdk.ApiError);
}

describe('the class of a status', () => {
  it.each([
    ...statuses,
    ...[402, 405, 408, 418, 451, 501, 504, 599].map((status) => [status, 'ApiError', 'api_error'] as const),
  ])('%i is %s', async (status, name, code) => {
    const fetch = stubFetch(refuse(status, 'Un texte inconnu.', { 'x-trace': 'abc' }));
    const error = await caught(makeClient({ fetch, ...once }).articles.get(42), classes[name]);
    expect(Object.getPrototypeOf(error)).toBe(classes[name].prototype);
    const detail = 'Un texte inconnu.';
    const call = { operation: 'articles.get', method: 'GET', path: '/articles/42', attempts: 1 };
    expect(error).toMatchObject({ name, code, status, detail, body: { detail }, origin: 'service', ...call });
    expect(error.headers.get('x-trace')).toBe('abc');
    expect(error.message).toContain('The service said: "Un texte inconnu".');
    expect(isMultilocalError(error)).toBe(true);
  });

  it('has a `path` without the query and the prefix of the base URL', async () => {
    const fetch = stubFetch(refuse(404));
    const client = makeClient({ fetch, baseUrl: 'https://proxy.test/tenant/api/v2/' });
    const error = await caught(client.articles.list({ bulle_id: 'b-1' }), NotFoundError);
    expect(error.path).toBe('/articles');
  });
});

describe('the classes of the contract', () => {
  const TREE: Record<string, string> = {
    BadRequestError: 'MissingBulleIdError MissingFicheIdError PlatformNotConnectedError',
    PermissionDeniedError: 'BulleOutOfScopeError FicheOutOfScopeError MissingPermissionError',
    NotFoundError: 'BulleNotFoundError NoFicheError',
    RateLimitError: 'QuotaExceededError',
    ConnectionError: 'TimeoutError',
    ApiError: 'BadRequestError AuthenticationError PermissionDeniedError NotFoundError RateLimitError',
    MultilocalError:
      'ApiError ConnectionError RedirectError InvalidResponseError InvalidRequestError ConfigurationError ' +
      'DryRunUnsupportedError DryRunNotHonoredError WaitTimeoutError SyncStalledError SyncConflictError MassDeletionError',
    Error: 'MultilocalError',
  };
  const known = { ...classes, Error } as unknown as Record<string, object>;
  it.each(Object.entries(TREE))('%s is extended by %s', (parent, names) => {
    for (const name of names.split(' ')) expect(Object.getPrototypeOf(known[name]), name).toBe(known[parent]);
  });
});

const KNOWN = [
  [400, TEXTS.missingBulle, 'MissingBulleIdError', 'missing_bulle_id'],
  [400, TEXTS.missingFiche, 'MissingFicheIdError', 'missing_fiche_id'],
  [400, TEXTS.notConnected, 'PlatformNotConnectedError', 'platform_not_connected'],
  [403, TEXTS.bulleOutOfScope, 'BulleOutOfScopeError', 'bulle_out_of_scope'],
  [403, TEXTS.ficheOutOfScope, 'FicheOutOfScopeError', 'fiche_out_of_scope'],
  [404, TEXTS.bulleNotFound, 'BulleNotFoundError', 'bulle_not_found'],
  [404, TEXTS.noFiche, 'NoFicheError', 'no_fiche'],
] as const;

const VARIANTS: [name: string, of: (text: string) => string][] = [
  ['as specified', (text) => text],
  ['typographic apostrophe', (text) => text.replaceAll("'", '’')],
  ['no-break space before the colon', (text) => text.replaceAll(' :', '\u00a0:')],
  ['narrow no-break space before the colon', (text) => text.replaceAll(' :', '\u202f:')],
  ['decomposed accents', (text) => text.normalize('NFD')],
  ['upper case', (text) => text.toUpperCase()],
  ['lower case', (text) => text.toLowerCase()],
  ['all at once', (text) => text.toUpperCase().replaceAll("'", '’').replaceAll(' :', '\u00a0:').normalize('NFD')],
];

const PLACES: [name: string, of: (text: string) => unknown][] = [
  ['detail', (detail) => ({ detail })],
  ['message', (message) => ({ message })],
  ['error', (error) => ({ error })],
  ['a list of strings', (text) => ({ detail: [text] })],
  ['a list of { loc, msg }', (msg) => ({ detail: [{ loc: ['body', 'bulle_id'], msg, type: 'value_error' }] })],
  ['an object with message', (message) => ({ detail: { message } })],
  ['an object in error', (message) => ({ error: { message } })],
];

describe.each(KNOWN)('%i %s', (status, text, name, code) => {
  it.each(VARIANTS)('%s', async (_, vary) => {
    const error = await errorOf(status, { detail: vary(text) });
    expect(error).toBeInstanceOf(classes[name]);
    expect(error).toMatchObject({ name, code, status, detail: vary(text) });
  });

  it.each(PLACES)('in %s', async (_, place) => {
    const error = await errorOf(status, place(text));
    expect(error).toBeInstanceOf(classes[name]);
    expect(error.code).toBe(code);
    expect(error.detail).toContain(text);
  });

  it('with another status is the class of that status', async () => {
    const error = await errorOf(500, { detail: text });
    expect(error).toBeInstanceOf(sdk.InternalServerError);
    expect(error.code).toBe('internal_server_error');
  });
});

describe('what the errors carry', () => {
  it.each([
    ['Établissement introuvable\u00a0: B-Nulle-Part_7', 'B-Nulle-Part_7'],
    ['Établissement introuvable : B-Nulle-Part_7'.normalize('NFD'), 'B-Nulle-Part_7'],
    ['Établissement introuvable : urn:bulle:9', 'urn:bulle:9'],
  ])('BulleNotFoundError: %j has the whole identifier, in its letter case', async (detail, bulle_id) => {
    expect(await errorOf(404, { detail })).toMatchObject({ bulle_id });
  });

  it('BulleNotFoundError: only the identifier, beside another text', async () => {
    const body = { detail: 'Établissement introuvable : b-9', error: 'Not Found', statusCode: 404 };
    expect(await errorOf(404, body)).toMatchObject({ code: 'bulle_not_found', bulle_id: 'b-9' });
  });

  it.each(PLACES)('BulleNotFoundError: only the identifier, from %s', async (_, place) => {
    const error = await errorOf(404, place('Établissement introuvable : b-9'));
    expect(error).toMatchObject({ code: 'bulle_not_found', bulle_id: 'b-9' });
  });

  it('MissingFicheIdError: the listings of the identity as choices', async () => {
    const error = await errorOf(400, { detail: TEXTS.missingFiche });
    expect((error as MissingFicheIdError).choices).toEqual(SPHERE_IDENTITY.gmb_fiches);
    expect(await errorOf(400, { detail: TEXTS.missingBulle })).toMatchObject({ choices: expect.any(Array) });
  });

  it('MissingFicheIdError: no choices while the identity is unknown', async () => {
    const fetch = stubFetch(json({ detail: TEXTS.missingFiche }, { status: 400 }));
    const error = await caught(makeClient({ fetch }).articles.get(42), MissingFicheIdError);
    expect(error.choices).toEqual([]);
  });

  it('retryAfter is absent if the service sent none', async () => {
    const error = await errorOf(503, { detail: 'x' });
    expect(error.retryAfter).toBeUndefined();
  });
});

describe('a 429', () => {
  it.each([
    'Quota mensuel dépassé.',
    'Quota mensuel de scans SEO dépassé (10/10).',
    'QUOTA MENSUEL ATTEINT',
    'Quota mensuel de SMS atteint',
    'Quota de recherches dépassé. Une offre plus grande est requise. Contactez un administrateur.',
    'Quota de scans épuisé. Réessayez dans 72 heures.',
    'Monthly quota exceeded',
    'Votre quota d’articles est épuisé pour ce mois',
    "Quota mensuel de demandes d'avis atteint",
    // Although its text mentions requests.
    'Monthly quota of review requests exceeded',
  ])('"%s" is a quota and is not retried', async (detail) => {
    const fetch = stubFetch(json({ detail }, { status: 429 }));
    const error = await caught(makeClient({ fetch }).articles.get(42), QuotaExceededError);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: 'quota_exceeded', status: 429, attempts: 1 });
    expect(fetch.calls).toHaveLength(1);
  });

  it.each([
    'Trop de requêtes',
    'Limite de 60 requêtes par minute dépassée',
    'Rate limit exceeded',
    'Too many requests',
    'Limite de requêtes par jour atteinte',
    'Quota de 60 requêtes dépassé',
    'Quota par jour dépassé',
    'Limite quotidienne atteinte, quota : 1000',
    'Quota dépassé : 60 req/min',
    '',
  ])('"%s" is a rate limit', async (detail) => {
    const error = await errorOf(429, { detail });
    expect(error.code).toBe('rate_limit');
    expect(error).not.toBeInstanceOf(QuotaExceededError);
  });
});

describe('bodies that are hard to read', () => {
  it.each([
    ['null', null],
    ['0', 0],
    ['a string', 'x'],
    ['an empty list', []],
    ['an empty object', {}],
    ['detail null', { detail: null }],
    ['detail a number', { detail: 7 }],
    ['detail true', { detail: true }],
    ['nested lists', { detail: [[[[['deep']]]]] }],
    ['loc of odd things', { detail: [{ loc: [null, { a: 1 }, 3], msg: 'non' }] }],
    ['loc no list', { detail: [{ loc: 'body', msg: 5 }] }],
    ['own __proto__', JSON.parse('{"__proto__": {"detail": "pollué"}, "constructor": 1}')],
  ])('%s: the status still decides the class', async (_, body) => {
    const error = await errorOf(422, body);
    expect(error).toBeInstanceOf(sdk.UnprocessableEntityError);
    expect(typeof error.detail).toBe('string');
    expect(error.body).toEqual(body);
    expect(({} as { detail?: unknown }).detail).toBeUndefined();
  });

  it('a list of { loc, msg } becomes readable text', async () => {
    const issue = { loc: ['body', 'title'], msg: 'trop court' };
    const { detail } = await errorOf(422, { detail: [issue, { loc: ['body'], msg: 'invalide' }] });
    for (const text of ['trop court', 'title', 'invalide']) expect(detail).toContain(text);
    expect(detail).not.toContain('[object Object]');
  });

  it.each([
    [502, '<html><body>Bad Gateway</body></html>', 'text/html', sdk.BadGatewayError],
    [500, 'plain words', 'text/plain', sdk.InternalServerError],
    [404, '', 'text/plain', NotFoundError],
    [400, '{"detail": "coupé', 'application/json', sdk.BadRequestError],
  ])('%i with %j keeps the text as body', async (status, body, type, kind) => {
    const fetch = stubFetch(raw(body, { status, headers: { 'content-type': type } }));
    const error = await caught(makeClient({ fetch, ...once }).articles.get(42), kind);
    expect(error.body).toBe(body === '' ? undefined : body);
    expect(error.detail).toBe('');
  });

  it('problem+json and a byte order mark are read', async () => {
    const body = `\ufeff${JSON.stringify({ detail: TEXTS.noFiche })}`;
    const fetch = stubFetch(raw(body, { status: 404, headers: { 'content-type': 'application/problem+json' } }));
    await caught(makeClient({ fetch }).articles.get(42), sdk.NoFicheError);
  });

  it('a long text is cut in the message', async () => {
    const error = await errorOf(400, { detail: 'é'.repeat(50_000) });
    expect(error.message.length).toBeLessThan(5_000);
    expect(error.detail).toHaveLength(50_000);
  });
});

describe('two copies of the package in one process', () => {
  it('recognise each other’s errors', async () => {
    vi.resetModules();
    const other = (await import('../../src/index.js')) as typeof sdk;
    expect(other.NotFoundError).not.toBe(sdk.NotFoundError);

    const fetch = stubFetch(refuse(404, TEXTS.noFiche));
    const client = new other.Client({ apiKey: 'k', baseUrl: 'https://two-copies.test', fetch });
    const error = await rejection(client.articles.get(42));

    expect(error).toBeInstanceOf(other.NoFicheError);
    const kinds = [sdk.NoFicheError, sdk.NotFoundError, sdk.ApiError, sdk.MultilocalError, Error];
    for (const kind of kinds) expect(error).toBeInstanceOf(kind);
    const others = [sdk.BadRequestError, sdk.BulleNotFoundError, sdk.ConnectionError, sdk.ConfigurationError];
    for (const kind of others) expect(error).not.toBeInstanceOf(kind);
    expect(isMultilocalError(error)).toBe(true);
    const mine = thrown(() => new sdk.Client({ apiKey: '', baseUrl: 'x' }), sdk.ConfigurationError);
    expect(other.isMultilocalError(mine)).toBe(true);
  });

  it('the entries . and ./articles agree', async () => {
    const articles = await import('../../src/articles.js');
    const error = await rejection(makeArticles({ fetch: stubFetch(refuse(409)) }).update(1, { title: 'abc' }));
    expect(error).toBeInstanceOf(sdk.ConflictError);
    expect(error).toBeInstanceOf(articles.ConflictError);
  });
});

describe('isMultilocalError', () => {
  it('returns false for anything else', () => {
    const lookalike = { code: 'rate_limit', name: 'RateLimitError' };
    for (const value of [null, undefined, 'MultilocalError', new Error('x'), lookalike, () => {}]) {
      expect(isMultilocalError(value)).toBe(false);
      expect(value).not.toBeInstanceOf(MultilocalError);
    }
  });

  it('returns true for a subclass of the user, whose own instanceof is exact', async () => {
    class Mine extends NotFoundError {}
    const mine = new Mine('x', { status: 404, detail: '' });
    const other = await errorOf(404, {});
    expect(mine).toBeInstanceOf(Mine);
    expect(mine).toBeInstanceOf(NotFoundError);
    expect(isMultilocalError(mine)).toBe(true);
    expect(other).not.toBeInstanceOf(Mine);
  });
});

describe('names and codes', () => {
  it('survive minification', async () => {
    const paths = ['multilocal-error', 'api-errors', 'client-errors'];
    const sources = await Promise.all(
      paths.map((path) => readFile(new URL(`../../src/core/errors/${path}.ts`, import.meta.url), 'utf8')),
    );
    // One file, so that nothing but the classes' own names can keep them.
    const joined = sources.join('\n').replace(/^import [\s\S]*?;$/gm, '');
    const { code } = await transform(joined, { loader: 'ts', format: 'cjs', minify: true, target: 'es2022' });
    const module = { exports: {} as Record<string, new (...args: unknown[]) => Error & { code: string }> };
    new Function('module', 'exports', code)(module, module.exports);
    const { NotFoundError: Minified, TimeoutError, MassDeletionError } = module.exports;
    if (!Minified || !TimeoutError || !MassDeletionError) throw new Error('the classes are not there');
    expect(Minified.name).not.toBe('NotFoundError');
    const error = new Minified('rien', { status: 404, detail: '' });
    expect(error).toMatchObject({ name: 'NotFoundError', code: 'not_found' });
    expect(String(error)).toBe('NotFoundError: rien');
    expect(error).toBeInstanceOf(NotFoundError);
    expect(new TimeoutError('x')).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
    expect(new MassDeletionError('x', 1, 2)).toMatchObject({ name: 'MassDeletionError', code: 'mass_deletion' });
  });
});

describe('an error in a log', () => {
  it('has headers without enumerable methods, which copies of its fields keep', async () => {
    const fetch = stubFetch(refuse(404, 'non', { 'x-request-id': 'r-1' }));
    const error = await caught(makeClient({ fetch }).articles.get(42), NotFoundError);
    for (const name in error.headers) expect.unreachable(name);
    expect(error.headers).toBeInstanceOf(Headers);
    expect(error.headers.get('x-request-id')).toBe('r-1');
    // As pino and winston copy.
    for (const copy of [{ ...error }, Object.assign({}, error), error.toJSON()]) {
      expect(JSON.parse(JSON.stringify(copy)).headers).toMatchObject({ 'x-request-id': 'r-1' });
    }
  });

  it.each(['by the service', 'before it was sent'])(
    'has the number of its choices if it was refused %s',
    async (where) => {
      const gmb_fiches = Array.from({ length: 299 }, (_, id) => ({ id: `f-${id}`, service_area: false }));
      const preflight = where === 'before it was sent';
      const fetch = stubFetch(refuse(400, TEXTS.missingFiche));
      const client = makeClient({ fetch, identity: { ...SPHERE_IDENTITY, gmb_fiches }, preflight });
      const error = await caught(client.reviews.list(), MissingFicheIdError);
      expect(fetch.calls).toHaveLength(preflight ? 0 : 1);
      expect(error.choices).toEqual(gmb_fiches);
      expect(JSON.parse(JSON.stringify(error)).choices).toBe(299);
      expect(inspect(error)).toContain('choices: 299');
      expect(JSON.stringify(client.identity?.gmb_fiches)).toContain('f-298');
    },
  );
});

describe('toJSON', () => {
  it('contains the fields that a log needs', async () => {
    const headers = { 'x-request-id': 'r-1', 'retry-after': '9', 'x-echo': KEY };
    const fetch = stubFetch(refuse(404, 'Établissement introuvable : b-9', headers));
    const error = await caught(makeClient({ fetch }).articles.get(42), BulleNotFoundError);
    const { name, code, message, status, detail, bulle_id, operation, method, path, attempts, outcome, origin } = error;
    const written = JSON.parse(JSON.stringify(error)) as object;
    expect(written).toMatchObject({ name, code, message, status, detail, bulle_id, operation, method, path, attempts });
    expect(written).toMatchObject({ outcome, origin, headers: { 'x-request-id': 'r-1', 'retry-after': '9' } });
    expect(JSON.stringify(written)).not.toContain(KEY);
  });

  it('contains the issues of an InvalidRequestError', async () => {
    const error = await caught(makeArticles({ fetch: stubFetch() }).get(Number.NaN), sdk.InvalidRequestError);
    const expected = { code: 'invalid_request', issues: [{ path: ['article_id'] }] };
    expect(JSON.parse(JSON.stringify(error))).toMatchObject(expected);
  });
});
