import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClientEvent } from 'multilocal';
import { fileJournal } from 'multilocal/node';
import { describe, expect, it } from 'vitest';
import { readActions, writes } from '../src/actions.js';
import { describe as describeAction } from '../src/describe.js';
import { hashOfPlan } from '../src/hash.js';
import { type Rehearsal, rehearsePlan } from '../src/index.js';
import { operations } from '../src/operations.js';
import { rehearseWithout } from '../src/rehearse.js';
import { type Action, AT, BULLE, FICHE, planOf, post, social, stage, stageOnDisk } from './helpers.js';

const REVIEW = `${FICHE}/reviews/AbFvOqkR4Zt7cWmPx0`;

const ada = { customer_name: 'Ada', channel: 'email', customer_email: 'ada@example.com' };
const bob = { customer_name: 'Bob', channel: 'sms', customer_phone: '0612345678' };

/** The name of the location and of its listing. */
const NAME = "Les Fournils d'Augustine – Lyon Croix-Rousse";

const ask = (...contacts: object[]): Action => ({
  operation: 'acquisition.requestReviews',
  params: { contacts, fiche_id: FICHE },
});
const deletion = { operation: 'posts.delete', params: { post_id: 14 } };
const lockOf = (file: string) => file.replace('.json.journal.json', '.json.journal.lock');

/** The code, the place and the message of each. */
const printed = (problems: Rehearsal['warnings'] = []) =>
  problems.map(({ code, path, message }) => `${code} ${path.join('.')} ${message}`);
/** All that a rehearsal says, a line each. */
const inLines = ({ actions, ...whole }: Rehearsal) => {
  const lines = actions.flatMap(({ sentence: _, summary, details, problems, warnings, quota, ...head }) => [
    JSON.stringify(head),
    ...[summary, ...details, ...(quota ? [JSON.stringify(quota)] : [])].map((line) => `  ${line}`),
    ...printed(problems).map((line) => `  problem ${line}`),
    ...printed(warnings).map((line) => `  warning ${line}`),
  ]);
  return [...lines, JSON.stringify(whole), ''].join('\n');
};
const statesOf = ({ actions }: Rehearsal) => actions.map(({ state }) => state);

describe('a rehearsal', () => {
  it('says what would happen, and changes nothing', async () => {
    const { api, client } = await stage();
    const before = api.snapshot();
    const plan = planOf([
      post('La brioche', { scheduled_at: '2035-01-01T09:00:00Z' }),
      social,
      { operation: 'articles.publish', params: { article_id: 8 } },
      { operation: 'reviews.reply', params: { review_id: REVIEW, text: 'Merci !' } },
      ask(ada, bob),
      deletion,
      { operation: 'articles.create', params: { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE } },
    ]);
    const sent = api.requests.length;
    const { ok, actions: verdicts, requests } = await rehearsePlan(client, plan);
    expect(ok).toBe(true);
    expect(requests).toBe(api.requests.length - sent);
    expect(api.snapshot()).toEqual(before);
    expect(verdicts.map(({ state, summary }) => `${state}: ${summary}`)).toEqual([
      `ready: Would schedule a post on Facebook (${NAME}) for 2035-01-01T09:00:00Z.\nLa brioche`,
      `ready: Would publish a text on Facebook (${NAME}).\nOuvert`,
      'ready: Would publish the article (article_id 8).',
      expect.stringMatching(
        `^ready: Would reply publicly to the review \\(${NAME}\\).\n★★☆☆☆ Camille R.: Commande oubliée .*\nMerci !$`,
      ),
      `ready: Would ask 2 customers for a review (${NAME}).`,
      expect.stringMatching(`delete the post \\(post_id 14\\). .*\n${NAME}: post on Google, LinkedIn for .*\nDimanche`),
      `unpreviewed: Would order 1 article (${NAME}). The operation has no preview.\ntitle: Le seigle\ntarget_keyword: seigle`,
    ]);
    expect(verdicts.flatMap(({ quota = [] }) => quota)).toEqual([
      { name: 'social publications', uses: 1, left: 60 },
      { name: 'SMS', uses: 1, left: 50 },
      { name: 'e-mails', uses: 1, left: 200 },
      { name: 'articles', uses: 1 },
    ]);
    expect(verdicts[0]?.details).toEqual(['would be online at: Facebook 2035-01-01 09:00 (UTC)']);
    expect(verdicts[3]?.details).toEqual([]);
    expect(verdicts[4]?.details).toEqual(['would queue: 2']);
    expect(JSON.stringify(verdicts)).not.toMatch(/ada@|0612345678/);
  });

  it('names what each operation does, and how much of it', async () => {
    const { client } = await stage();
    const article = (more: object) => ({
      operation: 'articles.create',
      params: { title: 'Le pain', target_keyword: 'pain', bulle_id: BULLE, ...more },
    });
    const days = { date_start: '2026-10-01', date_end: '2026-10-31' };
    const at = { scheduled_at: AT };
    const plan = planOf([
      post('x', { ...at, platforms: ['facebook', 'gmb'] }),
      post('x', { publish_now: true }),
      { operation: 'posts.update', params: { post_id: 1, content: 'x' } },
      deletion,
      { operation: 'posts.publish', params: { post_id: 1 } },
      social,
      { ...social, params: { ...social.params, ...at } },
      article({}),
      article({ site_ids: [1, 2], wix_site_ids: [3] }),
      article({ site_id: 1 }),
      { operation: 'articles.update', params: { article_id: 8, category: 'x' } },
      { operation: 'articles.publish', params: { article_id: 8 } },
      { operation: 'articles.publish', params: { article_id: 8, ...at } },
      { operation: 'articles.confirm', params: { article_id: 8 } },
      { operation: 'reviews.reply', params: { review_id: REVIEW, fiche_id: FICHE, text: 'x' } },
      ask(ada),
      ask(ada, bob),
      { operation: 'gmb.optimizer.audit', params: { fiche_id: FICHE } },
      { operation: 'gmb.optimizer.apply', params: { fiche_id: FICHE, changes: [{ field: 'name', value: 'x' }] } },
      { operation: 'seo.trackedKeywords.create', params: { keyword: 'x', bulle_id: BULLE } },
      { operation: 'seo.scan', params: { bulle_id: BULLE } },
      { operation: 'seo.keywordLookup', params: { keyword: 'x', bulle_id: BULLE } },
      { operation: 'qrCodes.create', params: { name: 'x', target_url: 'https://x.test', bulle_id: BULLE } },
      { operation: 'reports.create', params: { type: 'combine', fiche_ids: [FICHE, `${FICHE}1`], ...days } },
      { operation: 'images.upload', params: { image_base64: 'data:image/png;base64,AAAA' } },
      { operation: 'images.generate', params: { prompt: 'x' } },
      // It keeps all others from being previewed.
      post(''),
    ]);
    const { actions } = await rehearsePlan(client, plan);
    const french = readActions(plan).actions.map((action) => describeAction(action, false, undefined, 'fr'));
    const labels = Object.values(operations).map(({ label }) => label.join(' · '));
    const said = [...actions.map(({ summary }) => summary), ...french, ...labels].join('\n');
    await expect(said).toMatchFileSnapshot('./snapshots/sentences.txt');
    const operationsOf = (all: readonly { operation: string }[]) => new Set(all.map(({ operation }) => operation));
    expect(operationsOf(plan.actions)).toEqual(operationsOf(writes));
  });

  it('shows every moment as written, and warns of what is too near or there twice', async () => {
    const { client } = await stage({ now: '2034-12-31T09:00:00Z' });
    const moments = { platforms: ['facebook', 'gmb'], scheduled_at: AT, scheduled_gmb: '2035-01-01T12:00:00+01:00' };
    const next = { ...social, params: { ...social.params, scheduled_at: '2035-01-01T09:30:00Z' } };
    const order = { title: 'Le pain', target_keyword: 'pain', bulle_id: 'bul_nowhere' };
    const nowhere = { operation: 'articles.create', params: order };
    const given = [post('Un', moments), next, next, deletion, deletion, nowhere];
    const plan = planOf(given.map((action, index) => ({ ...action, key: `${index}` })));
    const rehearsal = await rehearsePlan(client, plan);
    await expect(inLines(rehearsal)).toMatchFileSnapshot('./snapshots/rehearsal.txt');
  });

  it('reads connections, limits and posts once, and asks for the identity only if it is unknown', async () => {
    const { watch, client } = await stage();
    const requests = watch();
    const plan = planOf([post('Un'), post('Deux'), post('Trois')]);
    expect((await rehearsePlan(client, plan)).hash).toBe(hashOfPlan(plan));
    const reads = ['posts.list', 'bulles.list', 'connections.list', 'platforms.limits'];
    expect(requests()).toEqual([...reads, ...Array(3).fill('posts.create')]);
  });

  it('reports each refusal on its line and rehearses the rest', async () => {
    const { api, client } = await stage();
    const { image_limits, video_limits, ...limits } = await client.platforms.limits();
    const images = { ...image_limits, facebook: { max_size_mb: 0, carousel_min: 2, carousel_max: 3 } };
    const videos = { ...video_limits, facebook: { max_size_mb: 0, max_duration_sec: 9 } };
    const body = { ...limits, image_limits: images, video_limits: videos };
    api.fail({ operation: 'platforms.limits', status: 200, body });
    const plan = planOf([
      { operation: 'posts.create', params: { content: 'Un', platforms: ['facebook'] } },
      post('Deux', { bulle_id: 'bul_nowhere' }),
      { ...social, params: { ...social.params, platforms: ['snapchat'] } },
      { operation: 'articles.publish', params: { article_id: 999_999 } },
      post('x'.repeat(4000), { platforms: ['instagram'] }),
      post('', { content: undefined, text: 'x'.repeat(4000), platforms: ['facebook', 'instagram'] }),
      post('x', { platforms: ['instagram', 'snapchat'] }),
      post('x', { image_urls: Array(4).fill('https://x.test/a.jpg') }),
      post('x', { image_url: 'data:image/png;base64,AAAA' }),
      post('x', { video_url: 'data:video/mp4;base64,AAAA' }),
      post('x', { content_per_platform: { instagram: 'x'.repeat(4000) }, platforms: ['instagram'] }),
      social,
    ]);
    const { ok, actions } = await rehearsePlan(client, plan);
    expect(actions.flatMap(({ problems }) => printed(problems))).toEqual([
      expect.stringContaining('missing_bulle_id actions.0 posts.create: '),
      expect.stringContaining('bulle_not_found actions.1.params.bulle_id posts.list: '),
      expect.stringContaining('platform_not_connected actions.2.params.platforms social.publish: '),
      expect.stringContaining('not_found actions.3 articles.publish: '),
      `text_too_long actions.4.params.content ${NAME}, Instagram: 4000 characters, but at most 2200 are allowed.`,
      `text_too_long actions.5.params.text ${NAME}, Instagram: 4000 characters, but at most 2200 are allowed.`,
      `not_connected actions.6.params.platforms.1 ${NAME}, Snapchat: no account is connected.`,
      `too_many_images actions.7.params.image_urls ${NAME}, Facebook: 4 images, but at most 3 are allowed.`,
      `media_too_large actions.8.params.image_url ${NAME}, Facebook: an image is too large for the platform.`,
      `media_too_large actions.9.params.video_url ${NAME}, Facebook: the video is too large for the platform.`,
      expect.stringContaining('text_too_long actions.10.params.content_per_platform.instagram '),
    ]);
    expect([ok, ...actions.map(({ state }) => state)]).toEqual([false, ...Array(11).fill('refused'), 'ready']);
    const [, nowhere, , , , , shown] = actions.map(({ summary }) => summary);
    expect(nowhere).toBe('Cannot schedule a post on Facebook (bulle_id bul_nowhere).\nDeux');
    expect(shown).toBe(`Cannot schedule a post on Instagram, Snapchat (${NAME}).\nx`);
    const made = api.posts.all().filter(({ content }) => content === 'Un');
    expect([...made, ...actions.flatMap(({ warnings }) => warnings)]).toEqual([]);
  });

  it.each(['en', 'fr'] as const)('shows what is changed and deleted by its id (%s)', async (locale) => {
    const { api, watch, client } = await stage();
    const id = api.posts.add({ content: 'Ne pas supprimer !', platforms: ['facebook', 'gmb'], scheduled_at: AT }).id;
    const plan = planOf([
      { operation: 'posts.delete', params: { post_id: id } },
      { operation: 'posts.update', params: { post_id: id, scheduled_at: '2026-11-24T10:00:00+01:00' } },
      { operation: 'posts.update', params: { post_id: id, content: 'Fermé lundi' } },
      { operation: 'articles.update', params: { article_id: 8, title: 'Le seigle', content_html: '<p>Neuf</p>' } },
      { operation: 'articles.confirm', params: { article_id: 8 } },
    ]);
    const requests = watch();
    const { actions } = await rehearseWithout(new Map(), client, plan, {}, locale);
    const said = actions.flatMap(({ summary, details }) => [summary, ...details]).join('\n');
    await expect(said).toMatchFileSnapshot(`./snapshots/by-id-${locale}.txt`);
    const reads = ['posts.get', 'bulles.list', 'posts.get', 'posts.get', 'articles.get', 'articles.get'];
    expect(requests()).toEqual(reads);
  });

  it('looks up ids that are strings, too', async () => {
    const { watch, client } = await stage();
    const requests = watch();
    const plan = planOf([
      { operation: 'posts.delete', params: { post_id: '999999' } },
      { operation: 'articles.update', params: { article_id: '999999', category: 'Pains' } },
      { operation: 'posts.delete', params: { post_id: '14' } },
    ]);
    expect(statesOf(await rehearsePlan(client, plan))).toEqual(['refused', 'refused', 'unpreviewed']);
    expect(requests()).toEqual(['posts.get', 'articles.get', 'posts.get', 'bulles.list']);
  });

  it('checks the permissions of all actions, also those without a preview', async () => {
    const { watch, client } = await stage({}, ({ keys }) => keys.readOnly);
    const requests = watch();
    const plan = planOf([social, deletion]);
    const { actions } = await rehearsePlan(client, plan);
    const denied = { problems: [{ code: 'missing_permission' }] };
    expect(actions).toMatchObject([denied, denied]);
    expect(requests()).toEqual([]);
  });

  it('finds that the actions together need more than is left, or that nothing is', async () => {
    const { client } = await stage({ quotas: { social: 2 } });
    const { actions } = await rehearsePlan(client, planOf([social, social, social]));
    expect(actions.map(({ state }) => state)).toEqual(['ready', 'ready', 'refused']);
    const message = 'The actions up to this one need 3 social publications, and 2 are left this month.';
    expect(actions[2]?.problems).toMatchObject([{ code: 'quota_exceeded', message }]);
    expect(actions[2]?.summary).toBe(`Cannot publish a text on Facebook (${NAME}).\nOuvert`);
    expect(actions[1]?.warnings).toMatchObject([{ code: 'same_action', path: ['actions', 1] }]);
    const none = await rehearsePlan((await stage({ quotas: { social: 0 } })).client, planOf([social]));
    expect(none.actions[0]?.problems.map(({ code }) => code)).toEqual(['quota_exceeded']);
  });

  it('does without the names of locations that the key may not read, and ends at a limit', async () => {
    const { api, client } = await stage();
    const rehearse = (status: number) => {
      api.fail({ operation: 'bulles.list', status });
      return rehearsePlan(client, planOf([social]));
    };
    const summary = expect.stringContaining(`(bulle_id ${BULLE})`);
    expect((await rehearse(403)).actions).toMatchObject([{ state: 'ready', summary }]);
    await expect(rehearse(429)).rejects.toMatchObject({ status: 429 });
    api.fail({ operation: 'bulles.list', status: 200, body: [{ ...(await client.bulles.get(BULLE)), name: 'A\nB' }] });
    const [shown] = (await rehearsePlan(client, planOf([social]))).actions;
    expect(shown?.sentence).toBe('Would publish a text on Facebook (A\nB).');
  });

  it('ends with an error of the whole', async () => {
    const { api, client, sent } = await stage();
    api.fail({ operation: 'social.publish', status: 401 });
    await expect(rehearsePlan(client, planOf([social, social]))).rejects.toMatchObject({ code: 'authentication' });
    expect(sent('social.publish')).toHaveLength(1);
  });

  it('does not end where the limiter of the client refuses a preview', async () => {
    const { client } = await stage({}, undefined, {
      rateLimit: { perMinute: 3, maxWait: 0 },
      baseUrl: 'http://127.0.0.1:9',
    });
    const { actions } = await rehearsePlan(
      client,
      planOf(Array.from('abcd', (text) => ({ ...social, params: { ...social.params, text } }))),
    );
    const codes = actions.map(({ problems: [problem] }) => problem?.code);
    expect(codes).toEqual([undefined, 'rate_limit', 'rate_limit', 'not_previewed']);
  });

  it.each([{ status: 503 }, { status: 429 }, { network: true }])(
    'does not end with a failure that may pass: %o',
    async (fault) => {
      const { api, client, sent } = await stage();
      const other = { ...social, params: { ...social.params, text: 'Fermé' } };
      api.fail({ operation: 'social.publish', ...fault });
      expect(statesOf(await rehearsePlan(client, planOf([social, other])))).toEqual(['refused', 'ready']);
      // An outage costs two previews.
      api.fail({ operation: 'social.publish', ...fault, times: 9 });
      const before = sent('social.publish').length;
      const { actions } = await rehearsePlan(client, planOf([social, other, social, other]));
      const states = actions.map(({ state, problems: [problem] }) => `${state} ${problem?.code}`);
      // What was not sent does not have the error of what was.
      expect(states.slice(2)).toEqual(Array(2).fill('refused not_previewed'));
      expect(sent('social.publish').length - before).toBe(2);
    },
  );

  it.each([400, 403, 404, 409, 410, 422])('goes on after an action that is refused with %i', async (status) => {
    const { api, client } = await stage();
    api.fail({ operation: 'social.publish', status, times: 1 });
    expect(statesOf(await rehearsePlan(client, planOf([social, social])))).toEqual(['refused', 'ready']);
  });

  it('sends nothing for a plan with an invalid action, and names each problem', async () => {
    const { watch, client } = await stage();
    const requests = watch();
    const dry = { ...social, params: { ...social.params, dry_run: true }, source: 'a.csv:2' };
    const known = { ...social, source: 'a.csv:3' };
    const plan = planOf([social, post(''), { operation: 'posts.destroy' }, {} as Action, 'x' as never, dry, known]);
    const rehearsal = await rehearsePlan(client, plan);
    expect(rehearsal).toMatchObject({ ok: false, requests: 0, hash: '' });
    const wrong = [
      {},
      7,
      { actions: {} },
      { ...planOf([social]), $schema: 7, name: 7, covers: 'a', notes: 1 },
      { ...planOf([]), covers: [7] },
      { ...planOf([social]), covers: [] },
    ];
    const said = wrong.map((one) =>
      rehearsePlan(client, one as never).catch(({ code, message }) => `${code} ${message}`),
    );
    const lines = [inLines(rehearsal), ...(await Promise.all(said)), ''].join('\n');
    await expect(lines).toMatchFileSnapshot('./snapshots/offline.txt');
    expect(requests()).toEqual([]);
  });

  it('warns about moments in the past, accounts that end, and posts that are near', async () => {
    const { api, client } = await stage();
    const day = 86_400_000;
    const now = api.now().getTime();
    const at = (ms: number) => new Date(now + ms).toISOString();
    api.connections.change(BULLE, 'facebook', { expires_at: at(20 * day) });
    api.posts.add({ content: 'Autre', bulle_id: BULLE, platforms: ['facebook'], scheduled_at: at(3 * day) });
    const plan = planOf([
      post('Hier', { scheduled_at: at(-day) }),
      post('Peu après', { scheduled_at: at(3 * day + 3_599_000) }),
      post('Plus tard', { scheduled_at: at(3 * day + 2 * 3_600_000) }),
      post('Trop tard', { scheduled_at: at(21 * day) }),
    ]);
    const { ok, actions } = await rehearsePlan(client, plan);
    expect(ok).toBe(true);
    // What the preview says of the same account is not said twice.
    const codes = [['in_the_past'], ['same_account'], [], ['needs_reconnect']];
    expect(actions.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual(codes);
  });

  const NOW = '2026-11-22T09:00:00Z';
  const local = { scheduled_at: '2026-12-24T09:00:00+01:00' };
  const soon = { scheduled_at: '2026-11-24T09:00:00Z' };
  const own = { scheduled_at: '2026-12-23T09:00:00Z', scheduled_facebook: '2026-12-24T13:00:00+04:00' };
  it.each<[string, string, object, string?]>([
    ['in a week', '2026-11-29T09:00:00', {}, '2026-11-29 09:00 (UTC)'],
    ['later', '2026-11-29T09:00:01', {}],
    ['when a post is due', '2026-12-24T08:00:00', local, '2026-12-24 09:00 (UTC+1), before the post is due'],
    ['after a post', '2026-12-24T08:00:01', local],
    ['soon, and after a post', '2026-11-25T08:00:00', soon, '2026-11-25 08:00 (UTC)'],
    ['before that of its platform', '2026-12-24T08:00:00', own, '2026-12-24 12:00 (UTC+4), before the post is due'],
    ['soon, on a platform of no post', '2026-11-23T09:00:00', { platforms: ['gmb'] }],
  ])('warns of an account that ends %s', async (_, expires_at, params, said) => {
    const { api, client, timer } = await stage({ now: NOW });
    api.connections.change(BULLE, 'facebook', { expires_at });
    const clock = { ...timer, date: () => Date.parse(NOW) };
    const { actions } = await rehearsePlan(client, planOf([post('Un', params)]), { timer: clock });
    const message = `${NAME}, Facebook: the access to the account ends at ${said}. Connect it again.`;
    const path = ['actions', 0, 'params', 'platforms', 0];
    expect(actions[0]?.warnings).toMatchObject(said ? [{ code: 'needs_reconnect', message, path }] : []);
  });

  it('counts the accounts of the brand for every location', async () => {
    const { api, client } = await stage();
    const accounts = await client.connections.list();
    const shared = accounts.map((one) => ({ ...one, bulle_id: null, needs_reconnect: true }));
    const plan = planOf([post('Un', { scheduled_at: AT })]);
    const { actions } = await rehearsePlan(client, plan);
    expect(actions[0]?.warnings.map(({ code }) => code)).toEqual(['needs_reconnect']);
    api.fail({ operation: 'connections.list', status: 200, body: shared });
    expect((await rehearsePlan(client, plan)).actions[0]?.problems).toMatchObject([{ code: 'needs_reconnect' }]);
    // Where there is none, the preview says why.
    api.fail({ operation: 'connections.list', status: 200, body: [] });
    expect((await rehearsePlan(client, plan)).actions[0]?.state).toBe('ready');
  });

  it('names the location of a key of one location', async () => {
    const { api, client } = await stage({}, ({ keys }) => keys.bulle);
    const image = { operation: 'images.generate', params: { prompt: 'Pain', bulle_id: BULLE } };
    const bare = { operation: 'reviews.reply', params: { review_id: 'AbFvOqkR4Zt7cWmPx0', text: 'Merci !' } };
    api.fail({ operation: 'reviews.reply', status: 200, body: { dry_run: true } });
    const { actions } = await rehearsePlan(client, planOf([image, bare]));
    expect(actions.map(({ summary }) => summary)).toEqual([
      `Would generate an image (${NAME}). The operation has no preview.\nprompt: Pain`,
      `Would reply publicly to the review (${NAME}).\nMerci !`,
    ]);
  });

  it('compares a post with the accounts of the only location of a key', async () => {
    const { api, client } = await stage({}, ({ keys }) => keys.bulle);
    api.connections.change(BULLE, 'facebook', { needs_reconnect: true });
    const params = { content: 'Un', platforms: ['facebook'] };
    const { actions } = await rehearsePlan(client, planOf([{ operation: 'posts.create', params }]));
    expect(actions[0]?.problems).toMatchObject([{ code: 'needs_reconnect' }]);
  });

  it('looks for reviews on the first ten pages of their listing, then on those of each state if they are few', async () => {
    const { api, client, sent } = await stage();
    const { reviews, ...page } = await client.reviews.list({ fiche_id: FICHE });
    const review = { ...reviews[0], rating: 4, customer_name: 'Ada', text: 'Bon pain' };
    for (const number of Array(12).keys()) {
      const found = [{ ...review, review_id: `${FICHE}/reviews/${number}` }];
      const [own, total_pages] = number < 10 ? [number + 1, 12] : [1, 11];
      const body = { ...page, page: own, total_pages, reviews: found };
      api.fail({ operation: 'reviews.list', status: 200, body, times: 1 });
    }
    api.fail({ operation: 'reviews.reply', status: 200, body: { dry_run: true }, times: 3 });
    const replyTo = (number: number) => ({
      operation: 'reviews.reply',
      params: { review_id: `${FICHE}/reviews/${number}`, text: 'Merci !' },
    });
    const { actions } = await rehearsePlan(client, planOf([replyTo(9), replyTo(10), replyTo(12)]));
    const sentence = `Would reply publicly to the review (${NAME}).`;
    const shown = `${sentence}\n★★★★☆ Ada: Bon pain\nMerci !`;
    const summaries = [shown, shown, `${sentence}\nMerci !`];
    expect(actions).toMatchObject(summaries.map((summary) => ({ sentence, summary })));
    expect(actions.map(({ warnings }) => warnings[0]?.code)).toEqual([undefined, undefined, 'review_not_seen']);
    const asked = sent('reviews.list')
      .slice(1)
      .map(({ query }) => query.status);
    expect(asked).toEqual([...Array(10).fill(undefined), 'unresponded', 'responded']);
  });

  it('refuses what the key of a location does not cover', async () => {
    const { client } = await stage({}, ({ keys }) => keys.bulle);
    const { id: fiche_id } = (await stage()).client.identity.gmb_fiches.find(({ id }) => id !== FICHE) ?? {};
    const audit = { operation: 'gmb.optimizer.audit', params: { fiche_id } };
    const { actions } = await rehearsePlan(client, planOf([audit, post('Un', { bulle_id: 'bul_paris_batignolles' })]));
    expect(actions.flatMap(({ problems }) => printed(problems))).toEqual([
      expect.stringContaining('fiche_out_of_scope actions.0.params.fiche_id '),
      expect.stringContaining('bulle_out_of_scope actions.1.params.bulle_id '),
    ]);
  });

  it('fills in the location of the view of a client', async () => {
    const { client, journal, watch } = await stage();
    const plan = planOf([{ operation: 'social.publish', params: { text: 'Ouvert', platforms: ['facebook'] } }]);
    const requests = watch();
    const { actions } = await rehearsePlan(client.forBulle(BULLE), plan, { journal });
    expect(actions[0]).toMatchObject({ state: 'ready', target: `bulle_id ${BULLE}` });
    expect((await rehearsePlan(client, plan)).ok).toBe(false);
    expect(requests()).toEqual(['social.publish', 'bulles.list']);
  });

  it('rehearses only what is left', async () => {
    const { api, watch, client, journal, run } = await stage();
    api.fail({ operation: 'social.publish', network: true, applied: true });
    // A warning about what is done comes too late.
    const done = [post('Un', { scheduled_at: AT }), post('Deux', { scheduled_at: AT })];
    await run([...done, social], { again: true });
    const requests = watch();
    const plan = planOf([...done, social, deletion]);
    const { actions } = await rehearsePlan(client, plan, { journal });
    expect(actions.map(({ state }) => state)).toEqual(['done', 'done', 'refused', 'unpreviewed']);
    expect(actions.map(({ problems }) => problems.map(({ code }) => code))).toEqual([[], [], ['plan_unresolved'], []]);
    expect(actions.flatMap(({ warnings }) => warnings)).toEqual([]);
    // Whether the first post is still there; the deletion has no preview, so its post is read, and the name of its location.
    expect(requests()).toEqual(['posts.list', 'posts.get', 'bulles.list']);
  });

  const spellings = ['0612345678', '06 12 34 56 78', '06 12 34 56 78 99', '+33 6 12 34 56 78', '0033612345678'];
  it.each([...spellings, 'ADA@Example.com'])(
    'shows and notes no contact that the service repeats: %s',
    async (contact) => {
      const { api, client, journal, run, read } = await stage();
      const plan = planOf([ask(ada, bob)]);
      const answer = (fault: object) => api.fail({ operation: 'acquisition.requestReviews', ...fault });
      answer({ status: 200, body: { dry_run: true, would_queue: 2, would_warn: [`Opted out: ${contact}.`] } });
      const [warned] = (await rehearsePlan(client, plan)).actions;
      const messages = warned?.warnings.map(({ message }) => message);
      expect(messages).toEqual([expect.stringMatching(/^Opted out: \[(masked|redacted)\]/)]);
      expect(`${messages}`).not.toMatch(/\d{2}|example/i);
      answer({ status: 422, body: { detail: `No such contact: ${contact}` }, times: 2 });
      const { result } = await run([ask(ada, bob)]);
      const refused = [await rehearsePlan(client, plan), result].map((one) => JSON.stringify(one));
      const seen = [...refused, String(result.steps[0]?.error)];
      for (const text of seen) expect(text).toContain('No such contact');
      answer({ status: 200, body: { batch_id: `batch-${contact}`, queued_count: 1 } });
      await expect(rehearsePlan(client, plan, { journal })).rejects.toMatchObject({ code: 'dry_run_not_honored' });
      expect(read().entries[0]?.ids).toEqual([expect.stringMatching(/^batch-\[(masked|redacted)\]/)]);
      for (const text of [...seen, JSON.stringify(read())]) expect(text).not.toMatch(/12 ?34 ?56 ?78|example/i);
    },
  );

  it('lets a deletion pass that may have happened', async () => {
    const { api, client, journal, run } = await stage();
    api.fail({ operation: 'posts.delete', network: true, applied: true });
    await run([deletion]);
    const plan = planOf([deletion]);
    const { actions } = await rehearsePlan(client, plan, { journal });
    expect(actions).toMatchObject([{ state: 'unpreviewed', problems: [] }]);
  });

  const executed = { status: 200, body: { post_id: 'soc_1', status: 'publishing', platforms: [] } };

  it('notes such an action also if it is interrupted before the answer', async () => {
    const controller = new AbortController();
    const onEvent = (event: ClientEvent) => {
      const isSent = event.type === 'request' && event.operation === 'social.publish';
      if (isSent) setTimeout(() => controller.abort(new Error('Ctrl-C')));
    };
    const { api, client, journal, run, sent } = await stage({}, undefined, { onEvent });
    const plan = planOf([social]);
    api.fail({ operation: 'social.publish', ...executed, delay: 50 });
    await expect(rehearsePlan(client, plan, { journal, signal: controller.signal })).rejects.toThrow();
    expect(sent('social.publish')).toHaveLength(1);
    await run([social]);
    expect(sent('social.publish')).toHaveLength(1);
  });

  it.each<[string, ClientEvent['type'], object]>([
    ['after the preview that is on its way', 'request', { delay: 0 }],
    ['at once while a preview waits for its turn', 'retry', { status: 429, headers: { 'retry-after': '50' } }],
  ])('ends %s if it is interrupted, and leaves no journal', async (_, at, fault) => {
    const controller = new AbortController();
    const onEvent = ({ type, operation }: ClientEvent) => {
      if (type === at && operation === 'social.publish') controller.abort(new Error('Ctrl-C'));
    };
    const { api, client, file, journal, sent } = await stageOnDisk({}, undefined, { onEvent, maxRetries: 3 });
    api.fail({ operation: 'social.publish', ...fault });
    const plan = planOf([social, post('Deux')]);
    await expect(rehearsePlan(client, plan, { journal, signal: controller.signal })).rejects.toThrow('Ctrl-C');
    expect([sent('social.publish').length, sent('posts.create').length]).toEqual([1, 0]);
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('needs no journal in a folder that cannot be written', async () => {
    const { client, file, journal } = await stageOnDisk();
    const plan = planOf([social]);
    symlinkSync(join(dirname(file), 'nowhere'), lockOf(file));
    expect(statesOf(await rehearsePlan(client, plan, { journal }))).toEqual(['ready']);
  });

  it('notes nothing of a failure if the service has shown that it honours the dry run', async () => {
    const { api, client, file, journal, sent } = await stageOnDisk({}, undefined, { maxRetries: 0 });
    const plan = planOf([social]);
    await rehearsePlan(client, plan, { journal });
    api.fail({ operation: 'social.publish', status: 502 });
    const { actions } = await rehearsePlan(client, plan, { journal });
    expect(actions).toMatchObject([{ state: 'refused', problems: [{ code: 'bad_gateway' }] }]);
    expect(existsSync(file)).toBe(false);
    expect(sent('social.publish')).toHaveLength(2);
  });

  it.each(['a lock that another run holds', 'a lock that cannot be written'])(
    'says so if the journal cannot note such an action: %s',
    async (what) => {
      const { api, client, file, journal, timer } = await stageOnDisk();
      api.fail({ operation: 'social.publish', ...executed });
      const isHeld = what === 'a lock that another run holds';
      const release = isHeld ? await fileJournal(file).hold?.() : undefined;
      if (!isHeld) symlinkSync(join(dirname(file), 'nowhere'), lockOf(file));
      const failure = rehearsePlan(client, planOf([social]), { journal, timer });
      const code = isHeld ? 'journal_locked' : 'journal_unusable';
      const hint = isHeld ? expect.not.stringContaining('Repair') : expect.stringContaining('Repair the journal');
      await expect(failure).rejects.toMatchObject({ code, outcome: 'applied', hint });
      await expect(failure).rejects.toThrow(
        /not show a preview.* The journal cannot note social\.publish .*: applied \(id soc_1\)/,
      );
      await release?.();
    },
  );
});
