// What became of a plan: `planStatus` on the mock, which publishes when its clock moves on.
import type { Post } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { type Plan, planStatus, rehearsePlan } from '../src/index.js';
import { PAGE } from '../src/shown.js';
import { type Action, BULLE, FICHE, planOf, post, social, stage } from './helpers.js';
import { postOf } from './posts.js';

const NOW = '2026-11-22T09:00:00Z';
const AT = '2026-11-23T09:00:00Z';

const october = { type: 'fiche', fiche_ids: [FICHE], date_start: '2026-10-01', date_end: '2026-10-31' };
const REPORT = { operation: 'reports.create', params: { report_name: 'Novembre', ...october } };
const ARTICLE = { operation: 'articles.create', params: { title: 'Le pain', target_keyword: 'pain', bulle_id: BULLE } };
const code = (name: string) => ({
  operation: 'qrCodes.create',
  params: { name, target_url: 'https://x.test', bulle_id: BULLE },
});

async function carriedOut(actions: readonly Action[], options: object = {}) {
  const staged = await stage({ now: NOW, ...options });
  const { api, client, journal, run, timer, watch } = staged;
  expect((await run(actions)).result.state).toBe('done');
  const status = () => planStatus(client, planOf(actions) as Plan, { journal, timer });
  return { ...staged, status, api, watch };
}

it('asks for 100 posts a request: posts of 40 locations cost their pages', { tags: 'long' }, async () => {
  const { client, journal, run, timer, watch } = await stage({ now: NOW, bulles: 40 });
  const accounts = await client.connections.list();
  const able = new Set(
    accounts.flatMap(({ platform, connected, needs_reconnect, bulle_id }) =>
      platform === 'facebook' && connected && !needs_reconnect ? `${bulle_id}` : [],
    ),
  );
  const actions = [...able].flatMap((bulle_id) =>
    [1, 2, 3].map((day) => post(`Jour ${day}`, { bulle_id, scheduled_at: `2026-11-2${2 + day}T09:00:00Z` })),
  );
  expect(actions.length).toBeGreaterThan(100);
  expect((await run(actions, { again: true })).result.state).toBe('done');
  const requests = watch();
  const status = await planStatus(client, planOf(actions), { journal, timer });
  expect(status.ok).toBe(true);
  const states = status.actions.map(({ state, platforms }) => `${state} ${platforms?.facebook?.state}`);
  expect(new Set(states)).toEqual(new Set(['scheduled scheduled']));
  expect(new Set(requests())).toEqual(new Set(['posts.list']));
  expect(status.requests).toBe(requests().length);
  expect(status.requests).toBeLessThanOrEqual(3);
});

it('leads to a post, if the reference of the platform is a web address', async () => {
  const { api, status } = await carriedOut([post('Un', { scheduled_at: AT, platforms: ['facebook', 'gmb'] })]);
  api.advance(3 * 86_400_000);
  const refs = { facebook: 'https://x.test/1', gmb: 'accounts/1' };
  const body = api.posts.all().map((one) => ({ ...one, platform_refs: refs }));
  api.fail({ operation: 'posts.list', status: 200, body, times: 1 });
  const [action] = (await status()).actions;
  expect([action?.platforms?.facebook?.link, action?.platforms?.gmb?.link]).toEqual([refs.facebook, undefined]);
});

it('says what is online, what failed on which platform, and what is to come', async () => {
  const later = post('Plus tard', { scheduled_at: '2026-12-20T09:00:00Z', platforms: ['facebook'] });
  const { api, status } = await carriedOut([post('Un', { scheduled_at: AT, platforms: ['facebook', 'gmb'] }), later]);
  api.posts.failPlatform('facebook');
  api.advance(3 * 86_400_000);
  const error = api.posts.all().find(({ content }) => content === 'Un')?.error_facebook;
  const base = { key: expect.stringMatching(/^[\da-f]{64}$/), operation: 'posts.create', ids: [expect.any(Number)] };
  const at = '2026-11-23T09:00:00.000000+00:00';
  const platforms = { facebook: { state: 'failed', at, error }, gmb: { state: 'online', at } };
  const scheduled = { facebook: { state: 'scheduled', at: '2026-12-20T09:00:00.000000+00:00' } };
  expect(await status()).toEqual({
    ok: false,
    actions: [
      { ...base, state: 'failed', platforms },
      { ...base, state: 'scheduled', platforms: scheduled },
    ],
    requests: 1,
  });
  expect(error).toMatch(/./);
  expect(api.requests.at(-1)?.query).toEqual({ bulle_id: BULLE, limit: `${PAGE}`, offset: '0' });
});

it('asks for the posts of the brand if a plan has those of several locations', async () => {
  const { api, status } = await carriedOut([post('Un'), post('Deux', { bulle_id: 'bul_paris_batignolles' })]);
  expect(await status()).toMatchObject({ ok: true, requests: 1 });
  expect(api.requests.at(-1)?.query).toEqual({ limit: `${PAGE}`, offset: '0' });
});

it('reads articles only until it has seen those of the plan', async () => {
  const { api, status } = await carriedOut([ARTICLE, { ...ARTICLE, params: { ...ARTICLE.params, title: 'Le blé' } }]);
  for (let more = 0; more < 60; more++) api.articles.add({ title: 'Un autre' });
  expect(await status()).toMatchObject({ actions: Array(2).fill({ state: 'publishing' }), requests: 1 });
});

describe('an action', () => {
  it('is open before it is carried out', async () => {
    const { client, journal, watch } = await stage();
    const requests = watch();
    const { ok, actions } = await planStatus(client, planOf([post('Un')]), { journal });
    const open = { key: expect.any(String), operation: 'posts.create', state: 'open', ids: [] };
    expect([ok, actions]).toEqual([true, [open]]);
    expect(requests()).toEqual([]);
  });

  it('is gone if the service says so, not if a list lacks it', async () => {
    const { api, client, status } = await carriedOut([post('Un', { scheduled_at: AT })]);
    const [{ ids = [] } = {}] = (await status()).actions;
    api.fail({ operation: 'posts.list', status: 200, body: [], times: 1 });
    expect((await status()).actions[0]?.state).toBe('scheduled');
    api.fail({ operation: 'posts.list', status: 200, body: [], times: 1 });
    api.fail({ operation: 'posts.get', status: 503, times: 1 });
    await expect(status()).rejects.toMatchObject({ code: 'service_unavailable' });
    await client.posts.delete(Number(ids[0]));
    expect(await status()).toMatchObject({ ok: false, actions: [{ state: 'gone', ids }] });
  });

  it('is open if its key was carried out by another operation', async () => {
    const { client, journal, timer, run } = await stage();
    await run([{ ...social, key: 'info' }]);
    const plan = planOf([{ ...post('Un'), key: 'info' }]);
    expect((await planStatus(client, plan, { journal, timer })).actions).toMatchObject([{ state: 'open' }]);
  });

  it('is unknown if its outcome is', async () => {
    const { api, client, journal, run, timer } = await stage({ now: NOW });
    api.fail({ operation: 'social.publish', network: true, times: 1 });
    await run([social]);
    const { ok, actions } = await planStatus(client, planOf([social]), { journal, timer });
    expect([ok, actions[0]?.state]).toEqual([true, 'unknown']);
  });

  it.each<[string, Action, number, string]>([
    ['a social publication', social, 60_000, 'online'],
    ['one that is still to come', { ...social, params: { ...social.params, scheduled_at: AT } }, 0, 'scheduled'],
    ['an article that is written', ARTICLE, 0, 'publishing'],
    ['an article that waits for its publication', ARTICLE, 3_600_000, 'scheduled'],
    ['an article that is online', { operation: 'articles.publish', params: { article_id: 8 } }, 0, 'online'],
    ['a report in the making', REPORT, 0, 'publishing'],
    ['a report', REPORT, 3_600_000, 'online'],
    ['a QR code', code('Comptoir'), 0, 'done'],
    ['a deletion', { operation: 'posts.delete', params: { post_id: 14 } }, 0, 'done'],
  ])('is looked at: %s', async (_, action, ms, state) => {
    const { api, status } = await carriedOut([action]);
    api.advance(ms);
    const [found] = (await status()).actions;
    expect(found?.state).toBe(state);
    if (action.params?.scheduled_at)
      expect(found?.platforms).toEqual({ facebook: { state, at: expect.stringMatching(/^2026-11-23T09/) } });
  });
});

const UPDATE = { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } };
const OF_SITE = { ...ARTICLE, params: { ...ARTICLE.params, site_id: 11 } };
it.each<[string, Action[], string, string]>([
  [
    'that an action has deleted',
    [UPDATE, { operation: 'posts.delete', params: { post_id: 131 } }],
    'posts.get',
    'done',
  ],
  ['that was seen everywhere', [social], 'social.get', 'online'],
  ['of a site', [OF_SITE], 'articles.get', 'unknown'],
])(
  'says of nothing that it is gone while a rehearsal says that it is done: what is gone %s',
  async (_, actions, operation, state) => {
    const { api, client, journal, timer, status } = await carriedOut(actions);
    api.advance(86_400_000);
    await status();
    api.fail({ operation: 'articles.list', status: 200, body: { articles: [], total: 0, limit: 50, offset: 0 } });
    api.fail({ operation, status: 404 });
    expect((await status()).actions[0]?.state).toBe(state);
    expect((await rehearsePlan(client, planOf(actions), { journal, timer })).actions[0]?.state).toBe('done');
  },
);

describe('a status does not say online', () => {
  const reply = { operation: 'reviews.reply', params: { review_id: `${FICHE}/reviews/1`, text: 'Merci' } };

  it.each<[string, object, string]>([
    ['its response says `posted: false`', { posted: false, review_id: 'r' }, 'unknown'],
    ['its response names an error', { posted: true, review_id: 'r', error: 'Refus' }, 'unknown'],
    ['nothing speaks against it', { posted: true, review_id: 'r' }, 'done'],
  ])('of a reply if %s', async (_, body, state) => {
    const { api, client, journal, run, timer } = await stage({ now: NOW });
    api.fail({ operation: 'reviews.reply', status: 200, body });
    await run([reply]);
    expect((await planStatus(client, planOf([reply]), { journal, timer })).actions[0]?.state).toBe(state);
    api.fail({ operation: 'reports.create', status: 200, body: { ...body, message: 'ok', estimated_time: '1 min' } });
    await run([REPORT]);
    const [report] = (await planStatus(client, planOf([REPORT]), { journal, timer })).actions;
    expect(report?.state).toBe(state === 'done' ? 'publishing' : state);
  });

  it.each([
    ['is pending', 0],
    ['is online', 86_400_000 * 3],
  ])('of an action whose parameters have changed since, while the old post %s', async (_, ms) => {
    const { api, client, journal, run, timer } = await stage({ now: NOW });
    const action = (content: string) => ({ key: 'lyon', ...post(content, { scheduled_at: AT }) });
    const keyedCode = (name: string) => ({ key: 'code', ...code(name) });
    await run([action('Un'), keyedCode('Un')]);
    api.advance(ms);
    const { ok, actions } = await planStatus(client, planOf([action('Deux'), keyedCode('Deux')]), { journal, timer });
    expect([ok, ...actions.map((one) => one.state)]).toEqual([true, 'open', 'open']);
    expect(actions[0]?.platforms).toBeDefined();
  });
});

describe('a post of the service', () => {
  const online = '2026-11-22T08:59:00Z';
  const nowhere = { platforms: [], scheduled_facebook: null };
  it.each<[string, Partial<Post>, string, object?]>([
    ['is scheduled', {}, 'scheduled', { at: AT }],
    ['has no date', { scheduled_facebook: null }, 'scheduled', {}],
    ['is due', { scheduled_facebook: NOW }, 'publishing', { at: NOW }],
    ['is on its way', { status: 'publishing' }, 'publishing', { at: AT }],
    ['is published', { status: 'published' }, 'online', { at: AT }],
    ['is on this platform', { status: 'error', published_facebook: online }, 'online', { at: online }],
    ['has failed', { status: 'error' }, 'failed', { at: AT }],
    ['has failed on this platform', { error_facebook: 'Refus' }, 'failed', { at: AT, error: 'Refus' }],
    ['is pending, and names no platform', nowhere, 'scheduled'],
    ['has failed, and names no platform', { ...nowhere, status: 'error' }, 'failed'],
    ['is published, and names no platform', { ...nowhere, status: 'published' }, 'online'],
  ])('%s', async (_, fields, state, facebook) => {
    const { api, client, journal, timer, run } = await stage({ now: NOW });
    const plan = planOf([post('Un', { scheduled_at: AT })]);
    const { result } = await run(plan.actions as Action[]);
    const body = [postOf({ id: Number(result.steps[0]?.ids?.[0]), scheduled_facebook: AT, ...fields })];
    api.fail({ operation: 'posts.list', status: 200, body, times: 1 });
    const clock = { ...timer, date: () => Date.parse(NOW) };
    const { actions } = await planStatus(client, plan, { journal, timer: clock });
    const platforms = facebook ? { facebook: { state, ...facebook } } : {};
    expect(actions).toMatchObject([{ state, platforms }]);
    expect(actions[0]?.platforms).toEqual(platforms);
  });

  it('that was made for several sites has the state that a person must look at first', async () => {
    const { api, client, journal, timer, run } = await stage({ now: NOW });
    const created = [{ article_id: 8 }, { article_id: 999_999 }];
    api.fail({ operation: 'articles.create', status: 201, body: { created } });
    await run([ARTICLE]);
    const { ok, actions } = await planStatus(client, planOf([ARTICLE]), { journal, timer });
    expect([ok, actions[0]?.state, actions[0]?.ids]).toEqual([false, 'gone', [8, 999_999]]);
  });
});

it('refuses an invalid plan and sends nothing', async () => {
  const { client, journal, watch } = await stage();
  const requests = watch();
  await expect(planStatus(client, planOf([post('')]), { journal })).rejects.toThrow('content');
  expect(requests()).toEqual([]);
});
