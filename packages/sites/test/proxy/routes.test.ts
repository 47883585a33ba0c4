import { memoryStore } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { article, confirmation, ids, KEY, LIST, SECRET, Service } from './helpers.js';

const NAMES =
  'The query must have no parameters other than order, status, updated_since, since, bulle_id, category, slug, limit, ' +
  'fields, offset.';
/** The first run. */
const RUN = 'GET /articles?status=all&updated_since=1970-01-01T00%3A00%3A00Z';

describe('routes', () => {
  it('serves a list of published articles, and nothing else of the response', async () => {
    const service = new Service();
    const response = await service.visit()(LIST);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({
      articles: [article(3), article(2), article(1)],
      total: 3,
      limit: 50,
      offset: 0,
    });
    expect(service.asked).toEqual([RUN]);
  });

  it('serves one article unchanged', async () => {
    const service = new Service();
    const response = await service.visit()(`${LIST}/2`);
    expect([response.status, await response.json()]).toEqual([200, article(2)]);
  });

  it.each(['', '/', '/content', '/content/', 'content', '/content/api/v2', '/content/api/v2/'])(
    'is mounted at %j',
    async (path) => {
      const visit = new Service().visit({ path });
      const prefix = path.includes('content') ? '/content' : '';
      expect((await visit(`${prefix}${LIST}`)).status).toBe(200);
      expect((await visit(`${prefix}${LIST}/1`)).status).toBe(200);
      expect((await visit(`/other${LIST}`)).status).toBe(404);
      if (prefix) expect((await visit(LIST)).status).toBe(404);
    },
  );

  it.each([
    '/',
    '/api/v2',
    '/api/v2/',
    '/api/v2/me',
    '/api/v2/posts',
    '/api/v2/articles/',
    '/api/v2/articles//',
    '/api/v2/articles//1',
    '/api/v2//articles',
    '//api/v2/articles',
    '/api/v2/articles/../me',
    '/api/v2/articles/%2e%2e/me',
    '/api/v2/articles/%2E%2e/posts',
    '/api/v2/articles/%252e%252e/me',
    '/api/v2/articles%2f1',
    '/api/v2/articles%2F..%2Fme',
    '/api/v2/articles;a=b',
    '/api/v2/articles/1;a=b/confirm/..',
    '/api/v2/articles.json',
    '/api/v2/articlesX',
    '/api/v2/Articles',
    '/API/v2/articles',
    '/api/v2/%61rticles',
    '/api/v2/articles/1/',
    '/api/v2/articles/1/publish',
    '/api/v2/articles/1/confirm/',
    '/api/v2/articles/1/confirm/confirm',
    '/api/v2/articles/1/related/',
    '/api/v2/articles/1/Related',
    '/api/v2/articles/1/related/2',
    '/api/v2/articles/1/Confirm',
    '/api/v2/articles/1\\confirm\\x',
    '/api/v2/articles/..\\me',
    '/api/v2/articles/../../v2/posts',
    '/x/../api/v2/me',
    '/api/v2/me?/api/v2/articles',
  ])('%s is a 404, and nothing is sent', async (path) => {
    const service = new Service();
    const visit = service.visit();
    for (const method of ['GET', 'POST', 'OPTIONS', 'PUT']) {
      const body = method === 'POST' || method === 'PUT' ? '{}' : null;
      const response = await visit(path, { method, body, headers: { 'content-type': 'application/json' } });
      expect(response.status, method).toBe(404);
      expect(await response.text()).not.toContain(SECRET);
    }
    expect(service.asked).toEqual([]);
  });

  it.each([
    '0',
    '-1',
    '01',
    '1.0',
    '1e3',
    '+1',
    '%31',
    '1%00',
    '１',
    'abc',
    '0x1',
    '9007199254740993',
    '1'.repeat(40),
    '1;2',
    '1,2',
    ' 1',
    '..%2fme',
    '1%2fconfirm',
    '1%3fstatus=all',
    '1%23',
  ])('takes no article for the id %j', async (id) => {
    const service = new Service();
    const visit = service.visit();
    const got = await visit(`${LIST}/${id}`);
    const confirmed = await visit(`${LIST}/${id}/confirm`, confirmation({}));
    const related = await visit(`${LIST}/${id}/related`);
    expect(service.asked).toEqual([]);
    const missing = await visit(`${LIST}/999`);
    expect([got.status, confirmed.status, related.status]).toEqual([404, 404, 404]);
    expect(await got.text()).toBe(await missing.text());
  });

  it.each([
    ['HEAD', `${LIST}/1/confirm`, 'POST, OPTIONS'],
    ['POST', LIST, 'GET, HEAD, OPTIONS'],
    ['PUT', `${LIST}/1`, 'GET, HEAD, OPTIONS'],
    ['DELETE', `${LIST}/1`, 'GET, HEAD, OPTIONS'],
    ['POST', `${LIST}/1`, 'GET, HEAD, OPTIONS'],
    ['PATCH', `${LIST}/1`, 'GET, HEAD, OPTIONS'],
    ['GET', `${LIST}/1/confirm`, 'POST, OPTIONS'],
    ['PUT', `${LIST}/1/confirm`, 'POST, OPTIONS'],
    ['PROPFIND', LIST, 'GET, HEAD, OPTIONS'],
    ['POST', `${LIST}/1/related`, 'GET, HEAD, OPTIONS'],
  ])('%s %s is a 405', async (method, path, allow) => {
    const service = new Service();
    const headers = { 'x-http-method-override': 'GET', 'x-method-override': 'GET', 'x-original-url': '/api/v2/me' };
    const response = await service.visit()(path, { method, headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect(service.asked).toEqual([]);
  });
});

describe('HEAD', () => {
  it.each([
    [LIST, 200],
    [`${LIST}?offset=1`, 200],
    [`${LIST}/1`, 200],
    [`${LIST}/4`, 404],
    [`${LIST}?status=all`, 403],
    [`${LIST}?limit=101`, 400],
    [`${LIST}/1/related`, 200],
    ['/api/v2/me', 404],
  ])('of %s has the status and the headers of GET, and no body', async (path, status) => {
    const service = new Service();
    const visit = service.visit({ origins: ['https://blog.example.com'] });
    const headers = { origin: 'https://blog.example.com' };
    const head = await visit(path, { method: 'HEAD', headers });
    const get = await visit(path, { headers });
    expect([head.status, await head.text(), head.body]).toEqual([status, '', null]);
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
  });
});

describe('parameters', () => {
  it.each([
    ['status=draft', 403],
    ['status=all', 403],
    ['%73tatus=all', 403],
    ['status=%61ll', 403],
    ['status=published&status=all', 400],
    ['status=published&status=published', 400],
    ['status=all&status=published', 403],
    ['status=ALL', 400],
    ['status=published,draft', 400],
    ['status=published%00', 400],
    ['status=', 400],
    ['status[]=all', 400],
    ['Status=all', 400],
    ['STATUS=all', 400],
    [' status=all', 400],
    ['status%20=all', 400],
    ['since=2027-02-30', 400],
    ['updated_since=2026-02-30T00:00:00Z', 400],
    ['limit=1000', 400],
    ['limit=101', 400],
    ['limit=0', 400],
    ['limit=', 400],
    ['limit=1.5', 400],
    ['limit=1&limit=1', 400],
    ['order=oldest', 400],
    ['order=', 400],
    ['category=', 400],
    [`category=${'a'.repeat(201)}`, 400],
    ['category=a&category=b', 400],
    ['slug=', 400],
    ['slug=a&slug=b', 400],
    ['fields=', 400],
    ['fields=id,', 400],
    ['fields=id,secret', 400],
    ['fields=id&fields=secret', 400],
    ['fields=id,%20title', 400],
    ['fields=__proto__', 400],
    ['fields=constructor', 400],
    ['fields[]=id', 400],
    ['dry_run=true', 400],
    ['api_key=x', 400],
    ['__proto__=x', 400],
    ['constructor=x', 400],
    ['_=1', 400],
    ['offset=-1', 400],
    ['offset=1.5', 400],
    ['offset=1e3', 400],
    ['offset=00', 400],
    ['offset=', 400],
    ['offset=99999999999', 400],
    ['offset=1&offset=2', 400],
    ['updated_since=yesterday', 400],
    ['updated_since=', 400],
    ['updated_since=%202026-01-01', 400],
    ['updated_since=2026-01-01%0a', 400],
    ['updated_since=2026-01-01T00:00:00+00:00', 400],
    ['updated_since=2026-01-01%26status%3Dall', 400],
    [`updated_since=2026-01-01T00:00:00.${'0'.repeat(60)}Z`, 400],
    ['since=2026-13-01', 400],
    ['bulle_id=', 400],
    ['bulle_id=a%0ab', 400],
    ['bulle_id=a%20b', 400],
    [`bulle_id=${'a'.repeat(201)}`, 400],
    ['bulle_id=a&bulle_id=b', 400],
    [`since=2026-01-01&${'a'.repeat(2000)}`, 400],
    ['limit=1000&status=all', 403],
  ])('?%s is a %i, and nothing is sent', async (query, status) => {
    const service = new Service();
    const response = await service.visit()(`${LIST}?${query}`);
    expect(response.status).toBe(status);
    expect(Object.keys((await response.json()) as object)).toEqual(['detail']);
    expect(service.asked).toEqual([]);
  });

  it.each([
    [`?${KEY}=${KEY}`, NAMES],
    [`?status=${KEY}`, '`status` must be published; received a string.'],
    [`?since=${KEY}`, '`since` must be an ISO 8601 date or date-time that exists, with `+` encoded as %2B.'],
    [`?bulle_id=%20${KEY}`, '`bulle_id` must be an identifier of 1 to 200 characters.'],
    [`?offset=${KEY}`, '`offset` must be an integer, 0 or more.'],
    [`?limit=${KEY}`, '`limit` must be an integer from 1 to 100.'],
    [`?order=${KEY}`, '`order` must be newest; received a string.'],
    [`?fields=id,${KEY}`, '`fields` must be names of fields of an article, with commas between them.'],
    [`/1/related?offset=${KEY}`, 'The query must have no parameters other than limit, fields.'],
    [`?${KEY}&${KEY}`, 'A parameter is repeated.'],
  ])('the detail of %s says what is expected, and repeats nothing', async (query, detail) => {
    const response = await new Service().visit()(`${LIST}${query}`);
    expect([response.status, await response.json()]).toEqual([400, { detail }]);
  });

  it.each([`${LIST}/1?status=all`, `${LIST}/1?a`, `${LIST}/1?bulle_id=b-paris`])(
    'refuses parameters at %s',
    async (path) => {
      const service = new Service();
      expect((await service.visit()(path)).status).toBe(400);
      expect(service.asked).toEqual([]);
    },
  );

  it('refuses parameters at a confirmation', async () => {
    const service = new Service();
    expect((await service.visit()(`${LIST}/1/confirm?dry_run=false`, confirmation({}))).status).toBe(400);
    expect(service.asked).toEqual([]);
  });
});

describe('drafts', () => {
  it('sends the same 404 for a draft and for an unknown article', async () => {
    const visit = new Service().visit();
    const [draft, missing] = [await visit(`${LIST}/4`), await visit(`${LIST}/5`)];
    expect(draft.status).toBe(404);
    expect([...draft.headers]).toEqual([...missing.headers]);
    expect(await draft.text()).toBe(await missing.text());
  });

  it('shows no draft that is in the store', async () => {
    const service = new Service();
    const store = memoryStore();
    const visit = service.visit({ store });
    await visit(LIST);
    store.put(article(4, { status: 'draft', title: 'DRAFT-TEXT' }));
    service.articles = [...service.articles, article(5, { updated_at: '2026-03-01T00:00:00Z' })];
    const again = service.visit({ store, refresh: 0 });
    const response = await again(LIST);
    const text = await response.clone().text();
    expect(text).not.toContain('DRAFT-TEXT');
    expect(await ids(response)).toEqual([5, 3, 2, 1]);
    expect((await again(`${LIST}/4`)).status).toBe(404);
    expect((await again(`${LIST}/4/confirm`, confirmation({}))).status).toBe(404);
    expect((await again(`${LIST}/4/related`)).status).toBe(404);
    expect(service.asked.filter((line) => line.includes('confirm'))).toEqual([]);
  });

  it('hides articles with an unknown status', async () => {
    const service = new Service();
    service.articles = [article(1, { status: 'scheduled' }), article(2, { status: 'Published' })];
    const visit = service.visit();
    expect(await ids(await visit(LIST))).toEqual([]);
    expect((await visit(`${LIST}/1`)).status).toBe(404);
  });
});

describe('requests to the service', () => {
  it('contain only checked values of the visitor', async () => {
    const service = new Service();
    const visit = service.visit({ confirm: { origins: ['https://www.example.com'] } });
    const headers = {
      'x-api-key': 'visitor-key',
      'X-Api-Key ': 'visitor-key',
      authorization: 'Bearer visitor-token',
      cookie: 'session=visitor-cookie',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'visitor-host.example',
      'user-agent': 'visitor-agent',
      referer: 'https://visitor-page.example/',
      'x-original-url': '/api/v2/visitor-route',
      forwarded: 'host=visitor-host.example',
    };
    const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.endsWith(' ')));
    await visit(`${LIST}?category=visitor`, { headers: plain });
    const page = 'https://www.example.com/blog/2';
    expect((await visit(`${LIST}/2/confirm`, confirmation({ rendered_url: page }, plain))).status).toBe(200);
    expect(service.asked).toEqual([RUN, 'POST /articles/2/confirm']);
    expect(service.bodies).toEqual([{ rendered_url: page }]);
    for (const request of service.requests) {
      const sent = JSON.stringify([request.url, ...request.headers]);
      expect(sent).not.toContain('visitor');
      expect(request.headers.get('x-api-key')).toBe(KEY);
    }
  });

  it('never put the key into a response', async () => {
    const service = new Service();
    const visit = service.visit({ origins: '*' });
    service.reply = (request) =>
      request.method === 'POST'
        ? new Response(`key ${KEY}`, { status: 500, headers: { 'x-echo': KEY, 'x-api-key': KEY } })
        : undefined;
    const failed = await visit(`${LIST}/1/confirm`, confirmation({}));
    expect(`${JSON.stringify([...failed.headers])}${await failed.text()}`).not.toContain(KEY);
    for (const path of [
      LIST,
      `${LIST}/1`,
      `${LIST}/4`,
      `${LIST}/99`,
      `${LIST}?offset=2`,
      '/api/v2/me',
      `${LIST}?x=${KEY}`,
    ]) {
      const response = await visit(path, { headers: { 'x-api-key': KEY, origin: 'https://a.example' } });
      expect(`${JSON.stringify([...response.headers])}${await response.text()}`).not.toContain(KEY);
    }
  });
});
