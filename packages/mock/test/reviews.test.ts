import type { ReviewPage } from 'multilocal';
import { describe, expect, test } from 'vitest';
import type { MockReview } from '../src/index.js';
import { api, call, freshApi, TEXTS } from './helpers.js';

freshApi();

const list = async (query: Record<string, string> = {}) => {
  const { status, body } = await call(api, `GET /reviews?${new URLSearchParams(query)}`, { key: api.keys.bulle });
  expect(status).toBe(200);
  return body as unknown as ReviewPage;
};
const reply = (id: string, body: Record<string, unknown> = { text: 'Merci !' }, key = api.keys.bulle) =>
  call(api, `POST /reviews/${encodeURIComponent(id)}/reply`, { key, body });
const names = (reviews: readonly { review_id: string }[]) => reviews.map(({ review_id }) => review_id);

describe('GET /reviews', () => {
  test('25 of the listing, newest first, with its summary and its counters', async () => {
    const body = await list();
    expect(body.reviews).toHaveLength(25);
    expect(body).toMatchObject({ total_reviews: 34, filtered_count: 34, page: 1, total_pages: 2 });
    expect(Object.keys(Object(body.fiche))).toEqual([
      'id',
      'name',
      'address',
      'place_id',
      'average_rating',
      'total_reviews',
    ]);
    expect(body.fiche).toMatchObject({ id: api.ids.fiche, average_rating: body.average_rating, total_reviews: 34 });
    const { all = 0, responded = 0, drafts = 0, unresponded = 0 } = body.status_counts;
    expect([all, responded + drafts + unresponded]).toEqual([34, 34]);
    const dates = body.reviews.map(({ review_timestamp }) => review_timestamp);
    expect(dates).toEqual([...dates].sort().reverse());
    const stars = api.reviews.all().reduce((sum, { rating }) => sum + rating, 0);
    expect(body.average_rating).toBeCloseTo(stars / 34, 2);
  });

  test('pages: the last one has the rest, and later ones are empty', async () => {
    for (const [page, length] of [10, 10, 10, 4, 0].entries()) {
      const body = await list({ limit: '10', page: `${page + 1}` });
      expect(body).toMatchObject({ page: page + 1, total_pages: 4, reviews: { length } });
    }
    const [first, second] = [await list(), await list({ page: '2' })];
    expect(names([...first.reviews, ...second.reviews])).toEqual(names(api.reviews.all()));
  });

  test('stars, status, keyword and dates filter; the counters are for the whole listing', async () => {
    const all = api.reviews.all();
    const filtered = async (query: Record<string, string>) => {
      const body = await list({ ...query, limit: '100' });
      expect(body).toMatchObject({ total_reviews: 34, filtered_count: body.reviews.length });
      expect(body.status_counts.all).toBe(34);
      return names(body.reviews);
    };
    const expected = (keep: (review: MockReview) => boolean) => names(all.filter(keep));
    expect(await filtered({ min_stars: '2', max_stars: '4' })).toEqual(
      expected(({ rating }) => rating >= 2 && rating <= 4),
    );
    expect(await filtered({ status: 'responded' })).toEqual(expected(({ responded }) => responded));
    const [drafts, open] = [await filtered({ status: 'drafts' }), await filtered({ status: 'unresponded' })];
    expect(drafts.length).toBeGreaterThan(0);
    expect([...drafts, ...open].sort()).toEqual(expected(({ responded }) => !responded).sort());
    const croissants = await filtered({ keyword: 'CROISSANTS' });
    expect(croissants.length).toBeGreaterThan(0);
    expect(croissants).toEqual(expected(({ text }) => text?.includes('croissants') === true));
    const [from = '', to = ''] = [all[9]?.review_timestamp, all[4]?.review_timestamp];
    expect(await filtered({ date_from: from, date_to: to })).toEqual(names(all.slice(4, 10)));
    // A day alone is that whole day, at either end.
    const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
    const within = expected(({ review_timestamp: at }) => at.slice(0, 10) >= first && at.slice(0, 10) <= last);
    expect(await filtered({ date_from: first, date_to: last })).toEqual(within);
    expect(await list({ keyword: 'introuvable' })).toMatchObject({ reviews: [], filtered_count: 0, total_pages: 0 });
  });
});

describe('POST /reviews/{review_id}/reply', () => {
  const counts = async () => (await list()).status_counts as Record<'responded' | 'drafts' | 'unresponded', number>;

  test('posts a reply, also for an id with slashes, and the counters follow', async () => {
    const before = await counts();
    const { review_id, rating, customer_name } = api.reviews.get(api.ids.review);
    const text = 'Nous sommes désolés.';
    const fiche_name = expect.stringContaining('Croix-Rousse');
    const body = { posted: true, review_id, rating, customer_name, fiche_name };
    expect(await reply(api.ids.review, { text })).toEqual({ status: 200, body });
    const reply_date = expect.stringMatching(/^2026-11-14T09:3/);
    expect(api.reviews.get(api.ids.review)).toMatchObject({ responded: true, response_text: text, reply_date });
    const after = await counts();
    expect(after).toEqual({ ...before, responded: before.responded + 1, unresponded: before.unresponded - 1 });

    const [draft] = (await list({ status: 'drafts' })).reviews;
    await reply(draft?.review_id ?? '');
    expect((await counts()).drafts).toBe(before.drafts - 1);
    await reply(api.ids.review, { text: 'Encore merci.' });
    expect(api.reviews.get(api.ids.review).response_text).toBe('Encore merci.');
    expect(api.reviews.answer(api.ids.review)).toMatchObject({
      responded: true,
      response_text: 'Merci de votre visite.',
    });
  });

  test('410 if the review is gone at Google; nothing changes, and it stays listed', async () => {
    api.reviews.removeAtGoogle(api.ids.review);
    const before = api.snapshot();
    for (const body of [{ text: 'Merci' }, { text: 'Merci', dry_run: true }]) {
      expect(await reply(api.ids.review, body)).toEqual({ status: 410, body: { detail: expect.any(String) } });
    }
    expect(api.snapshot()).toEqual(before);
    expect((await list()).total_reviews).toBe(34);
    expect(() => api.reviews.removeAtGoogle('nothing')).toThrow('the mock has no review nothing');
  });

  test('the review is the target: a sphere key needs no listing, but a wrong one is refused', async () => {
    const text = 'Merci !';
    expect((await reply(api.ids.review, { text }, api.keys.sphere)).status).toBe(200);
    expect((await reply(api.ids.review, { text, fiche_id: api.ids.fiche }, api.keys.sphere)).status).toBe(200);
    const wrong = await reply(api.ids.review, { text, fiche_id: api.ids.otherFiche }, api.keys.sphere);
    expect(wrong).toEqual({ status: 404, body: { detail: `Avis introuvable : ${api.ids.review}` } });
    expect(await reply(api.ids.review, { text, fiche_id: api.ids.outside.fiche })).toEqual(TEXTS.ficheOutOfScope);
    expect(await reply(api.ids.outside.review)).toEqual(TEXTS.ficheOutOfScope);
    const [other] = api.reviews.all(api.ids.otherFiche);
    expect(await reply(other?.review_id ?? '')).toEqual(TEXTS.ficheOutOfScope);
    expect((await reply('nothing')).status).toBe(404);
  });
});
