import { afterEach, describe, expect, it, vi } from 'vitest';
import { articlesProxy } from '../../src/proxy/index.js';
import { confirmation, json, KEY, LIST, PROXY, SECRET, Service } from './helpers.js';

afterEach(() => {
  vi.useRealTimers();
});

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

describe('an error of the service', () => {
  it.each([
    [400, 400],
    [401, 502],
    [402, 502],
    [403, 502],
    [404, 404],
    [405, 502],
    [408, 504],
    [409, 502],
    [410, 404],
    [418, 502],
    [422, 400],
    [429, 503],
    [500, 502],
    [502, 502],
    [503, 502],
    [504, 504],
    [599, 502],
  ])('%i reaches visitors as %i, without details', async (status, expected) => {
    const service = new Service();
    const onError = vi.fn();
    const visit = service.visit({ onError });
    service.reply = failing(status);
    const response = await visit(`${LIST}/1`);
    expect(response.status).toBe(expected);
    await expectNothingLeaks(response);
    expect(onError).toHaveBeenCalledTimes(expected === 404 ? 0 : 1);
    expect(service.asked).toHaveLength(1);
  });

  it('403 for an article of a location out of scope is a 404', async () => {
    const service = new Service();
    service.reply = () => json(403, { detail: "Cet établissement n'appartient pas à votre périmètre." });
    const response = await service.visit()(`${LIST}/1`);
    expect(response.status).toBe(404);
    await expectNothingLeaks(response);
  });

  it('treats a 404 for a list as an error of the setup', async () => {
    const service = new Service();
    service.reply = failing(404);
    const response = await service.visit()(LIST);
    expect(response.status).toBe(502);
    await expectNothingLeaks(response);
  });

  it.each([
    [403, "Cet établissement n'appartient pas à votre périmètre."],
    [404, 'Établissement introuvable : b-nowhere'],
  ])('%i tells of a location only that there is none', async (status, detail) => {
    const service = new Service();
    service.reply = () => json(status, { detail });
    const response = await service.visit()(`${LIST}?bulle_id=b-nowhere`);
    expect([response.status, await response.json()]).toEqual([404, { detail: 'No such location.' }]);
  });

  it('does not reveal that a sphere key must name a location', async () => {
    const service = new Service();
    const detail = 'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).';
    service.reply = () => json(400, { detail });
    const response = await service.visit()(LIST);
    expect(response.status).toBe(502);
    await expectNothingLeaks(response);
  });

  it.each([
    ['30', '30'],
    ['0', '1'],
    ['1', '1'],
    [undefined, '10'],
  ])('429 with Retry-After %s says %s', async (sent, told) => {
    const service = new Service();
    service.reply = failing(429, sent === undefined ? {} : { 'retry-after': sent });
    const response = await service.visit()(LIST);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, told]);
    await expectNothingLeaks(response);
  });

  it.each([
    ['a broken connection', () => Promise.reject(new TypeError(`fetch failed for ${KEY}`)), 502],
    ['a response that is not JSON', () => new Response(`<html>${SECRET}</html>`), 502],
    ['a response of another shape', () => json(200, { articles: SECRET }), 502],
    ['an empty response', () => new Response(null, { status: 204 }), 502],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: `https://evil.example/${KEY}` } }),
      502,
    ],
  ])('%s', async (_, reply, status) => {
    const service = new Service();
    service.reply = reply;
    const response = await service.visit()(LIST);
    expect(response.status).toBe(status);
    await expectNothingLeaks(response);
  });

  it('validates responses even if the client does not', async () => {
    const service = new Service();
    service.reply = () => json(200, { articles: [{ status: 'published', secret: SECRET }] });
    const visit = service.visit({ client: service.client({ validation: 'off' }) });
    expect((await visit(LIST)).status).toBe(502);
  });

  it('a timeout is a 504', async () => {
    vi.useFakeTimers();
    const service = new Service();
    service.reply = (request) =>
      new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    const answer = service.visit({ timeout: 2_000 })(LIST);
    await vi.advanceTimersByTimeAsync(2_000);
    const response = await answer;
    expect(response.status).toBe(504);
    await expectNothingLeaks(response);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gets no retry for one visitor', async () => {
    const service = new Service();
    service.reply = failing(503);
    await service.visit()(LIST);
    expect(service.asked).toHaveLength(1);
  });
});

describe("the client's own limiter", () => {
  const rateLimit = { perMinute: 1, perDay: 1000 };

  it('refuses: 503', async () => {
    const service = new Service();
    const client = service.client({ apiKey: 'ml_live_limited-1', rateLimit: { ...rateLimit, maxWait: 0 } });
    service.reply = () => json(200, { articles: [], total: 0, limit: 1, offset: 0 });
    const visit = service.visit({ client });
    expect((await visit(LIST)).status).toBe(200);
    const response = await visit(`${LIST}?offset=1`);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(50);
  });

  it('waits too long: 503, and nothing was sent', async () => {
    vi.useFakeTimers();
    const service = new Service();
    const client = service.client({ apiKey: 'ml_live_limited-2', rateLimit });
    service.reply = () => json(200, { articles: [], total: 0, limit: 1, offset: 0 });
    const visit = service.visit({ client });
    await visit(LIST);
    const answer = visit(`${LIST}?offset=1`);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await answer).status).toBe(503);
    expect(service.asked).toHaveLength(1);
  });
});

describe('an unexpected error', () => {
  const broken = () => {
    throw new Error(`${SECRET} ${KEY}`);
  };

  it('is a 500 without details, and onError gets the error', async () => {
    const onError = vi.fn();
    const articles = { list: broken, get: broken, confirm: broken };
    const proxy = articlesProxy({ client: { articles }, onError });
    const response = await proxy(new Request(`${PROXY}${LIST}`));
    expect(response.status).toBe(500);
    await expectNothingLeaks(response);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: `${SECRET} ${KEY}` })]]);
  });

  it('may be one of onError', async () => {
    const service = new Service();
    service.reply = failing(500);
    expect((await service.visit({ onError: broken })(LIST)).status).toBe(502);
  });

  it('may be a rejection of onError', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const service = new Service();
    service.reply = failing(500);
    let calls = 0;
    // Not a `vi.fn`, which handles the rejections of what it wraps.
    const onError = async () => {
      calls++;
      broken();
    };
    expect((await service.visit({ onError })(LIST)).status).toBe(502);
    const articles = { list: broken, get: broken, confirm: broken };
    expect((await service.visit({ client: { articles }, onError })(LIST)).status).toBe(500);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(calls).toBe(2);
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

  it('of a confirmation leaks nothing either', async () => {
    const service = new Service();
    const visit = service.visit();
    await visit(LIST);
    service.reply = failing(500);
    const response = await visit(`${LIST}/1/confirm`, confirmation({}));
    expect(response.status).toBe(502);
    await expectNothingLeaks(response);
  });
});

it('a request of another kind, as http.createServer has them, is rejected with what to do', async () => {
  const proxy = articlesProxy({ client: new Service().client() });
  const message = { url: '/api/v2/articles', method: 'GET', headers: {} };
  await expect(proxy(message as unknown as Request)).rejects.toThrow(/getRequestListener.*@hono\/node-server/);
});
