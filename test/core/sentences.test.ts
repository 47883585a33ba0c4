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
    '`bulle_id` is required because this key covers several locations (see client.bulles.list())',
  ],
  [
    400,
    'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).',
    '`fiche_id` is required because this key covers several listings (see client.identity.gmb_fiches)',
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
