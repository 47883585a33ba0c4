import { ConfigurationError } from '@multilocal/client/core/errors/index';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMockApi, type MockApi } from '../src/index.js';
import { call, callList, DAY, expectInvalid, HOUR, idsOf, NOW, send, TEXTS } from './helpers.js';

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
    expect(late.body).toMatchObject({ status: 'published', warnings: [expect.stringContaining('passée')] });
    const { published_facebook, created_at } = api.posts.get(Number(late.body.id));
    expect(published_facebook).not.toBeNull();
    expect(String(published_facebook) >= '2026-11-14T09:30:00').toBe(true);
    expect(Date.parse(String(published_facebook)) - Date.parse(created_at)).toBeLessThan(600_000);
  });
});

describe('the clock', () => {
  test('publishes at the date, and not before', async () => {
    const id = Number((await create({ scheduled_at: '2026-11-14T12:00:00+01:00' })).body.id);
    api.advance(89 * 60_000);
    expect(api.posts.get(id).status).toBe('pending');
    api.advance(HOUR);
    expect((await call(api, `GET /posts/${id}`)).body).toMatchObject({
      status: 'published',
      published_facebook: '2026-11-14T11:00:00.000000+00:00',
      published_instagram: '2026-11-14T11:00:00.000000+00:00',
      error_facebook: null,
      platform_refs: { facebook: expect.any(String), instagram: expect.any(String) },
    });
  });

  test('each platform at its own date, the others at that of the post', async () => {
    const id = Number(
      (
        await create({
          platforms: ['facebook', 'instagram', 'linkedin'],
          scheduled_at: '2026-11-14T12:00:00Z',
          scheduled_linkedin: '2026-11-14T10:00:00Z',
          scheduled_instagram: '2026-11-15T10:00:00Z',
          scheduled_tiktok: '2026-11-14T10:00:00Z',
        })
      ).body.id,
    );
    expect(api.posts.get(id).scheduled_tiktok).toBeNull();
    const published = () => {
      const post = api.posts.get(id);
      return [post.status, post.published_linkedin, post.published_facebook, post.published_instagram].map(
        (value) => value?.slice(0, 13) ?? null,
      );
    };
    api.advance(HOUR);
    expect(published()).toEqual(['pending', '2026-11-14T10', null, null]);
    api.advance(2 * HOUR);
    expect(published()).toEqual(['pending', '2026-11-14T10', '2026-11-14T12', null]);
    api.advance(DAY);
    expect(published()).toEqual(['published', '2026-11-14T10', '2026-11-14T12', '2026-11-15T10']);
  });

  test('failPlatform: the next publication there, of that location or post', async () => {
    api.posts.failPlatform('facebook', { bulle_id: api.ids.otherBulle });
    api.posts.failPlatform('facebook', { bulle_id: api.ids.bulle, message: 'Image refusée.' });
    const { body } = await create({ publish_now: true });
    expect(body.status).toBe('error');
    expect(api.posts.get(Number(body.id))).toMatchObject({
      status: 'error',
      error_facebook: 'Image refusée.',
      published_facebook: null,
      error_instagram: null,
      published_instagram: expect.any(String),
      platform_refs: { instagram: expect.any(String) },
    });
    expect(api.posts.get(Number(body.id)).platform_refs).not.toHaveProperty('facebook');
    expect((await create({ publish_now: true })).body.status).toBe('published');

    const planned = Number((await create()).body.id);
    api.posts.failPlatform('instagram', { post_id: planned });
    expect((await create({ publish_now: true })).body.status).toBe('published');
    api.advance(2 * HOUR);
    expect(api.posts.get(planned)).toMatchObject({ status: 'error', error_instagram: expect.any(String) });
    for (const times of [0, 1.5, Number.POSITIVE_INFINITY]) {
      expect(() => api.posts.failPlatform('facebook', { times })).toThrow(ConfigurationError);
    }
  });

  test('a publication fails if the connection is lost, expired or must be renewed', async () => {
    const planned = async () => Number((await create({ platforms: ['facebook'] })).body.id);
    const outcome = (id: number) => {
      api.advance(2 * HOUR);
      return api.posts.get(id).error_facebook;
    };
    const lost = await planned();
    api.connections.change(api.ids.bulle, 'facebook', { connected: false });
    expect(outcome(lost)).toContain('connecté');
    api.connections.change(api.ids.bulle, 'facebook', { connected: true });
    const renewal = await planned();
    api.connections.change(api.ids.bulle, 'facebook', { needs_reconnect: true });
    expect(outcome(renewal)).toContain('renouvelée');
    api.connections.change(api.ids.bulle, 'facebook', { needs_reconnect: false, expires_at: '2026-11-14T14:00:00Z' });
    const expired = await planned();
    expect(outcome(expired)).toContain('renouvelée');
    const [facebook] = await callList(api, `GET /connections?bulle_id=${api.ids.bulle}`);
    expect(facebook).toMatchObject({ platform: 'facebook', connected: true, needs_reconnect: true });
  });

  test('publishes the scheduled posts of the seed', async () => {
    api.advance(40 * DAY);
    expect(api.posts.get(api.ids.posts.pending).status).toBe('published');
    expect(await callList(api, 'GET /posts?status=pending')).toEqual([]);
  });
});

describe('PUT, DELETE and publish', () => {
  const { pending, published, error } = createMockApi().ids.posts;

  test('PUT: only sent fields change', async () => {
    const before = api.posts.get(pending);
    const { status, body } = await call(api, `PUT /posts/${pending}`, { body: { content: 'Un autre texte' } });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, content: 'Un autre texte', updated_at: body.updated_at });
    expect(String(body.updated_at) > before.updated_at).toBe(true);
    const snapshot = api.snapshot();
    await call(api, `PUT /posts/${pending}`, { body: {} });
    expect(api.snapshot()).toEqual(snapshot);
  });

  test('PUT scheduled_at: earlier or later, for the platforms without an own date', async () => {
    const { body } = await create({ scheduled_instagram: '2026-11-20T10:00:00Z' });
    const id = Number(body.id);
    await send(api, `PUT /posts/${id}`, { body: { scheduled_at: '2026-11-16T10:00:00Z' } });
    expect(api.posts.get(id)).toMatchObject({
      scheduled_facebook: '2026-11-16T10:00:00.000000+00:00',
      scheduled_instagram: '2026-11-20T10:00:00.000000+00:00',
    });
    api.advance(DAY);
    expect(api.posts.get(id).published_facebook).toBeNull();
    await send(api, `PUT /posts/${id}`, { body: { scheduled_at: '2026-11-15T12:00:00Z' } });
    api.advance(3 * HOUR);
    expect(api.posts.get(id).published_facebook).toBe('2026-11-15T12:00:00.000000+00:00');
    // What is out already keeps its date.
    await send(api, `PUT /posts/${id}`, { body: { scheduled_at: '2026-11-18T12:00:00Z' } });
    expect(api.posts.get(id)).toMatchObject({
      status: 'pending',
      scheduled_facebook: '2026-11-15T12:00:00.000000+00:00',
    });
  });

  test('PUT and publish are for pending posts: 409 otherwise', async () => {
    const before = api.snapshot();
    for (const id of [published, error]) {
      expect((await call(api, `PUT /posts/${id}`, { body: { content: 'Trop tard' } })).status).toBe(409);
      expect((await call(api, `POST /posts/${id}/publish`)).status).toBe(409);
      expect((await call(api, `POST /posts/${id}/publish`, { body: { dry_run: true } })).status).toBe(409);
    }
    expect(api.snapshot()).toEqual(before);
  });

  test('DELETE is for pending and failed posts: 409 otherwise; a deleted post is not published', async () => {
    expect((await call(api, `DELETE /posts/${published}`)).status).toBe(409);
    for (const id of [pending, error]) {
      const response = await send(api, `DELETE /posts/${id}`);
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect((await call(api, `GET /posts/${id}`)).status).toBe(404);
      expect((await call(api, `DELETE /posts/${id}`)).status).toBe(404);
    }
    const jobs = api.snapshot().jobs as { kind: string; id: unknown }[];
    expect(jobs.length).toBeGreaterThan(10);
    expect(jobs.map(({ id }) => id)).not.toContain(pending);
    api.advance(40 * DAY);
    expect(idsOf(api.posts.all())).not.toContain(pending);
  });

  test('all three: 403 and 404 as for reads', async () => {
    for (const line of ['PUT /posts/{id}', 'DELETE /posts/{id}', 'POST /posts/{id}/publish']) {
      expect(await call(api, line.replace('{id}', String(api.ids.outside.post)))).toEqual(TEXTS.bulleOutOfScope);
      expect((await call(api, line.replace('{id}', '777'))).status).toBe(404);
    }
  });

  test('publish: immediately, whatever the dates, also without a body; then nothing is scheduled', async () => {
    const { jobs } = api.snapshot();
    const { body } = await create({ scheduled_instagram: '2027-01-01T00:00:00Z' });
    const { status } = await call(api, `POST /posts/${body.id}/publish`, { text: '' });
    expect(status).toBe(200);
    const post = api.posts.get(Number(body.id));
    expect(post).toMatchObject({ status: 'published', published_facebook: post.updated_at });
    expect(post.published_instagram).toBe(post.updated_at);
    expect(api.snapshot().jobs).toEqual(jobs);
  });

  test('publish_now: published immediately', async () => {
    const { body } = await create({ publish_now: true, scheduled_at: '2027-01-01T00:00:00Z' });
    expect(body.status).toBe('published');
    expect(api.posts.get(Number(body.id)).published_facebook?.slice(0, 16)).toBe('2026-11-14T09:30');
  });
});

describe('changes from outside the API', () => {
  test('add and remove', async () => {
    const added = api.posts.add({ content: 'De la part du siège', platforms: ['instagram'] });
    expect(added).toMatchObject({ status: 'published', bulle_id: api.ids.bulle });
    expect((await callList(api, 'GET /posts?limit=1'))[0]).toEqual(added);
    const later = api.posts.add({ scheduled_at: '2026-11-15T00:00:00Z', bulle_id: api.ids.otherBulle });
    expect(later.status).toBe('pending');
    api.posts.remove(later.id);
    expect(() => api.posts.get(later.id)).toThrow(RangeError);
    expect(() => api.posts.add({ bulle_id: api.ids.outside.bulle })).toThrow(RangeError);
    expect(() => api.posts.add({ scheduled_at: 'soon' })).toThrow(ConfigurationError);
    expect(() => api.connections.change(api.ids.bulle, 'snapchat', {})).toThrow(RangeError);
  });
});
