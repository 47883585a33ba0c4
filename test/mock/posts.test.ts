import { beforeEach, describe, expect, test } from 'vitest';
import { createMockApi, type MockApi } from '../../src/mock/index.js';
import { call, callList, expectInvalid, HOUR, NOW, TEXTS } from './helpers.js';

let api: MockApi;
beforeEach(() => {
  api = createMockApi({ now: NOW });
});

const POST = { content: 'Le pain du dimanche', platforms: ['facebook', 'instagram'] };
const create = (body: Record<string, unknown> = {}, key = api.keys.bulle) =>
  call(api, 'POST /posts', { key, body: { ...POST, ...body } });
const PLATFORMS = ['facebook', 'instagram', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'];

describe('the seed', () => {
  test('about 150 posts in every state, over all locations', () => {
    const all = api.posts.all();
    expect(all).toHaveLength(150);
    expect(new Set(all.map(({ bulle_id }) => bulle_id)).size).toBe(13);
    for (const status of ['pending', 'published', 'error'] as const) {
      expect(all.filter((post) => post.status === status).length).toBeGreaterThan(10);
      expect(api.posts.get(api.ids.posts[status])).toMatchObject({ status, bulle_id: api.ids.bulle });
    }
    for (const post of all) {
      expect(post.content).not.toMatch(/undefined|^ /);
      for (const platform of post.platforms) {
        const [published, error] = [post[`published_${platform}`], post[`error_${platform}`]];
        expect(post[`scheduled_${platform}`]).not.toBeNull();
        expect(post.status === 'pending').toBe(published === null && error === null);
        expect(post.platform_refs[platform] !== undefined).toBe(published !== null);
      }
    }
  });
});

describe('GET /posts', () => {
  test('a bare array, newest first, of the whole brand or one location', async () => {
    const all = await callList(api, 'GET /posts?limit=100');
    expect(all).toHaveLength(100);
    const dates = all.map(({ created_at }) => String(created_at));
    expect(dates).toEqual([...dates].sort().reverse());
    expect(all.map(({ id }) => id)).not.toContain(api.ids.outside.post);
    const own = await callList(api, 'GET /posts?limit=100', { key: api.keys.bulle });
    expect(own.every(({ bulle_id }) => bulle_id === api.ids.bulle)).toBe(true);
    expect(await callList(api, `GET /posts?limit=100&bulle_id=${api.ids.bulle}`)).toEqual(own);
    expect(own).toHaveLength(12);
  });

  test('limit 50 by default, offset 0; pages join without a gap', async () => {
    const first = await callList(api, 'GET /posts');
    expect(first).toHaveLength(50);
    const whole = [...first];
    for (const offset of [50, 100, 150]) whole.push(...(await callList(api, `GET /posts?offset=${offset}`)));
    expect(whole).toHaveLength(150);
    expect(new Set(whole.map(({ id }) => id)).size).toBe(150);
    expect(await callList(api, 'GET /posts?limit=3&offset=1')).toEqual(first.slice(1, 4));
  });

  test('status: pending, published, error', async () => {
    for (const status of ['pending', 'published', 'error']) {
      const found = await callList(api, `GET /posts?limit=100&status=${status}`);
      expect(found.length).toBeGreaterThan(10);
      expect(found.every((post) => post.status === status)).toBe(true);
    }
  });

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'ten'],
    ['limit', ''],
    ['offset', '-1'],
    ['offset', '1.5'],
    ['status', 'scheduled'],
    ['status', ''],
  ])('%s=%s: 422', (name, value) => expectInvalid(api, `GET /posts?${name}=${value}`, name));
});

describe('one post', () => {
  test('every field of the specification; three nulls for a platform that is not targeted', async () => {
    const { body } = await call(api, `GET /posts/${api.ids.posts.error}`);
    const flat = PLATFORMS.flatMap((name) => [`scheduled_${name}`, `published_${name}`, `error_${name}`]);
    expect(Object.keys(body).sort()).toEqual(
      [
        ...['id', 'bulle_id', 'content', 'platforms', 'status', 'image_url', 'image_urls', 'video_url'],
        ...['platform_refs', 'created_at', 'updated_at', 'warnings'],
        ...flat,
      ].sort(),
    );
    expect(body).toMatchObject({ platforms: ['gmb', 'linkedin'], error_gmb: expect.any(String), published_gmb: null });
    for (const prefix of ['scheduled', 'published', 'error']) expect(body[`${prefix}_youtube`]).toBeNull();
    const listed = await callList(api, 'GET /posts?status=error&limit=100');
    expect(listed.find(({ id }) => id === api.ids.posts.error)).toEqual(body);
  });

  test('403 out of scope, 404, 422 if the id is not a number', async () => {
    const elsewhere = api.posts.all().find(({ bulle_id }) => bulle_id === api.ids.otherBulle)?.id;
    for (const id of [elsewhere, api.ids.outside.post]) {
      expect(await call(api, `GET /posts/${id}`, { key: api.keys.bulle })).toEqual(TEXTS.bulleOutOfScope);
    }
    expect((await call(api, `GET /posts/${api.ids.outside.post}`)).status).toBe(403);
    expect(await call(api, 'GET /posts/777')).toEqual({
      status: 404,
      body: { detail: 'Publication introuvable : 777' },
    });
    await expectInvalid(api, 'GET /posts/abc', 'post_id');
  });
});

describe('POST /posts', () => {
  test('scheduled in an hour by default; the subset of fields', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      ...['id', 'content', 'platforms', 'status', 'image_url', 'scheduled_facebook', 'scheduled_instagram'],
      ...['created_at', 'updated_at', 'warnings'],
    ]);
    expect(body).toMatchObject({ ...POST, status: 'scheduled', image_url: null, warnings: [] });
    const ahead = Date.parse(String(body.scheduled_facebook)) - Date.parse(String(body.created_at));
    expect(Math.abs(ahead - HOUR)).toBeLessThan(600_000);
    expect(api.posts.get(Number(body.id)).status).toBe('pending');
  });

  test('text is an alias; media and the listing are kept or checked', async () => {
    const { body } = await create({ content: undefined, text: 'Bonjour', image_url: 'https://i.example/1.jpg' });
    expect(body).toMatchObject({ content: 'Bonjour', image_url: 'https://i.example/1.jpg' });
    const images = ['https://i.example/1.jpg', 'https://i.example/2.jpg'];
    const more = await create({
      image_urls: images,
      video_url: 'https://v.example/1.mp4',
      gmb_fiche_id: api.ids.fiche,
    });
    expect(api.posts.get(Number(more.body.id))).toMatchObject({ image_urls: images, video_url: expect.any(String) });
    expect(await create({ gmb_fiche_id: api.ids.otherFiche })).toEqual(TEXTS.ficheOutOfScope);
    const wrong = await create({ gmb_fiche_id: api.ids.fiche, bulle_id: api.ids.otherBulle }, api.keys.sphere);
    expect(wrong.status).toBe(422);
  });

  test('a platform without an account: 400 with the text of the specification', async () => {
    const before = api.snapshot();
    const refused = { status: 400, body: { detail: 'Plateforme non connectée' } };
    expect(await create({ platforms: ['facebook', 'snapchat'] })).toEqual(refused);
    expect(await create({ platforms: ['gmb'], bulle_id: api.ids.bulleWithoutFiche }, api.keys.sphere)).toEqual(refused);
    // Withdrawn at Lille.
    expect(await create({ platforms: ['linkedin'], bulle_id: 'bul_lille_wazemmes' }, api.keys.sphere)).toEqual(refused);
    expect(api.snapshot()).toEqual(before);
    api.connections.change(api.ids.bulle, 'facebook', { connected: false });
    expect(await create()).toEqual(refused);
    api.connections.change(api.ids.bulle, 'facebook', { connected: true });
    expect((await create()).status).toBe(201);
  });

  test.each([
    ['content', undefined],
    ['content', ''],
    ['content', '   '],
    ['content', 5],
    ['content', 'é'.repeat(5001)],
    ['text', 'é'.repeat(5001)],
    ['platforms', undefined],
    ['platforms', []],
    ['platforms', 'facebook'],
    ['platforms', ['Facebook']],
    ['platforms', ['facebook', 'myspace']],
    ['image_urls', ['https://i.example/1.jpg']],
    ['image_urls', Array.from({ length: 11 }, (_, index) => `https://i.example/${index}.jpg`)],
    ['image_urls', 'https://i.example/1.jpg'],
    ['scheduled_at', 'tomorrow'],
    ['scheduled_at', null],
    ['scheduled_tiktok', 'soon'],
    ['publish_now', 'true'],
    ['content_per_platform', 'text'],
    ['gmb_fiche_id', ''],
    ['dry_run', 1],
  ])('%s = %j: 422', (name, value) =>
    expectInvalid(api, 'POST /posts', name, { key: api.keys.bulle, body: { ...POST, [name]: value } }),
  );

  test('5000 code points, 2 and 10 images are fine', async () => {
    const images = (count: number) => Array.from({ length: count }, (_, index) => `https://i.example/${index}.jpg`);
    expect((await create({ content: '🥖'.repeat(5000) })).status).toBe(201);
    for (const count of [2, 10]) expect((await create({ image_urls: images(count) })).status).toBe(201);
  });

  test('warnings block nothing: a text too long for a platform, a connection to renew, a past date', async () => {
    const long = await create({ content: 'a'.repeat(2201), platforms: ['instagram', 'facebook'] });
    expect(long.body.warnings).toEqual([expect.stringContaining('instagram')]);
    const renew = await create({ bulle_id: api.ids.otherBulle, platforms: ['facebook'] }, api.keys.sphere);
    expect(renew.body.warnings).toEqual([expect.stringContaining('facebook')]);
    const late = await create({ scheduled_at: '2026-11-14T09:00:00Z', platforms: ['facebook'] });
    expect(late.body).toMatchObject({ status: 'scheduled', warnings: [expect.stringContaining('passée')] });
    const { published_facebook, created_at } = api.posts.get(Number(late.body.id));
    expect(published_facebook).not.toBeNull();
    expect(String(published_facebook) >= '2026-11-14T09:30:00').toBe(true);
    expect(Date.parse(String(published_facebook)) - Date.parse(created_at)).toBeLessThan(600_000);
  });
});
