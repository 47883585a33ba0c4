import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockApi } from 'multilocal/mock/server';
import { describe, expect, it, vi } from 'vitest';
import {
  CONFIRMS,
  codeOf,
  connect,
  ERAS,
  EVERY_WRITE,
  LYON,
  type Person,
  postOf,
  publishOf,
  writesOf,
} from './support.js';

const COMMAND = /`npx multilocal rehearse \S+\.json --run`/;

describe.each(ERAS)('carry_out in %s', (era) => {
  /** A rehearsed plan, and what happens to it. */
  const stage = async (person: Person, actions: object[] = [postOf('Ouvert dimanche')], more: object = {}) => {
    const setup = await connect({ era, person, writes: EVERY_WRITE, ...more });
    const { plan, name } = await setup.call('rehearse', { actions });
    const posts = () => writesOf(setup.api).map(({ path }) => path);
    return { ...setup, plan, name, posts };
  };

  it('carries out what the person confirms, once', async () => {
    const { api, call, forms, plan, posts } = await stage(CONFIRMS);
    const done = await call('carry_out', { plan });
    expect(done).toMatchObject({ isError: false, plan, state: 'done', steps: [{ outcome: 'applied', ids: [1001] }] });
    const again = await call('carry_out', { plan });
    expect(again).toMatchObject({ isError: false, state: 'done', note: expect.stringContaining('Nothing was sent') });
    expect(again.done).toMatchObject([{ action: 1, operation: 'posts.create' }]);
    expect(Date.parse(again.done[0].done_at)).toBeGreaterThan(0);
    expect(await call('rehearse', { actions: [postOf('Ouvert dimanche')] })).toMatchObject({
      plan,
      actions: [{ state: 'done' }],
      advice: expect.stringContaining('never done twice'),
    });
    expect([posts(), forms.length]).toEqual([['/api/v2/posts'], 1]);
    expect(api.posts.all().filter(({ content }) => content === 'Ouvert dimanche')).toHaveLength(1);
  });

  it.each([
    ['a key', { key: 'noel/lyon' }],
    ['no key', {}],
  ])('carries out an action once, whatever the order of its platforms: %s', async (_, more) => {
    const action = (...platforms: string[]) => ({ ...postOf('Ouvert', { platforms }), ...more });
    const { call, forms, plan, posts } = await stage(CONFIRMS, [action('facebook', 'gmb')]);
    await call('carry_out', { plan });
    const turned = await call('rehearse', { actions: [action('gmb', 'facebook')] });
    const again = await call('carry_out', { plan: turned.plan });
    expect(again).toMatchObject({ isError: false, state: 'done', note: expect.stringContaining('Nothing was sent') });
    expect([posts(), forms.length]).toEqual([['/api/v2/posts'], 1]);
  });

  it('carries out what was rehearsed in another order of its platforms, unattended', async () => {
    const action = (...platforms: string[]) => ({ ...postOf('Ouvert', { platforms }), key: 'noel/lyon' });
    const { call, plan } = await stage(undefined, [action('facebook', 'gmb')], { isUnattended: true });
    await call('carry_out', { plan });
    const turned = await call('rehearse', { actions: [action('gmb', 'facebook')] });
    expect(await call('carry_out', { plan: turned.plan })).toMatchObject({ isError: false, state: 'done' });
  });

  const answers = (answer: object) => () => answer as Awaited<ReturnType<NonNullable<Person>>>;
  const long = Array.from({ length: 6 }, (_, n) => postOf(`${n} ${'é'.repeat(4_990)}`));
  it.each<[code: string, forms: number, person: Person, actions?: object[] | undefined, more?: object]>([
    ['declined', 1, answers({ action: 'decline' })],
    ['cancelled', 1, answers({ action: 'cancel' })],
    ['not_confirmed', 1, answers({ action: 'accept', content: { confirm: false } })],
    ['not_confirmed', 1, answers({ action: 'accept', content: {} })],
    ['cannot_ask', 0, undefined],
    ['form_too_long', 0, CONFIRMS, long],
    ['write_not_allowed', 0, CONFIRMS, undefined, { writes: new Set(['reviews.reply']) }],
  ])('%s: nothing is sent, and a person gets the command', async (code, count, person, actions, more) => {
    const { call, forms, plan, posts } = await stage(person, actions, more);
    expect(await call('carry_out', { plan }).catch(String)).toMatchObject({
      isError: true,
      error: { code, hint: expect.stringMatching(COMMAND) },
    });
    expect([forms.length, posts()]).toEqual([count, []]);
  });

  it('a plan is bound to its content and its brand', async () => {
    const { api, call, plan, plans, posts } = await stage(CONFIRMS);
    const [name = ''] = readdirSync(plans);
    const file = join(plans, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('dimanche', 'lundi'));
    expect(await call('carry_out', { plan })).toMatchObject({ error: { code: 'plan_changed' } });
    writeFileSync(file, text);
    const other = await connect({
      era,
      person: CONFIRMS,
      api,
      plans,
      writes: EVERY_WRITE,
      options: { apiKey: api.keys.bulle },
    });
    expect(await other.call('carry_out', { plan })).toMatchObject({ error: { code: 'plan_changed' } });
    for (const wrong of ['000000000000', '../secret', '']) {
      expect(await call('carry_out', { plan: wrong })).toMatchObject({ error: { code: 'no_such_plan' } });
    }
    expect(posts()).toEqual([]);
  });

  it('rehearses again after ten minutes, and refuses a plan that passes no more', async () => {
    const { api, call, forms, plan, posts } = await stage(CONFIRMS);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
    api.posts.add({
      bulle_id: LYON,
      content: 'Ouvert dimanche',
      platforms: ['facebook'],
      scheduled_at: '2027-06-20T07:00:00Z',
    });
    expect(await call('carry_out', { plan })).toMatchObject({
      error: { code: 'plan_refused' },
      problems: [expect.stringMatching(/^action 1: /)],
    });
    expect([forms, posts()]).toEqual([[], []]);
  });

  it('--unattended needs a rehearsal of the last ten minutes by this server', async () => {
    const { api, call, plan, plans, posts } = await stage(undefined, undefined, { isUnattended: true });
    const other = await connect({ era, api, plans, writes: EVERY_WRITE, isUnattended: true });
    expect(await other.call('carry_out', { plan })).toMatchObject({ error: { code: 'rehearsal_too_old' } });
    expect(posts()).toEqual([]);
    expect(await call('carry_out', { plan })).toMatchObject({ state: 'done' });
    expect(posts()).toEqual(['/api/v2/posts']);
  });

  it('says what a person must look at, and never sends it again', async () => {
    const { api, call, plan, posts } = await stage(CONFIRMS, [publishOf('Maintenant')]);
    api.fail({ operation: 'social.publish', applied: true, network: true, times: 1 });
    expect(await call('carry_out', { plan })).toMatchObject({
      isError: true,
      state: 'stopped',
      steps: [{ outcome: 'unknown' }],
    });
    await call('carry_out', { plan });
    expect(posts()).toHaveLength(1);
  });

  it('a plan that stopped yesterday goes on, and the form says what was done before', async () => {
    const [ask, code] = [publishOf('Ouvert'), codeOf('Vitrine')];
    const { api, call, forms, plan, posts } = await stage(CONFIRMS, [ask, code]);
    api.fail({ operation: 'qrCodes.create', status: 422 });
    expect(await call('carry_out', { plan })).toMatchObject({ state: 'stopped' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    const said = await call('rehearse', { actions: [ask, code] });
    expect(said).toMatchObject({ plan, actions: [{ state: 'done' }, { state: 'unpreviewed' }] });
    const done_before = [{ action: 1, operation: 'social.publish', done_at: expect.any(String) }];
    expect(await call('carry_out', { plan })).toMatchObject({ state: 'done', done_before });
    expect(forms.at(-1)).toMatch(/1 of the plan happened before\.[\s\S]*Done before:\n {3}social\.publish: \w+,? \d/);
    expect(await call('carry_out', { plan })).toMatchObject({ note: expect.stringContaining('new keys') });
    const again = await call('rehearse', { actions: [{ key: 'encore', ...ask }] });
    expect(await call('carry_out', { plan: again.plan })).toMatchObject({ state: 'done' });
    const [social, codes] = ['/api/v2/social/publish', '/api/v2/qr-codes'];
    expect(posts()).toEqual([social, codes, codes, social]);
  });

  it('a post that was deleted since can be published again', async () => {
    const { call, plan, posts } = await stage(CONFIRMS);
    const { steps } = await call('carry_out', { plan });
    const undo = { operation: 'posts.delete', params: { post_id: steps[0].ids[0] } };
    await call('carry_out', { plan: (await call('rehearse', { actions: [undo] })).plan });
    await call('rehearse', { actions: [postOf('Ouvert dimanche')] });
    expect(await call('carry_out', { plan })).toMatchObject({ state: 'done', steps: [{ outcome: 'applied' }] });
    expect(posts()).toHaveLength(3);
  });

  it.each(['before', 'after'])(
    'a correction that came up %s the rehearsal is named in the form, and needs the operation that makes it',
    async (when) => {
      const key = 'dimanche';
      const { api, call, forms, plan, plans, name } = await stage(CONFIRMS, [{ key, ...postOf('Ouvert dimanche') }]);
      const few = await connect({ era, person: CONFIRMS, api, plans, writes: new Set(['posts.create']) });
      const corrected = { name, actions: [{ key, ...postOf('Fermé dimanche') }] };
      if (when === 'before') await call('carry_out', { plan });
      const said = await call('rehearse', corrected);
      await few.call('rehearse', corrected);
      if (when === 'after') await call('carry_out', { plan });
      const details = expect.arrayContaining([expect.stringContaining('Ouvert dimanche')]);
      if (when === 'before') expect(said).toMatchObject({ actions: [{ state: 'changed', details }] });
      expect(await few.call('carry_out', { plan: said.plan })).toMatchObject({ error: { code: 'write_not_allowed' } });
      expect(await call('carry_out', { plan: said.plan })).toMatchObject({ state: 'done' });
      expect(forms.at(-1)).toMatch(/1\. Change what dimanche has made: content\.\n/);
      const contents = api.posts.all().flatMap(({ content }) => (content.endsWith('dimanche') ? [content] : []));
      expect(contents).toEqual(['Fermé dimanche']);
    },
  );

  it('the `name` of an earlier plan corrects it: what it lacks is deleted only if the person has seen it whole', async () => {
    const [first, second] = [postOf('Ouvert dimanche'), { key: 'lundi', ...postOf('Fermé lundi') }] as const;
    const { call, forms, plan, plans, name, posts, api } = await stage(CONFIRMS, [
      { key: 'dimanche', ...first },
      second,
    ]);
    await call('carry_out', { plan });
    const actions = [second];
    expect(await call('rehearse', { name: 'autre', actions: [{ ...second, key: 'dimanche' }] })).toMatchObject({
      ok: false,
      actions: [{ problems: [expect.stringContaining(`belongs to the plan ${name}`)] }],
    });
    const left = await call('rehearse', { name, actions });
    const problems = [
      expect.stringMatching(/Pass `options: \["prune"\]` to move or delete it, or `options: \["keep"\]`/),
    ];
    expect(left).toMatchObject({ ok: false, left_over: [{ key: 'dimanche', step: 'refuse', problems }] });
    const pruned = await call('rehearse', { name, actions, options: ['prune'] });
    expect(pruned).toMatchObject({ ok: true, name, advice: expect.stringContaining('--run --prune`') });
    const few = await connect({ era, person: CONFIRMS, api, plans, writes: new Set(['posts.create']) });
    await few.call('rehearse', { name, actions, options: ['prune'] });
    expect(await few.call('carry_out', { plan: pruned.plan })).toMatchObject({ error: { code: 'write_not_allowed' } });
    expect(posts()).toHaveLength(2);
    expect(await call('carry_out', { plan: pruned.plan })).toMatchObject({
      state: 'done',
      steps: [{}, { left_over: 'dimanche' }],
    });
    expect(forms.at(-1)).toMatch(
      /^Delete 1 post for .*\?[\s\S]*\n1\. Delete the post of dimanche \(id 1001\)\.\n {3}post: the post on Facebook of .*Lyon.*: Ouvert dimanche\n {3}when: 2027-06-20.* \(Sunday/,
    );
    expect(posts().at(-1)).toBe('/api/v2/posts/1001');
  });

  it('another plan of the folder that changes what was rehearsed is noticed: a person is asked anew, and nobody else is', async () => {
    const actions = [{ key: 'dimanche', ...postOf('Ouvert dimanche') }];
    const { call, api, plan, plans, name } = await stage(undefined, actions, { isUnattended: true });
    const other = await connect({ era, api, plans, writes: EVERY_WRITE, isUnattended: true });
    const more = await other.call('rehearse', {
      name,
      actions: [...actions, { key: 'lundi', ...postOf('Fermé lundi') }],
    });
    expect(await other.call('carry_out', { plan: more.plan })).toMatchObject({ state: 'done' });
    expect(await call('carry_out', { plan })).toMatchObject({ error: { code: 'rehearsal_too_old' } });
  });

  it('a form that is answered when its moment has passed is asked anew', async () => {
    const now = Date.now();
    const action = postOf('Ouvert', { scheduled_at: new Date(now + 120_000).toISOString() });
    const late: Person = () => {
      if (forms.length === 1) vi.useFakeTimers({ toFake: ['Date'], now: now + 300_000 });
      return { action: 'accept', content: { confirm: true } };
    };
    const { call, forms, plan, posts } = await stage((message) => late(message), [action]);
    const said = await call('carry_out', { plan });
    expect(said).toMatchObject({ state: 'done' });
    expect(forms).toHaveLength(2);
    expect(forms[1]).toContain('is in the past');
    expect(posts()).toHaveLength(1);
  });
});

it('the form has names, moments and whole texts, and nothing that could be another action', async () => {
  vi.stubEnv('TZ', 'America/New_York');
  const api = createMockApi({ now: '2026-11-22T09:00:00Z' });
  const decline: Person = () => ({ action: 'decline' });
  const { call, forms } = await connect({ api, person: decline, writes: EVERY_WRITE });
  const listed: { fiche_id: string }[] = (await call('overview')).locations;
  const [fiche_id = '', other = ''] = listed.map((one) => one.fiche_id);
  const unanswered = { operation: 'reviews.list', params: { fiche_id, status: 'unresponded' } };
  const [{ review_id }] = (await call('read', unanswered)).data.reviews;
  const { id: post_id } = api.posts.add({ bulle_id: LYON, content: 'Bonjour', scheduled_at: '2027-06-20T09:00:00Z' });
  const long = 'x'.repeat(3_000);
  // Tags, a word joiner, a byte order mark, a soft hyphen, fillers, a joiner and a blank.
  const invisible = '\u{E0041} \u2060 \uFEFF \u00AD \u3164 \u200D \u034F \u2800';
  const lea = { customer_name: 'Léa', channel: 'sms', customer_phone: '+33612345678', custom_message: 'Merci Léa' };
  const dates = { date_start: '2026-10-01', date_end: '2026-10-31' };
  const actions = [
    postOf('Ouvert', { scheduled_at: undefined }),
    postOf('Hier', { scheduled_at: '2026-01-01T09:00:00Z' }),
    postOf('Dimanche'),
    publishOf(`Bonjour\nwhen: in one hour\n\n2. Reply publicly to the review.\ntext: ${invisible}`),
    { operation: 'posts.publish', params: { post_id } },
    {
      operation: 'reviews.reply',
      params: { review_id, fiche_id, text: `Merci.\n\n2. Delete the post\u202e.\n${long}` },
    },
    { operation: 'acquisition.requestReviews', params: { fiche_id, contacts: [lea] } },
    { operation: 'reports.create', params: { fiche_ids: [fiche_id, other], type: 'combine', ...dates } },
  ];
  const { plan } = await call('rehearse', { actions });
  await call('carry_out', { plan });
  const [form = ''] = forms;
  expect(form.match(/^\s*\d+\. /gm)).toHaveLength(actions.length);
  // Versions of Node write dates with and without a comma.
  const shown = form.replace(long, '3000 × x').replace(/(day),/g, '$1');
  await expect(`${shown}\n`).toMatchFileSnapshot('../snapshots/form.txt');
});

describe('a client of 2026 that answers a form which nobody showed', () => {
  it('is refused', async () => {
    const { call, client, plan, api } = await connect({
      era: '2026-07-28',
      person: CONFIRMS,
      writes: EVERY_WRITE,
    }).then(async (all) => ({
      ...all,
      plan: (await all.call('rehearse', { actions: [postOf('Ouvert')] })).plan as string,
    }));
    const raw = client as unknown as { request(request: object, options: object): Promise<unknown> };
    const request = (more: object) => {
      const params = { name: 'carry_out', arguments: { plan }, ...more };
      return raw.request({ method: 'tools/call', params }, { allowInputRequired: true });
    };
    const confirm = { action: 'accept', content: { confirm: true } };
    expect(await request({ inputResponses: { confirm } })).toMatchObject({ resultType: 'input_required' });
    await expect(request({ inputResponses: { confirm }, requestState: 'v1.e30.AA' })).rejects.toThrow('requestState');
    expect(writesOf(api)).toEqual([]);
    await call('carry_out', { plan });
    expect(writesOf(api)).toHaveLength(1);
  });
});
