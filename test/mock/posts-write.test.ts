import { beforeEach, describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/core/errors/index.js';
import { createMockApi, type MockApi } from '../../src/mock/index.js';
import { call, callList, DAY, expectInvalid, HOUR, idsOf, NOW, send, TEXTS } from './helpers.js';

let api: MockApi;
beforeEach(() => {
  api = createMockApi({ now: NOW });
});

const POST = { content: 'Le pain du dimanche', platforms: ['facebook', 'instagram'] };
const create = (body: Record<string, unknown> = {}, key = api.keys.bulle) =>
  call(api, 'POST /posts', { key, body: { ...POST, ...body } });

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

  test.each([
    ['content', ''],
    ['content', 'x'.repeat(5001)],
    ['content', null],
    ['scheduled_at', 'soon'],
  ])('PUT %s = %j: 422', (name, value) =>
    expectInvalid(api, `PUT /posts/${pending}`, name, { body: { [name]: value } }),
  );

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
