import { describe, expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { api, call, freshApi, idsOf, NOW, page, send, TEXTS } from './helpers.js';

freshApi();

describe('the list', () => {
  test('published by default; draft; all, whose pages follow each other without gap or repetition', async () => {
    expect(await page(api)).toMatchObject({ total: 225, limit: 50, offset: 0 });
    expect((await page(api, { status: 'draft' })).total).toBe(15);
    const offsets = [0, 60, 120, 180, 240];
    const pages = await Promise.all(
      offsets.map((offset) => page(api, { status: 'all', limit: '60', offset: `${offset}` })),
    );
    expect(pages.map(({ total, limit, offset, articles }) => [total, limit, offset, articles.length])).toEqual(
      offsets.map((offset) => [240, 60, offset, offset < 240 ? 60 : 0]),
    );
    expect(new Set(pages.flatMap(({ articles }) => idsOf(articles))).size).toBe(240);
  });

  test('page size as the option says', async () => {
    const small = createMockApi({ now: NOW, articlesPageSize: 7 });
    expect(await page(small)).toMatchObject({ limit: 7, offset: 0, articles: { length: 7 } });
  });

  test('since is about the publication, not the change', async () => {
    const cut =
      api.articles
        .all()
        .flatMap(({ published_at }) => published_at ?? [])
        .sort()[200] ?? '';
    const { total, articles } = await page(api, { since: cut, limit: '100' });
    expect(total).toBe(25);
    expect(articles.every(({ published_at }) => (published_at ?? '') >= cut)).toBe(true);
    expect((await page(api, { since: cut, status: 'draft' })).total).toBe(0);
  });
});

describe('updated_since', () => {
  test.each([
    ['2026-11-14T10:30:00.5+01:00', true],
    ['2026-11-14T09:30:00.5Z', true],
    ['2026-11-14T09:30:00.500000+00:00', true],
    ['2026-11-14T09:30:00.5', true],
    ['2026-11-14T04:00:00,5-0530', true],
    ['2026-11-14T09:30:00.499999', false],
    ['2026-11-14T10:30:00.499999+01', false],
  ])('%s, whichever way it is written', async (updated_since, excluded) => {
    const { id } = api.articles.add({ updated_at: '2026-11-14T09:30:00.5Z' });
    expect(idsOf((await page(api, { updated_since })).articles).includes(id)).toBe(!excluded);
  });

  test('ties: in the order of ids, and lost to a cursor that stops among them', async () => {
    const sizes = new Map<string, number>();
    for (const { updated_at: at } of api.articles.all()) sizes.set(at, (sizes.get(at) ?? 0) + 1);
    expect([...sizes.values()].filter((size) => size > 1).sort()).toEqual([2, 2, 3, 5, 8]);

    const [stamp = ''] = [...sizes].find(([, size]) => size === 8) ?? [];
    const before = stamp.replace('.000000', '.000001').replace(/T09:30:00/, 'T09:29:59');
    const { articles } = await page(api, { status: 'all', updated_since: before, limit: '5' });
    expect(articles.map(({ updated_at }) => updated_at)).toEqual(Array(5).fill(stamp));
    expect(idsOf(articles)).toEqual([...idsOf(articles)].sort((a, b) => Number(a) - Number(b)));
    const next = await page(api, { status: 'all', updated_since: articles.at(-1)?.updated_at ?? '' });
    expect((next.articles[0]?.updated_at ?? '') > stamp).toBe(true);
  });
});

describe('changes from outside the API', () => {
  test('touch, unpublish, remove and add change the lists', async () => {
    const cursor =
      api.articles
        .all()
        .map(({ updated_at }) => updated_at)
        .sort()
        .at(-1) ?? '';
    const changed = () => page(api, { status: 'all', updated_since: cursor });
    expect((await changed()).articles).toEqual([]);

    api.articles.touch(10, { title: 'Un autre titre' });
    api.articles.unpublish(11);
    api.articles.remove(12);
    const added = api.articles.add({ title: 'Le pain de la fête', bulle_id: api.ids.bulle });
    const { articles } = await changed();
    expect(idsOf(articles)).toEqual([10, 11, added.id]);
    expect(articles.map(({ status }) => status)).toEqual(['published', 'draft', 'published']);
    expect(articles[0]?.slug).not.toContain('autre');
    expect(articles[1]).toMatchObject({ published_at: null, slug: expect.any(String) });
    expect(added).toMatchObject({ slug: 'le-pain-de-la-fete', bulle_name: expect.stringContaining('Lyon') });
    expect((await page(api)).total).toBe(224);
    expect((await send(api, 'GET /articles/12')).status).toBe(404);
    expect(() => api.articles.get(12)).toThrow('the mock has no article 12');
  });
});

const ARTICLE = { title: 'Le pain du dimanche', target_keyword: 'pain' };
const create = (body: Record<string, unknown> = {}, key = api.keys.bulle) =>
  call(api, 'POST /articles', { key, body: { ...ARTICLE, ...body } });
const createdId = async (body: Record<string, unknown> = {}): Promise<number> => {
  const { created } = (await create(body)).body as { created: { id: number }[] };
  return created[0]?.id ?? Number.NaN;
};
const draft = (): number => api.articles.add({ status: 'draft', bulle_id: api.ids.bulle }).id;

describe('create', () => {
  test('custom-site mode: kind api, no site', async () => {
    const answer = await create({ bulle_id: api.ids.otherBulle }, api.keys.sphere);
    expect(answer).toEqual({
      status: 201,
      body: { created: [{ id: 1001, kind: 'api', site_id: null }], count: 1, generating: true },
    });
    const empty = { status: 'draft', content_html: '', slug: null, published_at: null };
    expect(api.articles.get(1001)).toMatchObject({ ...ARTICLE, ...empty, bulle_id: api.ids.otherBulle });
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
    const skipped = [{ site_id: 11 }, { wix_site_id: 21 }].map((site) => ({ ...site, reason: 'already_exists' }));
    expect(again).toEqual({ status: 201, body: { created: [], skipped, count: 0, generating: false } });
    expect((await create({ bulle_id, site_id: 11, title: 'Un autre' }, api.keys.sphere)).body.count).toBe(1);
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

  test('a text written by hand in the meantime stays', async () => {
    const id = await createdId();
    await send(api, `PUT /articles/${id}`, { body: { content_html: '<p>De ma main.</p>' } });
    api.advance(60_000);
    expect(api.articles.get(id).content_html).toBe('<p>De ma main.</p>');
  });

  test('the monthly quota is for all sites of the request, or none', async () => {
    const small = createMockApi({ now: NOW, quotas: { articles: 1 } });
    const before = small.snapshot();
    const order = (site_ids: number[]) =>
      send(small, 'POST /articles', { key: small.keys.bulle, body: { ...ARTICLE, site_ids } });
    expect((await order([11, 12])).status).toBe(429);
    expect(small.snapshot()).toEqual(before);
    expect((await order([11])).status).toBe(201);
  });
});

describe('update', () => {
  test('only sent fields change; the response names them', async () => {
    const id = draft();
    const before = api.articles.get(id);
    const news = { excerpt: 'Bref.', title: 'Un titre neuf' };
    const { status, body } = await call(api, `PUT /articles/${id}`, { body: news });
    expect(status).toBe(200);
    expect(body).toEqual({ article_id: id, updated_fields: ['title', 'excerpt'], status: 'draft' });
    const after = api.articles.get(id);
    expect(after).toEqual({ ...before, ...news, updated_at: after.updated_at });
    expect(after.updated_at > before.updated_at).toBe(true);
  });

  test('category: omitted stays, empty goes, null is refused', async () => {
    const id = draft();
    const put = (body: Record<string, unknown>) => call(api, `PUT /articles/${id}`, { body });
    await put({ category: 'Recettes' });
    await put({ title: 'Sans catégorie ?' });
    expect(api.articles.get(id).category).toBe('Recettes');
    expect((await put({ category: null })).status).toBe(422);
    expect((await put({ category: '' })).body.updated_fields).toEqual(['category']);
    expect(api.articles.get(id).category).toBeNull();
  });

  test('409 once it is online', async () => {
    const before = api.snapshot();
    const answer = await call(api, 'PUT /articles/42', { body: { title: 'Trop tard' } });
    expect(answer).toEqual({ status: 409, body: { detail: expect.any(String) } });
    expect(api.snapshot()).toEqual(before);
    api.articles.unpublish(42);
    expect((await send(api, 'PUT /articles/42', { body: { title: 'À temps' } })).status).toBe(200);
  });
});

describe('publish', () => {
  test('immediately: online, with a slug that never changes again', async () => {
    const id = draft();
    const title = 'Œufs & pâtés d’été';
    await send(api, `PUT /articles/${id}`, { body: { title } });
    const body = { scheduled: false, article_id: id, title, scheduled_at: null };
    expect(await call(api, `POST /articles/${id}/publish`)).toEqual({ status: 200, body });
    const online = api.articles.get(id);
    expect(online).toMatchObject({ status: 'published', slug: 'oeufs-pates-d-ete', published_at: online.updated_at });
    expect((await send(api, `POST /articles/${id}/publish`)).status).toBe(409);
    // Another article with this title.
    expect(api.articles.add({ title }).slug).toBe('oeufs-pates-d-ete-2');

    api.articles.unpublish(id);
    await send(api, `PUT /articles/${id}`, { body: { title: 'Tout autre chose' } });
    await send(api, `POST /articles/${id}/publish`);
    expect(api.articles.get(id).slug).toBe('oeufs-pates-d-ete');
  });

  test('scheduled: goes online by the clock, at its instant', async () => {
    const id = draft();
    const [sent, at] = ['2026-11-14T12:00:00+01:00', '2026-11-14T11:00:00.000000+00:00'];
    const { body } = await call(api, `POST /articles/${id}/publish`, { body: { scheduled_at: sent } });
    expect(body).toMatchObject({ scheduled: true, scheduled_at: at });
    expect(api.articles.get(id)).toMatchObject({ status: 'draft', slug: null });
    api.advance(89 * 60_000);
    expect((await call(api, `GET /articles/${id}`)).body.status).toBe('draft');
    api.advance(3 * 3_600_000);
    const online = { status: 'published', published_at: at, updated_at: at };
    expect((await call(api, `GET /articles/${id}`)).body).toMatchObject(online);
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

  // dry-run.test.ts has what all previews have in common.
  test('a preview says when, with which slug, and what is left of the quota', async () => {
    const id = draft();
    const preview = (body: object, of = id) =>
      call(api, `POST /articles/${of}/publish`, { body: { dry_run: true, ...body } });
    const now = { article_id: id, would_publish: true, would_schedule: false, would_use_slug: 'un-nouvel-article' };
    expect((await preview({})).body).toMatchObject({ ...now, quota: { limit: 30, used: 0, remaining: 30 } });
    const before = api.snapshot();
    const later = await preview({ scheduled_at: '2026-11-15T09:00:00Z' });
    expect(later.body).toMatchObject({ would_publish: false, would_schedule: true });
    expect(api.snapshot()).toEqual(before);
    expect((await preview({}, 42)).status).toBe(409);
  });
});

describe('confirm', () => {
  const confirm = (body?: unknown) => call(api, 'POST /articles/42/confirm', { key: api.keys.readOnly, body });

  test('records the page each time; the article does not change', async () => {
    const article = api.articles.get(42);
    const rendered_url = 'https://boulangerie.example/pain';
    const first = await confirm({ rendered_url });
    const confirmed_at = expect.stringMatching(/\+00:00$/);
    expect(first.body).toEqual({ article_id: 42, confirmed_at, confirmation_source: 'pingback' });
    api.advance(1000);
    const second = await confirm();
    expect(String(second.body.confirmed_at) > String(first.body.confirmed_at)).toBe(true);
    expect(api.articles.confirmation(42)).toEqual({ confirmed_at: second.body.confirmed_at, rendered_url });
    await confirm({ rendered_url: 'http://boulangerie.example/autre' });
    expect(api.articles.confirmation(42)?.rendered_url).toBe('http://boulangerie.example/autre');
    expect(api.articles.get(42)).toEqual(article);
  });
});

describe('the scope of a key', () => {
  test('one article: 403 outside the scope, 404 if unknown, 422 if the id is not a number', async () => {
    const brandOnly = api.articles.all().find(({ bulle_id }) => bulle_id === null);
    const elsewhere = api.articles.all().find(({ bulle_id }) => bulle_id === api.ids.otherBulle);
    for (const id of [brandOnly?.id, elsewhere?.id, api.ids.outside.article]) {
      expect(await call(api, `GET /articles/${id}`, { key: api.keys.bulle })).toEqual(TEXTS.bulleOutOfScope);
    }
    expect((await send(api, `GET /articles/${brandOnly?.id}`)).status).toBe(200);
    expect((await send(api, `GET /articles/${api.ids.outside.article}`)).status).toBe(403);
    const body = { detail: 'Article introuvable : 777' };
    expect(await call(api, 'GET /articles/777')).toEqual({ status: 404, body });
    expect((await send(api, 'GET /articles/abc')).status).toBe(422);
  });
});
