import { ConfigurationError } from '@multilocal/client/core/errors/index';
import { describe, expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { api, call, callList, DAY, freshApi, HOUR, idsOf, send, TEXTS } from './helpers.js';

freshApi();

const POST = { content: 'Le pain du dimanche', platforms: ['facebook', 'instagram'] };
const create = (body: Record<string, unknown> = {}, key = api.keys.bulle) =>
  call(api, 'POST /posts', { key, body: { ...POST, ...body } });

test('GET /posts: a bare array, newest first, of the whole brand or one location, in pages of 50 that join', async () => {
  const pages = await Promise.all([0, 50, 100, 150].map((offset) => callList(api, `GET /posts?offset=${offset}`)));
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 50, 0]);
  const all = pages.flat();
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, index) => 150 - index));
  const dates = all.map(({ created_at }) => String(created_at));
  expect(dates).toEqual([...dates].sort().reverse());
  const own = await callList(api, 'GET /posts', { key: api.keys.bulle });
  expect(own).toEqual(all.filter(({ bulle_id }) => bulle_id === api.ids.bulle));
  expect(own).toHaveLength(12);
  expect(await callList(api, `GET /posts?limit=3&offset=1&bulle_id=${api.ids.bulle}`)).toEqual(own.slice(1, 4));
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
    expect((await create({ text: 'Un alias' })).body.content).toBe(POST.content);
    expect((await create({ content: undefined })).status).toBe(422);
    const { body } = await create({ content: undefined, text: 'Bonjour', image_url: 'https://i.example/1.jpg' });
    expect(body).toMatchObject({ content: 'Bonjour', image_url: 'https://i.example/1.jpg' });
    const media = {
      image_urls: ['https://i.example/1.jpg', 'https://i.example/2.jpg'],
      video_url: 'https://v.example/1',
    };
    const more = await create({ ...media, gmb_fiche_id: api.ids.fiche });
    expect(api.posts.get(Number(more.body.id))).toMatchObject(media);
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
  });

  test('warnings block nothing: a text too long for a platform, a connection to renew, a past date', async () => {
    const long = await create({ content: 'a'.repeat(2201), platforms: ['instagram', 'facebook'] });
    expect(long.body.warnings).toEqual([expect.stringContaining('instagram')]);
    const renew = await create({ bulle_id: api.ids.otherBulle, platforms: ['facebook'] }, api.keys.sphere);
    expect(renew.body.warnings).toEqual([expect.stringContaining('facebook')]);
    const late = await create({ scheduled_at: '2026-11-14T09:00:00Z', platforms: ['facebook'] });
    expect(late.body).toMatchObject({ status: 'published', warnings: [expect.stringContaining('passée')] });
    const preview = await create({ scheduled_at: '2020-01-01', scheduled_instagram: '2026-12-01', dry_run: true });
    expect(preview.body).toMatchObject({ would_publish: true, would_schedule: true });
    expect(api.posts.get(Number(late.body.id)).published_facebook).toMatch(/^2026-11-14T09:30:/);
  });
});

describe('the clock', () => {
  test('publishes at the date, and not before', async () => {
    const id = Number((await create({ scheduled_at: '2026-11-14T12:00:00+01:00' })).body.id);
    api.advance(89 * 60_000);
    expect(api.posts.get(id).status).toBe('pending');
    api.advance(HOUR);
    const at = '2026-11-14T11:00:00.000000+00:00';
    expect((await call(api, `GET /posts/${id}`)).body).toMatchObject({
      ...{ status: 'published', published_facebook: at, published_instagram: at, error_facebook: null },
      platform_refs: { facebook: expect.any(String), instagram: expect.any(String) },
    });
  });

  test('each platform at its own date, the others at that of the post', async () => {
    const { body } = await create({
      scheduled_at: '2026-11-14T12:00:00Z',
      scheduled_instagram: '2026-11-15T10:00:00Z',
      scheduled_tiktok: '2026-11-14T10:00:00Z',
    });
    const published = () => {
      const { status, published_facebook, published_instagram } = api.posts.get(Number(body.id));
      return [status, ...[published_facebook, published_instagram].map((at) => at?.slice(0, 13) ?? null)];
    };
    expect(api.posts.get(Number(body.id)).scheduled_tiktok).toBeNull();
    api.advance(3 * HOUR);
    expect(published()).toEqual(['pending', '2026-11-14T12', null]);
    api.advance(DAY);
    expect(published()).toEqual(['published', '2026-11-14T12', '2026-11-15T10']);
  });

  test('failPlatform: the next publication there, at once or by the clock', async () => {
    api.posts.failPlatform('facebook', { message: 'Image refusée.' });
    const { body } = await create({ publish_now: true });
    expect(body.status).toBe('error');
    expect(api.posts.get(Number(body.id))).toMatchObject({
      ...{ status: 'error', error_facebook: 'Image refusée.', published_facebook: null },
      ...{ error_instagram: null, published_instagram: expect.any(String) },
      platform_refs: { instagram: expect.any(String) },
    });
    expect(api.posts.get(Number(body.id)).platform_refs).not.toHaveProperty('facebook');
    expect((await create({ publish_now: true })).body.status).toBe('published');

    const planned = Number((await create()).body.id);
    api.posts.failPlatform('instagram');
    api.advance(2 * HOUR);
    expect(api.posts.get(planned)).toMatchObject({ status: 'error', error_instagram: expect.any(String) });
  });

  test.each([
    [{ connected: false }, 'connecté', false],
    [{ needs_reconnect: true }, 'renouvelée', true],
    [{ expires_at: '2026-11-14T10:00:00Z' }, 'renouvelée', true],
  ])('a publication fails if its account has become %j', async (change, reason, needs_reconnect) => {
    const { body } = await create({ platforms: ['facebook'] });
    api.connections.change(api.ids.bulle, 'facebook', change);
    api.advance(2 * HOUR);
    expect(api.posts.get(Number(body.id)).error_facebook).toContain(reason);
    const [facebook] = await callList(api, `GET /connections?bulle_id=${api.ids.bulle}`);
    expect(facebook).toMatchObject({ platform: 'facebook', needs_reconnect });
  });
});

describe('PUT, DELETE and publish', () => {
  const { pending, published, error } = createMockApi().ids.posts;

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
    expect(api.posts.get(id).scheduled_facebook).toBe('2026-11-15T12:00:00.000000+00:00');
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
    api.advance(40 * DAY);
    expect(idsOf(api.posts.all())).not.toContain(pending);
  });

  test('publish: immediately, whatever the dates, also without a body; then nothing is scheduled', async () => {
    const { body } = await create({ scheduled_instagram: '2027-01-01T00:00:00Z' });
    const { status } = await call(api, `POST /posts/${body.id}/publish`, { text: '' });
    expect(status).toBe(200);
    const post = api.posts.get(Number(body.id));
    expect(post).toMatchObject({ status: 'published', published_facebook: post.updated_at });
    expect(post.published_instagram).toBe(post.updated_at);
    api.advance(60 * DAY);
    expect(api.posts.get(Number(body.id))).toEqual(post);
  });
});

describe('changes from outside the API', () => {
  test('add', async () => {
    const added = api.posts.add({ content: 'De la part du siège', platforms: ['instagram'] });
    expect(added).toMatchObject({ status: 'published', bulle_id: api.ids.bulle });
    expect((await callList(api, 'GET /posts?limit=1'))[0]).toEqual(added);
    const later = api.posts.add({ scheduled_at: '2026-11-15T00:00:00Z', bulle_id: api.ids.otherBulle });
    expect(later.status).toBe('pending');
    expect(() => api.posts.get(777)).toThrow(ConfigurationError);
    expect(() => api.posts.add({ bulle_id: api.ids.outside.bulle })).toThrow(ConfigurationError);
    expect(() => api.posts.add({ scheduled_at: 'soon' })).toThrow(ConfigurationError);
    expect(() => api.connections.change(api.ids.bulle, 'snapchat', {})).toThrow(ConfigurationError);
  });
});
