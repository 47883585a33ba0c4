import { memoryStore } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { article, confirmation, ids, KEY, LIST, Service } from './helpers.js';

const NAMES =
  'The query must have no parameters other than order, status, updated_since, since, bulle_id, category, slug, limit, ' +
  'fields, offset.';
/** The first run. */
const RUN = 'GET /articles?status=all&updated_since=1970-01-01T00%3A00%3A00Z';

describe('routes', () => {
  it('serves a list of published articles, and nothing else of the response, and one article unchanged', async () => {
    const service = new Service();
    const visit = service.visit();
    const response = await visit(LIST);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({
      articles: [article(3), article(2), article(1)],
      total: 3,
      limit: expect.any(Number),
      offset: 0,
    });
    const one = await visit(`${LIST}/2`);
    expect([one.status, await one.json(), service.asked]).toEqual([200, article(2), [RUN]]);
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

  it.each<[string, string[]]>([
    ['no articles', ['/', '/api/v2', '/api/v2/', '/api/v2/me', '/api/v2/posts', '/api/v2/me?/api/v2/articles']],
    ['other names', ['/api/v2/articles.json', '/api/v2/articlesX', '/api/v2/articles;a=b']],
    ['other letters', ['/api/v2/Articles', '/API/v2/articles', `${LIST}/1/Related`, `${LIST}/1/Confirm`]],
    ['empty parts', [`${LIST}/`, `${LIST}//`, `${LIST}//1`, '/api/v2//articles', '//api/v2/articles']],
    ['more parts', [`${LIST}/1/`, `${LIST}/1/publish`, `${LIST}/1/confirm/`, `${LIST}/1/confirm/confirm`]],
    ['more parts', [`${LIST}/1/related/`, `${LIST}/1/related/2`, `${LIST}/1;a=b/confirm/..`]],
    ['dots', [`${LIST}/../me`, `${LIST}/../../v2/posts`, '/x/../api/v2/me']],
    ['encoded dots', [`${LIST}/%2e%2e/me`, `${LIST}/%2E%2e/posts`, `${LIST}/%252e%252e/me`, `/%2e%2e${LIST}`]],
    ['encoded parts', [`${LIST}%2f1`, `${LIST}%2F..%2Fme`, '/api/v2/%61rticles']],
    ['backslashes', [`${LIST}/1\\confirm\\x`, `${LIST}/..\\me`]],
  ])('paths with %s are a 404, and nothing is sent', async (_, paths) => {
    const service = new Service();
    const visit = service.visit({ path: '/content' });
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PUT']) {
        const body = method === 'POST' || method === 'PUT' ? '{}' : null;
        const response = await visit(`/content${path}`, { method, body });
        expect([response.status, await response.json()], `${method} ${path}`).toEqual([404, { detail: 'Not found.' }]);
      }
    }
    expect(service.asked).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['no number from 1 on', ['0', '-1', 'abc', '0x1', ' 1', '１']],
    ['written in another way', ['01', '1.0', '1e3', '+1', '%31', '1%00']],
    ['too large', ['9007199254740993', '1'.repeat(40)]],
    ['more than a number', ['1;2', '1,2', '..%2fme', '1%2fconfirm', '1%3fstatus=all', '1%23']],
  ])('takes no article for an id that is %s', async (_, written) => {
    const service = new Service();
    const visit = service.visit();
    for (const id of written) {
      for (const path of [`${LIST}/${id}`, `${LIST}/${id}/related`, `${LIST}/${id}/confirm`]) {
        const response = await visit(path, path.endsWith('/confirm') ? confirmation({}) : {});
        expect([response.status, await response.json()], path).toEqual([404, { detail: 'No such article.' }]);
      }
    }
    expect(service.asked).toEqual([]);
  });

  it.each([
    ['HEAD', `${LIST}/1/confirm`, 'POST, OPTIONS'],
    ['POST', LIST, 'GET, HEAD, OPTIONS'],
    ['DELETE', `${LIST}/1`, 'GET, HEAD, OPTIONS'],
    ['GET', `${LIST}/1/confirm`, 'POST, OPTIONS'],
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
    [`${LIST}/1`, 200],
    [`${LIST}?status=all`, 403],
    [`${LIST}?limit=101`, 400],
    [`${LIST}/1/related`, 200],
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

const A_DATE = '`since` must be an ISO 8601 date or date-time that exists, with `+` encoded as %2B.';
const AN_ID = '`bulle_id` must be an identifier of 1 to 200 characters.';
const FIELDS = '`fields` must be names of fields of an article, with commas between them.';
const A_STATUS = '`status` must be published; received a string.';

describe('parameters', () => {
  it.each<[string, string[]]>([
    [A_STATUS, ['status=ALL', 'status=published,draft', 'status=published%00', 'status=', `status=${KEY}`]],
    [NAMES, ['status[]=all', 'Status=all', 'STATUS=all', ' status=all', 'status%20=all', 'fields[]=id', '_=1']],
    [NAMES, ['dry_run=true', 'api_key=x', '__proto__=x', 'constructor=x', `${KEY}=${KEY}`]],
    [NAMES, [`since=2026-01-01&${'a'.repeat(2000)}`]],
    ['A parameter is repeated.', ['status=published&status=all', 'status=published&status=published']],
    ['A parameter is repeated.', ['limit=1&limit=1', 'offset=1&offset=2', 'bulle_id=a&bulle_id=b', `${KEY}&${KEY}`]],
    ['`limit` must be an integer from 1 to 100.', ['limit=101', 'limit=0', 'limit=', 'limit=1.5', `limit=${KEY}`]],
    ['`offset` must be an integer, 0 or more.', ['offset=-1', 'offset=1.5', 'offset=1e3', 'offset=00', 'offset=']],
    ['`offset` must be an integer, 0 or more.', ['offset=99999999999', `offset=${KEY}`]],
    ['`order` must be newest; received a string.', ['order=oldest', 'order=', `order=${KEY}`]],
    ['`category` must have 1 to 200 characters.', ['category=', `category=${'a'.repeat(201)}`]],
    ['`slug` must have 1 to 500 characters.', ['slug=']],
    [FIELDS, ['fields=', 'fields=id,', 'fields=id,secret', 'fields=id&fields=secret', 'fields=id,%20title']],
    [FIELDS, ['fields=__proto__', 'fields=constructor', `fields=id,${KEY}`]],
    [A_DATE, ['since=2027-02-30', 'since=2026-13-01', 'since=yesterday', 'since=', `since=${KEY}`]],
    [A_DATE, ['since=%202026-01-01', 'since=2026-01-01%0a', 'since=2026-01-01T00:00:00+00:00']],
    [A_DATE, ['since=2026-01-01%26status%3Dall', `since=2026-01-01T00:00:00.${'0'.repeat(60)}Z`]],
    [A_DATE.replace('since', 'updated_since'), ['updated_since=2026-02-30T00:00:00Z', 'updated_since=']],
    [AN_ID, ['bulle_id=', 'bulle_id=a%0ab', 'bulle_id=a%20b', `bulle_id=${'a'.repeat(201)}`, `bulle_id=%20${KEY}`]],
  ])('that are not allowed are a 400 before anything is sent: %s', async (detail, queries) => {
    const service = new Service();
    const visit = service.visit();
    for (const query of queries) {
      const response = await visit(`${LIST}?${query}`);
      expect([response.status, await response.json()], query).toEqual([400, { detail }]);
    }
    expect(service.asked).toEqual([]);
  });

  it.each(['status=draft', 'status=all', '%73tatus=all', 'status=%61ll', 'x=1&status=all'])(
    '?%s asks for drafts: a 403, and nothing is sent',
    async (query) => {
      const service = new Service();
      const response = await service.visit()(`${LIST}?${query}`);
      const detail = 'Only published articles are served here: use `status=published`. A sync needs a key.';
      expect([response.status, await response.json(), service.asked]).toEqual([403, { detail }, []]);
    },
  );

  it.each([
    [`${LIST}/1?status=all`, {}, 'This route takes no parameters.'],
    [`${LIST}/1?bulle_id=b-paris`, {}, 'This route takes no parameters.'],
    [`${LIST}/1/confirm?dry_run=false`, confirmation({}), 'This route takes no parameters.'],
    [`${LIST}/1/related?offset=${KEY}`, {}, 'The query must have no parameters other than limit, fields.'],
    ['/api/v2/categories?category=Pains', {}, 'The query must have no parameters other than bulle_id.'],
  ])('are refused at %s', async (path, init, detail) => {
    const service = new Service();
    const response = await service.visit()(path, init);
    expect([response.status, await response.json(), service.asked]).toEqual([400, { detail }, []]);
  });
});

describe('drafts', () => {
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
    const [draft, missing] = [await again(`${LIST}/4`), await again(`${LIST}/99`)];
    expect([draft.status, ...draft.headers, await draft.text()]).toEqual([
      404,
      ...missing.headers,
      await missing.text(),
    ]);
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
      authorization: 'Bearer visitor-token',
      cookie: 'session=visitor-cookie',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'visitor-host.example',
      'user-agent': 'visitor-agent',
      referer: 'https://visitor-page.example/',
      'x-original-url': '/api/v2/visitor-route',
      forwarded: 'host=visitor-host.example',
    };
    await visit(`${LIST}?category=visitor`, { headers });
    const page = 'https://www.example.com/blog/2';
    expect((await visit(`${LIST}/2/confirm`, confirmation({ rendered_url: page }, headers))).status).toBe(200);
    expect(service.asked).toEqual([RUN, 'POST /articles/2/confirm']);
    expect(service.bodies).toEqual([{ rendered_url: page }]);
    for (const request of service.requests) {
      const sent = JSON.stringify([request.url, ...request.headers]);
      expect(sent).not.toContain('visitor');
      expect(request.headers.get('x-api-key')).toBe(KEY);
    }
  });
});
