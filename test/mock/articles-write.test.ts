import { beforeEach, describe, expect, test } from 'vitest';
import { createMockApi, type MockApi } from '../../src/mock/index.js';
import { call, idsOf, NOW, page, send } from './helpers.js';

let api: MockApi;
beforeEach(() => {
  api = createMockApi({ now: NOW });
});

const ARTICLE = { title: 'Le pain du dimanche', target_keyword: 'pain' };
const create = (body: Record<string, unknown> = {}, key = api.keys.bulle) =>
  call(api, 'POST /articles', { key, body: { ...ARTICLE, ...body } });
const createdId = async (body: Record<string, unknown> = {}): Promise<number> => {
  const answer = await create(body);
  expect(answer.status).toBe(201);
  const [first] = answer.body.created as { id: number }[];
  return first?.id ?? Number.NaN;
};
const draft = (): number => api.articles.add({ status: 'draft', bulle_id: api.ids.bulle }).id;

describe('bodies', () => {
  const lines = ['POST /articles', 'PUT /articles/8', 'POST /articles/8/publish', 'POST /articles/8/confirm'];

  test.each(lines)('%s: 400 without Content-Type: application/json', async (line) => {
    for (const type of ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const { status, body } = await call(api, line, { headers: { 'content-type': type } });
      expect(status).toBe(400);
      expect(body.detail).toContain('Content-Type');
    }
    const [method = '', path] = line.split(' ');
    const bare = await api.handle(
      new Request(`${api.baseUrl}/api/v2${path}`, { method, headers: { 'x-api-key': api.keys.sphere } }),
    );
    expect(bare.status).toBe(400);
  });

  test.each(lines)('%s: 400 if the body is not a JSON object', async (line) => {
    for (const text of ['{', '[]', 'null', '"text"', '1', '{"a":1,}']) {
      expect((await send(api, line, { text })).status).toBe(400);
    }
  });

  test('parameters after the media type and another letter case are fine', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await send(api, 'POST /articles/42/confirm', { headers })).status).toBe(200);
  });

  test('only confirm accepts an empty body', async () => {
    expect((await send(api, 'POST /articles/42/confirm', { text: '' })).status).toBe(200);
    expect((await send(api, `POST /articles/${draft()}/publish`, { text: '' })).status).toBe(400);
  });

  test('key and permission are checked before the body', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await send(api, 'POST /articles', { key: null, headers })).status).toBe(401);
    expect((await send(api, 'POST /articles', { key: api.keys.readOnly, headers })).status).toBe(403);
  });

  test('names that every object inherits are unknown fields', async () => {
    const text = '{"title":"Le pain","target_keyword":"pain","__proto__":{"category":"volée"},"constructor":1}';
    expect((await send(api, 'POST /articles', { key: api.keys.bulle, text })).status).toBe(201);
    expect(api.articles.all().at(-1)?.category).toBeNull();
  });
});

describe('create', () => {
  test('custom-site mode: kind api, no site', async () => {
    const answer = await create({ bulle_id: api.ids.otherBulle }, api.keys.sphere);
    expect(answer).toEqual({
      status: 201,
      body: { created: [{ id: 1001, kind: 'api', site_id: null }], count: 1, generating: true },
    });
    expect(api.articles.get(1001)).toMatchObject({
      ...ARTICLE,
      status: 'draft',
      content_html: '',
      slug: null,
      published_at: null,
      bulle_id: api.ids.otherBulle,
    });
  });

  test('sites: one article each, in the form of the kind; the same title there is skipped', async () => {
    const bulle_id = api.ids.otherBulle;
    const first = await create({ bulle_id, site_id: 11, wix_site_ids: [21] }, api.keys.sphere);
    expect(first.body).toEqual({
      created: [
        { id: 1001, title: ARTICLE.title, site_id: 11 },
        { id: 1002, kind: 'wix', site_id: 21 },
      ],
      count: 2,
      generating: true,
    });
    const again = await create({ bulle_id, site_ids: [11, 11], wix_site_id: 21 }, api.keys.sphere);
    expect(again).toEqual({
      status: 201,
      body: {
        created: [],
        skipped: [
          { site_id: 11, reason: 'already_exists' },
          { wix_site_id: 21, reason: 'already_exists' },
        ],
        count: 0,
        generating: false,
      },
    });
    expect((await create({ bulle_id, site_id: 11, title: 'Un autre' }, api.keys.sphere)).body.count).toBe(1);
  });

  test('sites out of reach', async () => {
    const before = api.snapshot();
    expect((await create({ site_id: 999 })).status).toBe(404);
    expect((await create({ site_id: 91 })).status).toBe(403);
    expect((await create({ wix_site_id: 21 })).status).toBe(403);
    expect((await create({ site_id: 12, bulle_id: api.ids.otherBulle }, api.keys.sphere)).status).toBe(422);
    expect(api.snapshot()).toEqual(before);
  });

  test.each([
    ['title', undefined],
    ['title', 'ab'],
    ['title', '  a  '],
    ['title', null],
    ['title', 7],
    ['target_keyword', undefined],
    ['target_keyword', 'x'],
    ['site_id', '11'],
    ['site_ids', 11],
    ['wix_site_ids', [1.5]],
    ['ai_word_count_target', 0],
    ['ai_word_count_target', '1500'],
    ['generate_content', 'true'],
    ['generate_image', 1],
    ['tone', ''],
    ['language', null],
    ['excerpt', null],
    ['category', 'x'.repeat(81)],
    ['category', 5],
    ['bulle_id', 5],
  ])('%s = %j: 422 that names it', async (name, value) => {
    const before = api.snapshot();
    const { status, body } = await create({ [name]: value });
    expect(status).toBe(422);
    expect(body).toEqual({ detail: expect.stringContaining(`\`${name}\``) });
    expect(api.snapshot()).toEqual(before);
  });

  test('80 characters are code points; null and empty mean no category', async () => {
    const category = '🥖'.repeat(80);
    expect(api.articles.get(await createdId({ category })).category).toBe(category);
    expect((await create({ category: `${category}x` })).status).toBe(422);
    for (const none of [null, '']) expect(api.articles.get(await createdId({ category: none })).category).toBeNull();
  });

  test('the text is there after 60 s of the clock, and its updated_at moves to that instant', async () => {
    const id = await createdId({ generate_image: true, meta_title: 'À moi', title: 'Le <pain> & le sel' });
    const before = api.articles.get(id);
    api.advance(55_000);
    expect((await call(api, `GET /articles/${id}`, { key: api.keys.bulle })).body.content_html).toBe('');
    const cursor = before.updated_at;
    api.advance(3_600_000);
    const after = api.articles.get(id);
    expect(after.content_html).toMatch(/^<p>.*<h2>.*<ul>/s);
    expect(after).toMatchObject({
      status: 'draft',
      meta_title: 'À moi',
      excerpt: expect.stringContaining('Le <pain>'),
      featured_image_url: expect.stringMatching(/^https:/),
    });
    const written = Date.parse(after.updated_at) - Date.parse(before.updated_at);
    expect(written).toBeGreaterThan(59_900);
    expect(written).toBeLessThan(60_100);
    const { articles } = await page(api, { status: 'all', updated_since: cursor });
    expect(idsOf(articles)).toEqual([id]);
  });

  test('generate_content false: nothing is written, whatever the time', async () => {
    const { body } = await create({ generate_content: false });
    expect(body.generating).toBe(false);
    api.advance(600_000);
    expect(api.articles.get(1001).content_html).toBe('');
  });

  test('a text written by hand in the meantime stays', async () => {
    const id = await createdId();
    await send(api, `PUT /articles/${id}`, { body: { content_html: '<p>De ma main.</p>' } });
    api.advance(60_000);
    expect(api.articles.get(id).content_html).toBe('<p>De ma main.</p>');
  });

  test('the monthly quota: 429 without Retry-After, all or nothing, new in the next month', async () => {
    for (let made = 0; made < 29; made += 1) await createdId({ title: `Article numéro ${made}` });
    const before = api.snapshot();
    const twice = await create({ site_ids: [11, 12] });
    expect(twice.status).toBe(429);
    expect(twice.body).toEqual({
      detail: expect.stringContaining('Quota mensuel'),
      quota: { limit: 30, used: 29, remaining: 1, resets_at: '2026-12-01T00:00:00.000000+00:00' },
    });
    expect(api.snapshot()).toEqual(before);
    await createdId();
    const response = await send(api, 'POST /articles', { key: api.keys.bulle, body: ARTICLE });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBeNull();
    api.advance(20 * 86_400_000);
    await createdId();
  });
});

describe('update', () => {
  test('only sent fields change; the response names them', async () => {
    const id = draft();
    const before = api.articles.get(id);
    const answer = await call(api, `PUT /articles/${id}`, { body: { excerpt: 'Bref.', title: 'Un titre neuf' } });
    expect(answer).toEqual({
      status: 200,
      body: { article_id: id, updated_fields: ['title', 'excerpt'], status: 'draft' },
    });
    const after = api.articles.get(id);
    expect(after).toEqual({ ...before, title: 'Un titre neuf', excerpt: 'Bref.', updated_at: after.updated_at });
    expect(after.updated_at > before.updated_at).toBe(true);
  });

  test('category: omitted stays, empty goes, 81 characters are too many', async () => {
    const id = draft();
    const put = (body: Record<string, unknown>) => call(api, `PUT /articles/${id}`, { body });
    await put({ category: 'Recettes' });
    await put({ title: 'Sans catégorie ?' });
    expect(api.articles.get(id).category).toBe('Recettes');
    expect((await put({ category: 'é'.repeat(81) })).status).toBe(422);
    expect((await put({ category: null })).status).toBe(422);
    expect((await put({ category: '' })).body.updated_fields).toEqual(['category']);
    expect(api.articles.get(id).category).toBeNull();
  });

  test('an empty update changes nothing', async () => {
    const id = draft();
    const before = api.snapshot();
    expect((await call(api, `PUT /articles/${id}`, { body: { colour: 'blue' } })).body.updated_fields).toEqual([]);
    expect(api.snapshot()).toEqual(before);
  });

  test('409 once it is online', async () => {
    const before = api.snapshot();
    const { status, body } = await call(api, 'PUT /articles/42', { body: { title: 'Trop tard' } });
    expect(status).toBe(409);
    expect(body).toEqual({ detail: expect.any(String) });
    expect(api.snapshot()).toEqual(before);
    api.articles.unpublish(42);
    expect((await send(api, 'PUT /articles/42', { body: { title: 'À temps' } })).status).toBe(200);
  });
});

describe('publish', () => {
  test('immediately: online, with a slug that never changes again', async () => {
    const id = draft();
    await send(api, `PUT /articles/${id}`, { body: { title: 'Œufs & pâtés d’été' } });
    const answer = await call(api, `POST /articles/${id}/publish`);
    expect(answer).toEqual({
      status: 200,
      body: { scheduled: false, article_id: id, title: 'Œufs & pâtés d’été', scheduled_at: null },
    });
    const online = api.articles.get(id);
    expect(online).toMatchObject({ status: 'published', slug: 'oeufs-pates-d-ete', published_at: online.updated_at });
    expect((await send(api, `POST /articles/${id}/publish`)).status).toBe(409);

    api.articles.unpublish(id);
    await send(api, `PUT /articles/${id}`, { body: { title: 'Tout autre chose' } });
    await send(api, `POST /articles/${id}/publish`);
    expect(api.articles.get(id).slug).toBe('oeufs-pates-d-ete');
  });

  test('two articles with one title get two slugs', async () => {
    const [first, second] = [draft(), draft()];
    for (const id of [first, second]) await send(api, `POST /articles/${id}/publish`);
    expect(api.articles.get(second).slug).toBe(`${api.articles.get(first).slug}-2`);
  });

  test('scheduled: goes online by the clock, at its instant', async () => {
    const id = draft();
    const answer = await call(api, `POST /articles/${id}/publish`, {
      body: { scheduled_at: '2026-11-14T12:00:00+01:00' },
    });
    expect(answer.body).toMatchObject({ scheduled: true, scheduled_at: '2026-11-14T11:00:00.000000+00:00' });
    expect(api.articles.get(id)).toMatchObject({ status: 'draft', slug: null });
    api.advance(89 * 60_000);
    expect((await call(api, `GET /articles/${id}`)).body.status).toBe('draft');
    api.advance(3 * 3_600_000);
    expect((await call(api, `GET /articles/${id}`)).body).toMatchObject({
      status: 'published',
      published_at: '2026-11-14T11:00:00.000000+00:00',
      updated_at: '2026-11-14T11:00:00.000000+00:00',
    });
  });

  test('a new schedule replaces the old one; publishing at once ends it', async () => {
    const id = draft();
    const at = (scheduled_at: string) => send(api, `POST /articles/${id}/publish`, { body: { scheduled_at } });
    await at('2026-11-14T10:00:00Z');
    await at('2026-11-14T14:00:00Z');
    api.advance(3_600_000);
    expect(api.articles.get(id).status).toBe('draft');
    await send(api, `POST /articles/${id}/publish`);
    const offline = api.articles.unpublish(id);
    api.advance(86_400_000);
    expect(api.articles.get(id)).toEqual(offline);
  });

  test.each([
    ['scheduled_at', '2026-11-14T09:29:59Z'],
    ['scheduled_at', 'tomorrow'],
    ['scheduled_at', null],
    ['scheduled_at', 1_800_000_000],
    ['dry_run', 'true'],
    ['dry_run', 1],
  ])('%s = %j: 422', async (name, value) => {
    const id = draft();
    const before = api.snapshot();
    const { status, body } = await call(api, `POST /articles/${id}/publish`, { body: { [name]: value } });
    expect(status).toBe(422);
    expect(body.detail).toContain(`\`${name}\``);
    expect(api.snapshot()).toEqual(before);
  });

  test('a dry run returns a preview and changes nothing', async () => {
    const id = draft();
    const before = api.snapshot();
    const now = await call(api, `POST /articles/${id}/publish`, { body: { dry_run: true } });
    expect(now).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        article_id: id,
        would_publish: true,
        would_schedule: false,
        would_use_slug: 'un-nouvel-article',
        quota: { limit: 30, used: 0, remaining: 30 },
      },
    });
    expect(now.body).not.toHaveProperty('scheduled');
    const later = await call(api, `POST /articles/${id}/publish`, {
      body: { dry_run: true, scheduled_at: '2026-11-15T09:00:00Z' },
    });
    expect(later.body).toMatchObject({ would_publish: false, would_schedule: true });
    expect(api.snapshot()).toEqual(before);
    api.advance(2 * 86_400_000);
    expect(api.snapshot().articles).toEqual(before.articles);
    expect((await send(api, 'POST /articles/42/publish', { body: { dry_run: true } })).status).toBe(409);
    expect((await send(api, `POST /articles/${id}/publish`, { body: { dry_run: false } })).status).toBe(200);
    expect(api.articles.get(id).status).toBe('published');
  });
});

describe('confirm', () => {
  const confirm = (body?: unknown) => call(api, 'POST /articles/42/confirm', { key: api.keys.readOnly, body });

  test('records the page each time; the article does not change', async () => {
    const article = api.articles.get(42);
    const first = await confirm({ rendered_url: 'https://boulangerie.example/pain' });
    expect(first).toEqual({
      status: 200,
      body: { article_id: 42, confirmed_at: expect.stringMatching(/\+00:00$/), confirmation_source: 'pingback' },
    });
    api.advance(1000);
    const second = await confirm();
    expect(String(second.body.confirmed_at) > String(first.body.confirmed_at)).toBe(true);
    expect(api.articles.confirmation(42)).toEqual({
      confirmed_at: second.body.confirmed_at,
      rendered_url: 'https://boulangerie.example/pain',
    });
    await confirm({ rendered_url: 'http://boulangerie.example/autre' });
    expect(api.articles.confirmation(42)?.rendered_url).toBe('http://boulangerie.example/autre');
    expect(api.articles.get(42)).toEqual(article);
  });

  test('rendered_url: http or https, 2048 characters at most', async () => {
    const before = api.snapshot();
    const long = 'https://boulangerie.example/'.padEnd(2048, 'a');
    for (const rendered_url of ['', 'ftp://x', 'boulangerie.example', ' https://x', `${long}a`, 5, null]) {
      expect((await confirm({ rendered_url })).status).toBe(422);
    }
    expect(api.snapshot()).toEqual(before);
    expect((await confirm({ rendered_url: long })).status).toBe(200);
  });
});
