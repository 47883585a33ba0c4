import { describe, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../../src/proxy/confirmations.js';
import { articlesProxy } from '../../src/proxy/index.js';
import { confirmation, json, KEY, LIST, PROXY, SECRET, Service } from './helpers.js';

const LEAKS = [KEY, SECRET, 'établissement', 'Clé', 'api.example.test', 'tenant', 'stack', 'x-upstream', 'ml_live'];

async function expectNothingLeaks(response: Response) {
  const body = await response.text();
  const all = `${JSON.stringify([...response.headers])}${body}`;
  for (const leak of LEAKS) expect(all).not.toContain(leak);
  expect(Object.keys(JSON.parse(body))).toEqual(['detail']);
  expect(JSON.parse(body).detail).toMatch(/^[\x20-\x7e]{5,100}$/);
  expect(response.headers.get('cache-control')).toBe('no-store');
}

function failing(status: number, headers: Record<string, string> = {}) {
  return () =>
    json(
      status,
      { detail: `Droits insuffisants pour cet établissement : Clé ${KEY}`, secret: SECRET, stack: 'at x.py' },
      { 'x-upstream': SECRET, 'x-api-key': KEY, 'set-cookie': `key=${KEY}`, server: SECRET, ...headers },
    );
}

describe('a failed run', () => {
  it.each<[string, () => Response | Promise<Response>]>([
    ['a refused key', failing(401)],
    ['a lost permission', failing(403)],
    ['a route that is gone', failing(404)],
    ['a limit', failing(429)],
    ['a failure', failing(500)],
    ['a broken connection', () => Promise.reject(new TypeError(`fetch failed for ${KEY}`))],
    ['a response of another shape', () => json(200, { articles: SECRET })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: `https://evil.example/${KEY}` } })],
  ])('by %s reaches visitors as 503, without details, and is not retried', async (_, reply) => {
    const service = new Service();
    const onError = vi.fn();
    const visit = service.visit({ onError });
    service.reply = reply;
    for (const path of [LIST, `${LIST}/1`, `${LIST}/99`]) {
      const response = await visit(path);
      expect(response.status).toBe(503);
      await expectNothingLeaks(response);
    }
    expect([service.asked.length, onError.mock.calls.length]).toEqual([1, 1]);
  });

  it('by an article of another shape, even if the client does not validate', async () => {
    const service = new Service();
    service.reply = () => json(200, { articles: [{ status: 'published', secret: SECRET }] });
    const visit = service.visit({ client: service.client({ validation: 'off' }) });
    expect((await visit(LIST)).status).toBe(503);
  });
});

/** A service that does not respond. */
const silent = (request: Request) =>
  new Promise<never>((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));

it.each([
  ['run', LIST, {}, 2_000, 503],
  ['confirmation', `${LIST}/1/confirm`, confirmation({}), TIMEOUT, 504],
])('a %s that gets no response ends', async (_, path, init, after, status) => {
  vi.useFakeTimers();
  const service = new Service();
  const visit = service.visit({ client: service.client({ timeout: after === 2_000 ? after : undefined }) });
  if (status === 504) await visit(LIST);
  service.reply = silent;
  const response = visit(path, init);
  await vi.advanceTimersByTimeAsync(after);
  expect([(await response).status, vi.getTimerCount()]).toEqual([status, 0]);
});

describe('a failed confirmation', () => {
  it.each([
    [400, 400],
    [401, 502],
    [403, 502],
    [404, 404],
    [408, 504],
    [409, 502],
    [410, 404],
    [422, 400],
    [429, 503],
    [500, 502],
    [504, 504],
  ])('by %i reaches visitors as %i, without details', async (status, expected) => {
    const service = new Service();
    const onError = vi.fn();
    const visit = service.visit({ onError });
    await visit(LIST);
    service.reply = failing(status, { 'retry-after': '30' });
    const response = await visit(`${LIST}/1/confirm`, confirmation({}));
    expect([response.status, response.headers.get('retry-after')]).toEqual([expected, status === 429 ? '30' : null]);
    await expectNothingLeaks(response);
    expect(onError).toHaveBeenCalledTimes(expected === 404 ? 0 : 1);
    expect(service.asked).toHaveLength(2);
  });
});

describe('an unexpected error', () => {
  const broken = () => {
    throw new Error(`${SECRET} ${KEY}`);
  };

  it('is a 500 without details, and onError gets the error', async () => {
    const onError = vi.fn();
    const service = new Service();
    const { articles } = service.client();
    const client = { articles: { syncTo: articles.syncTo.bind(articles), confirm: broken } };
    const visit = service.visit({ client, onError });
    const response = await visit(`${LIST}/1/confirm`, confirmation({}));
    expect(response.status).toBe(500);
    await expectNothingLeaks(response);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: `${SECRET} ${KEY}` })]]);
  });

  it('may be one of onError, or a rejection of it', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const service = new Service();
    service.reply = failing(500);
    // Not a `vi.fn`, which handles the rejections of what it wraps.
    for (const onError of [broken, async () => broken()]) {
      expect((await service.visit({ onError })(LIST)).status).toBe(503);
      const articles = { syncTo: broken, confirm: broken };
      expect((await service.visit({ client: { articles }, onError })(LIST)).status).toBe(503);
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('may be one of the request', async () => {
    const service = new Service();
    const proxy = articlesProxy({ client: service.client() });
    const request = { url: 'not a url', method: 'GET', headers: new Headers() } as Request;
    expect((await proxy(request)).status).toBe(500);
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error(SECRET));
      },
    });
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } };
    const response = await proxy(new Request(`${PROXY}${LIST}/1/confirm`, init as RequestInit));
    expect(response.status).toBe(400);
    await expectNothingLeaks(response);
  });
});

it('a request of another kind, as http.createServer has them, is rejected with what to do', async () => {
  const proxy = articlesProxy({ client: new Service().client() });
  const message = { url: '/api/v2/articles', method: 'GET', headers: {} };
  const error = { code: 'configuration', message: expect.stringMatching(/getRequestListener.*@hono\/node-server/) };
  await expect(proxy(message as unknown as Request)).rejects.toMatchObject(error);
});
