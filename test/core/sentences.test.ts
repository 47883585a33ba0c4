import { expect, it } from 'vitest';
import { Client, type MultilocalError } from '../../src/index.js';

const client = (fetch: () => Response, more: object = {}) =>
  new Client({
    apiKey: 'sentences_live_0123456789',
    baseUrl: 'https://sentences.test',
    fetch: async () => fetch(),
    maxRetries: 0,
    rateLimit: false,
    ...more,
  });

const failureOf = (call: PromiseLike<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error: MultilocalError) => error,
  );

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
  [429, 'Quota de recherches dépassé', 'the monthly quota is used up'],
  [429, 'Quota de 60 requêtes dépassé', 'too many requests'],
  [429, 'Quota par jour dépassé', 'too many requests'],
  [
    400,
    'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).',
    '`bulle_id` is required because this key covers several locations (see `client.bulles.list()`)',
  ],
  [
    400,
    'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).',
    '`fiche_id` is required because this key covers several listings (see `client.identity.gmb_fiches`)',
  ],
  [403, "Cet établissement n'appartient pas à votre périmètre.", "the location is outside the key's scope"],
  [403, 'Cet  établissement n’appartient pas\nà votre périmètre.', "the location is outside the key's scope"],
  [403, "Cette fiche GMB n'appartient pas à votre périmètre.", "the listing is outside the key's scope"],
  [404, 'Établissement introuvable : bul_lyon', 'no location has this `bulle_id`'],
  [404, 'Établissement introuvable:bul_lyon', 'no location has this `bulle_id`'],
  [404, 'Établissement introuvable', 'the resource does not exist, or the key does not cover it'],
])('%s %s', async (status, detail, sentence) => {
  const { message } = await failureOf(client(() => Response.json({ detail }, { status })).sites.list());
  expect(message).toContain(`sites.list: ${sentence} (${status}, GET /sites)`);
});

it.each([
  ['<!DOCTYPE html><h1>Bonjour</h1>', 'the response is not JSON', 'page'],
  ['  <html>', 'the response is not JSON', 'page'],
  ['Bonjour <html>', 'the response is not JSON', undefined],
  ['{"a": [1', 'the response is not JSON', undefined],
  ['{"sites": []}', 'the response does not have the expected shape', undefined],
])('a body that is none: %s', async (body, sentence, hint) => {
  const error = await failureOf(client(() => new Response(body)).sites.list());
  expect(error.message).toContain(sentence);
  expect(/web page|HTML/i.test(error.message)).toBe(hint === 'page');
  expect(error).toMatchObject({ status: 200, issues: [expect.objectContaining({ path: [] })] });
});

it.each([
  ['http://localhost:4010', true],
  ['http://api.localhost', true],
  ['http://127.0.0.1', true],
  ['http://127.100.20.255:80', true],
  ['http://[::1]:8080', true],
  ['http://localhost.evil.test', false],
  ['http://notlocalhost', false],
  ['http://127.0.0.1.evil.test', false],
  ['http://evil127.0.0.1.test', false],
])('the key may be sent over http to %s: %s', (baseUrl, isAllowed) => {
  const create = () => client(() => Response.json([]), { baseUrl });
  if (isAllowed) expect(create).not.toThrow();
  else expect(create).toThrow('allowHttp');
});

/** Ends only with its signal. */
const never = ({ signal }: { signal?: AbortSignal | null | undefined } = {}) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

it.each([
  ['an attempt', { timeout: 15 }, 'sites.list: no complete response within 15 ms (GET /sites)'],
  ['the call', { totalTimeout: 15 }, 'sites.list: the call took longer than `totalTimeout` (15 ms) (GET /sites)'],
  ['an attempt of a call', { timeout: 15, totalTimeout: 60_000 }, 'sites.list: no complete response within 15 ms'],
  [
    'the wait for a place',
    { totalTimeout: 15, rateLimit: { acquire: never } },
    'sites.list: the call took longer than `totalTimeout` (15 ms), all of it before the first request was sent',
  ],
])('a time limit of %s', async (_, options, sentence) => {
  const error = await failureOf(
    client(() => Response.error(), {
      fetch: (_: unknown, init?: RequestInit) => never(init ?? {}),
      ...options,
    }).sites.list(),
  );
  expect([error.code, error.message.startsWith(sentence)]).toEqual(['timeout', true]);
});

it.each([
  [300, 'https://elsewhere.test/api?x=1', ' to https://elsewhere.test;'],
  [302, undefined, ';'],
  [399, '/login', ' to https://sentences.test;'],
])('a redirect with %s', async (status, location, where) => {
  const headers: Record<string, string> = location === undefined ? {} : { location };
  const error = await failureOf(client(() => new Response(null, { status, headers })).sites.list());
  expect(error.message).toContain(
    `the server redirects${where.slice(0, -1)}; redirects are not followed, to protect the key`,
  );
  expect(error.message).toContain('Set `baseUrl` to the final address.');
});

it('a connection that fails before, and one that breaks during the response', async () => {
  const refused = await failureOf(
    client(() => expect.unreachable(), { fetch: () => Promise.reject(new TypeError('no route')) }).sites.list(),
  );
  expect(refused.message).toContain('sites.list: the connection failed: no route');
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('cable')) });
  const broken = await failureOf(client(() => new Response(body)).sites.list());
  expect(broken.message).toContain('sites.list: the connection broke: cable');
});

it.each([
  ['"https://sentences.test"', 'quotes'],
  [" 'https://sentences.test' ", 'quotes'],
  ['\t`https://sentences.test`\n', 'quotes'],
  ['   ', 'is empty'],
  ['httpx://sentences.test', 'baseUrl'],
  ['shttp://sentences.test', 'baseUrl'],
])('the address %j', (baseUrl, text) => {
  expect(() => client(() => Response.json([]), { baseUrl })).toThrow(text);
});

it.each(['a "quoted" part', '"only at the beginning', 'only at the end"'])(
  'a name with quotes inside is none in quotes: %s',
  (name) => {
    expect(() => client(() => Response.json([]), { apiKey: name.replaceAll(' ', '_') })).not.toThrow('quotes');
  },
);
