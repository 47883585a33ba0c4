import { describe, expect, test, vi } from 'vitest';
import { api, call, callList, DAY, freshApi, TEXTS } from './helpers.js';

freshApi({ quotas: { social: 3 } });

const POST = { text: 'Le pain du dimanche', platforms: ['facebook', 'linkedin'] };
const publish = (body: Record<string, unknown> = {}, key = api.keys.bulle) =>
  call(api, 'POST /social/publish', { key, body: { ...POST, ...body } });
const read = (id: unknown) => call(api, `GET /social/posts/${id}`);

describe('POST /social/publish', () => {
  test('immediate: publishing, and published some seconds later', async () => {
    const { status, body } = await publish();
    expect(status).toBe(200);
    expect(body).toEqual({
      post_id: expect.any(String),
      status: 'publishing',
      scheduled_at: null,
      platforms: POST.platforms,
      quota: { limit: 3, used: 1, remaining: 2, resets_at: '2026-12-01T00:00:00.000000+00:00' },
    });
    expect((await read(body.post_id)).body).toMatchObject({
      status: 'publishing',
      scheduled: { facebook: expect.any(String), instagram: null },
      published: { facebook: null },
    });
    const [newest] = await callList(api, 'GET /posts?limit=1&status=pending', { key: api.keys.bulle });
    expect(newest?.content).toBe(POST.text);
    api.advance(5000);
    const online = { status: 'published', published: { facebook: expect.any(String) } };
    expect((await read(body.post_id)).body).toMatchObject(online);
  });

  test('immediate: no date is in the past, although time passes in the request', async () => {
    let time = Date.now();
    const ticking = vi.spyOn(Date, 'now').mockImplementation(() => time++);
    expect((await publish({ dry_run: true })).body).toMatchObject({ would_publish: true, would_warn: [] });
    const post = { key: api.keys.bulle, body: { content: 'x', platforms: ['facebook'], publish_now: true } };
    expect((await call(api, 'POST /posts', post)).body.warnings).toEqual([]);
    ticking.mockRestore();
  });

  test.each([0, 1, 11])('%i images: the specification has no limit here', async (length) => {
    const image_urls = Array.from({ length }, (_, at) => `https://i.example/${at}.jpg`);
    expect((await publish({ image_urls, dry_run: true })).status).toBe(200);
  });

  test('scheduled: published by the clock', async () => {
    const { body } = await publish({ scheduled_at: '2026-11-15T08:00:00+01:00' });
    expect(body).toMatchObject({ status: 'scheduled', scheduled_at: '2026-11-15T07:00:00.000000+00:00' });
    expect((await read(body.post_id)).body.status).toBe('scheduled');
    api.advance(DAY);
    const at = '2026-11-15T07:00:00.000000+00:00';
    const online = { status: 'published', published: { facebook: at, linkedin: at } };
    expect((await read(body.post_id)).body).toMatchObject(online);
  });

  test('an error of a platform', async () => {
    api.posts.failPlatform('linkedin', { message: 'Quota de LinkedIn atteint.' });
    const { body } = await publish();
    api.advance(60_000);
    expect((await read(body.post_id)).body).toEqual({
      post_id: body.post_id,
      status: 'error',
      platforms: POST.platforms,
      content: POST.text,
      scheduled: expect.objectContaining({ linkedin: expect.any(String) }),
      published: expect.objectContaining({ facebook: expect.any(String), linkedin: null }),
      errors: {
        ...{ facebook: null, instagram: null, gmb: null, pinterest: null, tiktok: null, snapchat: null, youtube: null },
        linkedin: 'Quota de LinkedIn atteint.',
      },
    });
  });
});

describe('the quota', () => {
  const quota = async (bulle_id = api.ids.bulle) => (await call(api, `GET /social/quota?bulle_id=${bulle_id}`)).body;

  test('counts the publications of a location, and no posts', async () => {
    for (let sent = 0; sent < 2; sent += 1) expect((await publish()).status).toBe(200);
    const body = { content: 'Bonjour', platforms: ['facebook'] };
    expect((await call(api, 'POST /posts', { key: api.keys.bulle, body })).status).toBe(201);
    expect(await quota()).toMatchObject({ bulle_id: api.ids.bulle, limit: 3, used: 2, remaining: 1 });
    expect(await quota(api.ids.otherBulle)).toMatchObject({ used: 0 });
  });
});

describe('GET /social/posts/{post_id}', () => {
  test('ids are separate strings; 404 for others, 403 out of scope', async () => {
    for (const id of ['1', 'soc_', 'soc_777', 'soc_1x']) {
      expect(await read(id)).toEqual({ status: 404, body: { detail: `Publication introuvable : ${id}` } });
    }
    expect((await read(`soc_${api.ids.posts.published}`)).body).toMatchObject({ status: 'published' });
    expect(await read(`soc_${api.ids.outside.post}`)).toEqual(TEXTS.bulleOutOfScope);
  });
});
