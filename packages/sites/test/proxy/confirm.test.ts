import { describe, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../../src/proxy/confirmations.js';
import { type ArticlesProxyOptions, articlesProxy } from '../../src/proxy/index.js';
import { confirmation, gate, json, LIST, Service } from './helpers.js';

const SITE = 'https://www.example.com';
const PAGE = `${SITE}/blog/levain`;
const PATH = `${LIST}/1/confirm`;

function prepared(options: Parameters<Service['visit']>[0] = {}) {
  const service = new Service();
  const visit = service.visit({ confirm: { origins: [SITE] }, ...options });
  const confirms = () => service.asked.filter((line) => line.startsWith('POST'));
  return { service, visit, confirms };
}

describe('a confirmation', () => {
  it('goes to the service, and its result back', async () => {
    const { service, visit, confirms } = prepared();
    const response = await visit(PATH, confirmation({ rendered_url: PAGE }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      article_id: 1,
      confirmed_at: expect.any(String),
      confirmation_source: 'pingback',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    // It may name no page.
    const type = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await visit(`${LIST}/2/confirm`, confirmation({}, type))).status).toBe(200);
    expect(confirms()).toEqual(['POST /articles/1/confirm', 'POST /articles/2/confirm']);
    expect(service.bodies).toEqual([{ rendered_url: PAGE }, {}]);
  });

  it('costs one request for an article and a page, at once and later', async () => {
    vi.useFakeTimers();
    const { service, visit, confirms } = prepared({ refresh: 60_000 });
    const held = gate();
    service.reply = async (request) => {
      if (request.method === 'POST') await held.opened;
      return undefined;
    };
    const answers = Promise.all(Array.from({ length: 100 }, () => visit(PATH, confirmation({ rendered_url: PAGE }))));
    await vi.advanceTimersByTimeAsync(0);
    held.open();
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200]));
    await vi.advanceTimersByTimeAsync(59_000);
    await visit(PATH, confirmation({ rendered_url: PAGE }));
    expect(confirms()).toHaveLength(1);
    await visit(PATH, confirmation({}));
    await visit(PATH, confirmation({ rendered_url: `${PAGE}/2` }));
    await visit(`${LIST}/2/confirm`, confirmation({ rendered_url: PAGE }));
    expect(confirms()).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1_000);
    await visit(PATH, confirmation({ rendered_url: PAGE }));
    expect(confirms()).toHaveLength(5);
  });

  it('costs one request for a page, whatever query and hash visitors invent, and however they write its host', async () => {
    const { visit, confirms, service } = prepared();
    const hosts = [SITE, 'https://WWW.example.com', 'https://www。example.com'];
    const pages = hosts.flatMap((host) =>
      ['?x=1', '?x=2', '#a', '?x=3#b', ''].map((end) => `${host}/blog/levain${end}`),
    );
    for (const rendered_url of pages) expect((await visit(PATH, confirmation({ rendered_url }))).status).toBe(200);
    expect([confirms().length, service.bodies]).toEqual([1, [{ rendered_url: `${PAGE}?x=1` }]]);
  });

  it('that fails is not kept: it is sent for each visitor, and onError gets each kind once in `refresh`', async () => {
    vi.useFakeTimers();
    const onError = vi.fn();
    const { service, visit, confirms } = prepared({ onError, refresh: 60_000 });
    const confirm = async () => (await visit(PATH, confirmation({ rendered_url: PAGE }))).status;
    const fail = (status: number) => {
      service.reply = (request) => (request.method === 'POST' ? json(status, {}) : undefined);
    };
    expect(await confirm()).toBe(200);
    // Nor is the one before served then.
    await vi.advanceTimersByTimeAsync(60_000);
    fail(500);
    for (let visitor = 0; visitor < 5; visitor++) expect(await confirm()).toBe(502);
    expect([confirms().length, onError.mock.calls.length]).toEqual([6, 1]);
    fail(401);
    expect([await confirm(), onError.mock.calls.length]).toEqual([502, 2]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([await confirm(), onError.mock.calls.length]).toEqual([502, 3]);
    service.reply = undefined;
    expect(await confirm()).toBe(200);
  });

  it('is sent again if a runtime has ended its request with the visit', async () => {
    vi.useFakeTimers();
    const service = new Service();
    const { articles } = service.client();
    let calls = 0;
    const confirm: typeof articles.confirm = (...args) =>
      calls++ === 0 ? (new Promise(() => {}) as never) : articles.confirm(...args);
    const visit = service.visit({ client: { articles: { syncTo: articles.syncTo.bind(articles), confirm } } });
    visit(PATH, confirmation({}));
    await vi.advanceTimersByTimeAsync(2 * TIMEOUT);
    expect((await visit(PATH, confirmation({}))).status).toBe(200);
    expect(calls).toBe(2);
  });

  it('gets a 503 while there is no copy', async () => {
    const { service, visit } = prepared();
    service.reply = () => json(500, {});
    expect((await visit(PATH, confirmation({}))).status).toBe(503);
    expect(service.asked).toHaveLength(1);
  });

  it('can be removed', async () => {
    const { service, visit } = prepared({ confirm: false });
    for (const method of ['POST', 'OPTIONS', 'GET']) {
      const body = method === 'POST' ? '{}' : null;
      const response = await visit(PATH, { method, body, headers: { 'content-type': 'application/json' } });
      expect(response.status).toBe(404);
    }
    expect(service.asked).toEqual([]);
  });
});

describe('a page', () => {
  it.each<[Partial<ArticlesProxyOptions>, string[]]>([
    [{}, []],
    [{ confirm: {} }, []],
    [{ confirm: { origins: [] } }, []],
    [{ origins: '*' }, []],
    [{ origins: ['https://blog.example.com'] }, ['https://blog.example.com']],
    [{ origins: ['https://blog.example.com'], confirm: { origins: [SITE] } }, [SITE]],
    [{ origins: '*', confirm: { origins: [SITE] } }, [SITE]],
  ])('must be where %j lets it be, and not only look so', async (options, origins) => {
    const service = new Service();
    const visit = service.visit(options);
    const others = [`${SITE}.evil.example`, `${SITE}:8443`, 'http://www.example.com', `https://evil.example/?${SITE}`];
    for (const origin of [SITE, 'https://blog.example.com', 'https://evil.example', ...others]) {
      // Anyone but a browser can claim that origin.
      const init = confirmation({ rendered_url: `${origin}/a` }, { origin, host: new URL(origin).host });
      expect((await visit(PATH, init)).status, origin).toBe(origins.includes(origin) ? 200 : 403);
    }
    expect(service.bodies).toEqual(origins.map((origin) => ({ rendered_url: `${origin}/a` })));
  });
});

describe("a page of the proxy's own origin", () => {
  /** The status of a confirmation at `own` of a page at `origin`, for a proxy of a client with this address. */
  async function statusOf(own: string, origin: string, baseUrl: string, headers: Record<string, string> = {}) {
    const service = new Service();
    const proxy = articlesProxy({ client: service.client({ baseUrl }) });
    const init = confirmation({ rendered_url: `${origin}/a` }, headers);
    const { status } = await proxy(new Request(`${own}${PATH}`, init));
    expect(service.asked.length > 0, 'asked').toBe(status === 200);
    return status;
  }
  const REAL = 'https://api.example.test/tenant';
  const MOCK = 'http://127.0.0.1:4010/tenant';

  it.each([
    // A server believes the visitor: `Host`, or a whole address in the request line.
    ['https://www.example.com', REAL, 403],
    ['https://www.example.com', MOCK, 403],
    ['http://www.example.com', REAL, 403],
    ['http://10.0.0.7:3000', MOCK, 403],
    // So are `localhost` and its kind, and nobody else could open the page.
    ['http://localhost:3000', REAL, 403],
    ['https://localhost:3000', REAL, 403],
    ['http://127.0.0.1:3000', REAL, 403],
    ['http://[::1]:3000', REAL, 403],
    ['http://localhost:3000', MOCK, 200],
    ['http://127.0.0.1:3000', MOCK, 200],
  ])('%s, with the service at %s: %i', async (own, baseUrl, status) => {
    expect(await statusOf(own, own, baseUrl)).toBe(status);
  });

  it.each<[string, () => object]>([
    ['Cloudflare Workers', () => ({ cf: { country: 'FR' } })],
    ['Vercel', () => vi.stubEnv('VERCEL', '1') && {}],
    ['Deno Deploy', () => vi.stubEnv('DENO_DEPLOYMENT_ID', 'abc') && {}],
  ])('is known on %s, which serves only hosts of the site', async (_, more) => {
    const service = new Service();
    const proxy = articlesProxy({ client: service.client({ baseUrl: REAL }) });
    const own = 'https://www.example.com:8443';
    const visit = async (own: string, origin: string) => {
      const init = confirmation({ rendered_url: `${origin}/a` });
      return (await proxy(Object.assign(new Request(`${own}${PATH}`, init), more()))).status;
    };
    expect(await visit(own, own)).toBe(200);
    expect(await visit(own, 'https://www.example.com')).toBe(403);
    expect(await visit('http://www.example.com', 'http://www.example.com')).toBe(403);
    expect(await visit('http://localhost:3000', 'http://localhost:3000')).toBe(403);
  });

  it.each(['host', 'origin', 'referer', 'x-forwarded-host', 'x-forwarded-server', 'forwarded', 'x-original-host'])(
    'is not what the header `%s` says',
    async (name) => {
      for (const own of ['https://www.example.com', 'http://localhost:3000']) {
        for (const value of ['evil.example', 'https://evil.example/', 'host=evil.example;proto=https']) {
          const headers = { 'x-forwarded-proto': 'https', 'sec-fetch-site': 'same-origin', [name]: value };
          expect(await statusOf(own, 'https://evil.example', MOCK, headers)).toBe(403);
        }
      }
    },
  );

  it('is not known to a source of another kind on this machine', async () => {
    const { articles } = new Service().client();
    const source = { syncTo: articles.syncTo.bind(articles), confirm: articles.confirm.bind(articles) };
    const proxy = articlesProxy({ client: { articles: source } });
    const own = 'http://localhost:3000';
    const init = confirmation({ rendered_url: `${own}/a` });
    expect((await proxy(new Request(`${own}${PATH}`, init))).status).toBe(403);
  });
});

describe('the host of a page', () => {
  it.each([
    ['https://blog。example.com/', 'https://blog.example.com/'],
    ['https://blog．example｡com', 'https://blog.example.com'],
    ['https://BLOG.Example.com/A?b=É#c', 'https://blog.example.com/A?b=É#c'],
    ['https://blog%2Eexample.com/%41', 'https://blog.example.com/%41'],
    ['https://bl\u00adog.example.com/a', 'https://blog.example.com/a'],
    ['https://blog.example.com:443/a', 'https://blog.example.com/a'],
    ['https:///blog.example.com/a//b', 'https://blog.example.com/a//b'],
    ['https://blog.example.com?a', 'https://blog.example.com?a'],
    ['https://blog.example.com/é', 'https://blog.example.com/é'],
    ['https://blog.example.com/https://BLOG.example.com', 'https://blog.example.com/https://BLOG.example.com'],
  ])('%s goes to the service as browsers read it', async (rendered_url, sent) => {
    const { service, visit } = prepared({ confirm: { origins: ['https://blog.example.com'] } });
    expect((await visit(PATH, confirmation({ rendered_url }))).status).toBe(200);
    expect(service.bodies).toEqual([{ rendered_url: sent }]);
  });
});

const AN_OBJECT = 'The body must be an object with only `rendered_url`.';
const A_URL = '`rendered_url` must be an http:// or https:// URL without credentials.';
const pages = (...given: string[]) => given.map((rendered_url) => ({ rendered_url }));

describe('a body', () => {
  it.each<[number, string, unknown[]]>([
    [400, 'The body must be JSON.', ['{', '{}{}']],
    [400, AN_OBJECT, ['[]', 'null', '"x"', '1', '{"constructor":1}']],
    [400, AN_OBJECT, ['{"__proto__":{"rendered_url":"https://www.example.com/"}}']],
    [400, AN_OBJECT, [{ page: PAGE }, { rendered_url: PAGE, dry_run: true }, { bulle_id: 'b-paris' }]],
    [400, '`rendered_url` must be a string; received null.', [{ rendered_url: null }]],
    [400, '`rendered_url` must be a string; received a number.', [{ rendered_url: 1 }]],
    [400, '`rendered_url` must be a string; received an array.', [{ rendered_url: [PAGE] }]],
    [400, '`rendered_url` must have 1 to 2048 characters.', pages('', `${SITE}/${'a'.repeat(2048 - SITE.length)}`)],
    [400, A_URL, pages('www.example.com/a', 'javascript:alert(1)', 'ftp://www.example.com/', 'http://')],
    [400, A_URL, pages(`${SITE}:99999/`, `${SITE}/a b`, `${SITE}/\n`, 'https:\\\\www.example.com')],
    [400, A_URL, pages(`${SITE}\\@evil.example/`, `${SITE}@evil.example/`, 'https://user:secret@www.example.com/')],
    [413, 'The body must have at most 8192 bytes.', [`{"rendered_url":"${PAGE}"${' '.repeat(9000)}}`]],
  ])('is a %i by itself: %s', async (status, detail, bodies) => {
    const { service, visit } = prepared();
    for (const body of bodies) {
      const response = await visit(PATH, confirmation(body));
      expect([response.status, await response.json()], JSON.stringify(body)).toEqual([status, { detail }]);
    }
    expect(service.asked).toEqual([]);
  });

  it('is optional, as in the service', async () => {
    const { service, visit } = prepared();
    for (const body of ['', ' ']) expect((await visit(PATH, confirmation(body))).status).toBe(200);
    expect(service.bodies).toEqual([{}]);
  });

  it('is accepted at its maximum length', async () => {
    const { visit } = prepared();
    const rendered_url = `${SITE}/${'é'.repeat(2048 - SITE.length - 1)}`;
    expect((await visit(PATH, confirmation({ rendered_url }))).status).toBe(200);
  });

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'text/plain; application/json',
    '',
  ])('of type %s is a 415', async (type) => {
    const { service, visit } = prepared();
    const headers = type === undefined ? {} : { 'content-type': type };
    expect((await visit(PATH, { method: 'POST', body: new TextEncoder().encode('{}'), headers })).status).toBe(415);
    expect(service.asked).toEqual([]);
  });

  it('that never ends is cancelled', async () => {
    const { service, visit } = prepared();
    let pulled = 0;
    const cancel = vi.fn();
    const body = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new TextEncoder().encode(' '.repeat(1000)));
      },
      cancel,
    });
    const init = { ...confirmation('{}'), body, duplex: 'half' } as RequestInit;
    expect((await visit(PATH, init)).status).toBe(413);
    expect(pulled).toBeLessThan(20);
    expect(cancel).toHaveBeenCalledOnce();
    expect(service.asked).toEqual([]);
  });

  it('with a large Content-Length is not read', async () => {
    const { visit } = prepared();
    expect((await visit(PATH, confirmation('{}', { 'content-length': '100000' }))).status).toBe(413);
  });

  it('that a framework has read before is refused', async () => {
    const { visit } = prepared();
    expect((await visit(PATH, confirmation('', { 'content-length': '15' }))).status).toBe(400);
  });

  it('that is not UTF-8 is refused, and one cut within a character is read', async () => {
    const { visit } = prepared();
    const broken = [...`{"rendered_url":"${SITE}/ "}`].map((char) => (char === ' ' ? 0xff : char.charCodeAt(0)));
    expect((await visit(PATH, { ...confirmation(''), body: new Uint8Array(broken) })).status).toBe(400);
    const bytes = new TextEncoder().encode(JSON.stringify({ rendered_url: `${SITE}/é` }));
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect((await visit(PATH, { ...confirmation(''), body, duplex: 'half' } as RequestInit)).status).toBe(200);
  });
});
