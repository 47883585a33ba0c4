import type { Client, ClientEvent, ClientOptions } from 'multilocal';
import type { MockControl } from 'multilocal/mock';
import { describe, expect, it } from 'vitest';
import { realTimer } from '../src/clock.js';
import { memoryJournal, planStatus, rehearsePlan, runPlan, settleAction } from '../src/index.js';
import { type Action, BULLE, FICHE, killed, outcomesOf, planOf, post, social, stage } from './helpers.js';

const lost = { network: true, applied: true };
const BILAN = {
  operation: 'reports.create',
  params: {
    type: 'fiche',
    fiche_ids: [FICHE],
    date_start: '2026-10-01',
    date_end: '2026-10-31',
    report_name: 'Bilan',
  },
};

describe('a run', () => {
  it('carries out every action once, in order, and notes each', async () => {
    const { api, run, read, sent } = await stage();
    const { result, steps } = await run([post('Un'), social, post('Deux')]);
    expect(result.state).toBe('done');
    expect(steps.map(({ outcome, index }) => `${outcome} ${index}`)).toEqual(['applied 0', 'applied 1', 'applied 2']);
    expect(result.steps).toEqual(steps);
    expect(result.steps[0]?.result).toMatchObject({ id: expect.any(Number), status: 'scheduled' });
    // The three writes, and one read for twins.
    expect(result.requests).toBe(4);
    expect(sent('posts.create')).toHaveLength(2);
    const { entries, ...head } = read();
    expect(head).toMatchObject({
      version: 1,
      service: `${api.baseUrl}/api/v2`,
      sphere_id: api.ids.sphere,
      bulle_id: null,
    });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied']);
    expect(entries[1]?.ids).toEqual([expect.stringMatching(/^soc_/)]);
  });

  it('writes no text, contact or key to the journal', async () => {
    const { api, run, read } = await stage();
    const contact = { customer_name: 'Ada Martin', channel: 'email', customer_email: 'ada@example.com' };
    const ask = { operation: 'acquisition.requestReviews', params: { contacts: [contact], fiche_id: FICHE } };
    await run([post('Secret'), ask]);
    const text = JSON.stringify(read());
    for (const secret of ['Ada', 'ada@', 'Secret', api.keys.sphere]) expect(text).not.toContain(secret);
  });

  it('writes no query of an address and no contact that the service repeats to the journal', async () => {
    const { api, run, read } = await stage();
    const contact = { customer_name: 'Ada', channel: 'sms', customer_phone: '+33612345678' };
    const request = { operation: 'acquisition.requestReviews', params: { contacts: [contact], fiche_id: FICHE } };
    const image = { operation: 'images.generate', params: { prompt: 'Un pain', bulle_id: BULLE } };
    const body = { batch_id: 'batch-06 12 34 56 78', queued_count: 1, contacts: [] };
    api.fail({ operation: request.operation, status: 200, body });
    api.fail({ operation: image.operation, status: 200, body: { image_url: 'https://i.test/1.png?signature=abc' } });
    await run([request, image]);
    expect(read().entries.map(({ ids }) => ids)).toEqual([['batch-[redacted]'], ['https://i.test/1.png']]);
  });

  it('sends no write when it is run again, and looks whether its posts are there', async () => {
    const { run, watch } = await stage();
    await run([post('Un'), social]);
    const requests = watch();
    const { result, steps } = await run([post('Un'), social]);
    expect(result.state).toBe('done');
    expect(steps).toEqual([]);
    expect(requests()).toEqual(['posts.list']);
  });

  it('notes an action before its request arrives', async () => {
    let handle: typeof globalThis.fetch = fetch;
    const outcomes: unknown[] = [];
    const looking: typeof globalThis.fetch = async (input, init) => {
      if (init?.method === 'POST') outcomes.push(read().entries[0]?.outcome);
      return handle(input, init);
    };
    const { read, run } = await stage(
      {},
      (api) => {
        handle = api.handle;
        return api.keys.sphere;
      },
      { fetch: looking },
    );
    await run([social]);
    expect(outcomes).toEqual(['started']);
  });

  it('stops at a refusal, and the next run tries that action again', async () => {
    const { api, run, read, sent } = await stage();
    api.fail({ operation: 'social.publish', status: 422 });
    const first = await run([post('Un'), social, post('Deux')]);
    expect(first.result.state).toBe('stopped');
    expect(outcomesOf(first.result)).toEqual(['applied', 'not_applied', 'not_applied']);
    const code = 'unprocessable_entity';
    expect(first.result.steps[1]).toMatchObject({ problem: { code, path: ['actions', 1] }, error: { code } });
    expect(read().entries[1]).toMatchObject({ outcome: 'not_applied', error: 'unprocessable_entity', status: 422 });
    const second = await run([post('Un'), social, post('Deux')]);
    expect(second.result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(2);
    expect(read().entries[1]).not.toHaveProperty('error');
  });

  it('ends between two actions when it is interrupted', async () => {
    const { api, run } = await stage();
    const controller = new AbortController();
    const { result } = await run([post('Un'), post('Deux')], {
      signal: controller.signal,
      onStep: () => controller.abort(),
    });
    expect(result.state).toBe('stopped');
    expect(outcomesOf(result)).toEqual(['applied', 'not_applied']);
    expect(api.posts.all().filter(({ content }) => content === 'Un' || content === 'Deux')).toHaveLength(1);
  });

  it('refuses a plan with problems, and one without actions', async () => {
    const { api, run } = await stage();
    const requests = api.requests.length;
    const issues = [{ path: ['actions', 1, 'params', 'content'], message: expect.any(String) }];
    await expect(run([post('Un'), post('')])).rejects.toMatchObject({ code: 'invalid_request', issues });
    await expect(run([])).rejects.toThrow('`actions` must have at least one action');
    expect(api.requests).toHaveLength(requests);
  });

  it.each<[string, (client: Client, options: never) => Promise<unknown>, unknown[]]>([
    ['runPlan', (client, options) => runPlan(client, planOf([social]), options), [undefined, {}, { journal: {} }]],
    [
      'planStatus',
      (client, options) => planStatus(client, planOf([social]), options),
      [undefined, {}, { journal: {} }],
    ],
    ['rehearsePlan', (client, options) => rehearsePlan(client, planOf([social]), options), [{ journal: {} }]],
    ['settleAction', (_, journal) => settleAction(journal, 'key', 'applied'), [undefined, {}]],
  ])('%s needs a journal', async (_, call, given) => {
    const { api, client } = await stage();
    const requests = api.requests.length;
    for (const options of given) {
      const message = expect.stringContaining('journal');
      await expect(call(client, options as never)).rejects.toMatchObject({ code: 'configuration', message });
    }
    expect(api.requests).toHaveLength(requests);
  });

  it('carries out only the plan that was approved', async () => {
    const { api, client, run, sent } = await stage();
    const { hash } = await rehearsePlan(client, planOf([social]));
    const requests = api.requests.length;
    for (const approved of ['', hash.toUpperCase(), (await rehearsePlan(client, planOf([post('Un')]))).hash]) {
      await expect(run([social], { approved })).rejects.toMatchObject({ code: 'plan_not_approved' });
    }
    expect(sent('social.publish').filter(({ body }) => !JSON.stringify(body).includes('dry_run'))).toEqual([]);
    expect(requests).toBeGreaterThan(0);
    expect((await run([social], { approved: hash })).result.state).toBe('done');
  });

  it('does not carry out at one location what was approved for another', async () => {
    const { client, sent } = await stage();
    const plan = planOf([{ operation: 'posts.create', params: { content: 'Un', platforms: ['facebook'] } }]);
    const [lyon, paris] = (await client.bulles.list()).map(({ id }) => client.forBulle(id));
    if (!lyon || !paris) throw new Error('the mock has two locations');
    const { hash } = await rehearsePlan(lyon, plan);
    const options = { journal: memoryJournal(), approved: hash };
    await expect(runPlan(paris, plan, options)).rejects.toMatchObject({ code: 'plan_not_approved' });
    expect(sent('posts.create').filter(({ body }) => !JSON.stringify(body).includes('dry_run'))).toEqual([]);
    expect((await runPlan(lyon, plan, options)).state).toBe('done');
  });

  it('stops at a post that the service already has, and publishes it again only on demand', async () => {
    const { api, run, sent, watch } = await stage();
    const at = { scheduled_at: '2035-01-01T09:00:00Z' };
    api.posts.add({ content: 'Deux ', bulle_id: BULLE, platforms: ['facebook'], ...at });
    const plan = [post('Un', at), post('Deux', { scheduled_at: '2035-01-01T10:00:00+01:00' }), post('Trois', at)];
    const { result } = await run(plan);
    expect(result.state).toBe('stopped');
    expect(outcomesOf(result)).toEqual(['applied', 'not_applied', 'not_applied']);
    expect(result.steps[1]?.problem).toMatchObject({ code: 'twin', message: expect.stringContaining('again: true') });
    expect(sent('posts.create')).toHaveLength(1);
    const requests = watch();
    expect((await run(plan, { again: true })).result.state).toBe('done');
    // Only whether the first post is still there.
    expect(requests().filter((operation) => operation === 'posts.list')).toHaveLength(1);
    expect(sent('posts.create')).toHaveLength(3);
  });

  it('reads the posts of each location once, and takes no other post for a twin', async () => {
    const { api, run, sent } = await stage();
    const bulle_id = 'bul_annecy_vieille_ville';
    const at = { scheduled_at: '2035-01-01T09:00:00Z' };
    api.posts.add({ content: 'Un', bulle_id: BULLE, platforms: ['facebook'], scheduled_at: '2035-01-02T09:00:00Z' });
    api.posts.add({ content: 'Un', bulle_id: BULLE, platforms: ['gmb'], ...at });
    api.posts.add({ content: 'Un', bulle_id, platforms: ['facebook'], ...at });
    const { result } = await run([post('Un', at), post('Deux', { ...at, bulle_id }), post('Trois', at)]);
    expect(result.state).toBe('done');
    expect(sent('posts.list')).toHaveLength(2);
    expect(result.requests).toBe(5);
  });

  it.each<[string, Action, object]>([
    ['error', { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } }, { error: 'ada@example.com' }],
    ['errors', { operation: 'posts.delete', params: { post_id: 14 } }, { errors: [{ field: 'x' }] }],
    ['success', social, { success: false, message: 'ada@example.com' }],
    [
      'posted',
      { operation: 'reviews.reply', params: { review_id: `${FICHE}/reviews/1`, text: 'x' } },
      { posted: false },
    ],
    ['status', post('Un'), { id: 9, status: 'error' }],
  ])('warns if a 2xx response says that the action failed, and never repeats it: %s', async (name, action, body) => {
    const { api, run, read, sent } = await stage();
    api.fail({ operation: action.operation, status: 200, body });
    const { result, steps } = await run([action, post('Après')]);
    expect(result.state).toBe('done');
    const { warning } = steps[0] ?? {};
    expect(warning).toMatchObject({ code: 'failure_in_response', message: expect.stringContaining(`\`${name}`) });
    expect(warning?.message).not.toContain('ada@');
    expect(read().entries[0]).toMatchObject({ outcome: 'applied', error: 'failure_in_response' });
    expect((await run([action, post('Après')])).result.state).toBe('done');
    expect(sent(action.operation)).toHaveLength(action.operation === 'posts.create' ? 2 : 1);
  });

  it('warns of nothing if a response has empty errors, or the 404 of a deletion that has happened', async () => {
    const { api, run, read } = await stage();
    const update = { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } };
    const deletion = { operation: 'posts.delete', params: { post_id: 14 } };
    api.fail({ operation: update.operation, status: 200, body: { error: null, errors: [], success: true } });
    api.fail({ operation: deletion.operation, ...lost });
    await run([update, deletion]);
    const { steps } = await run([update, deletion]);
    expect(steps).toMatchObject([{ outcome: 'applied' }]);
    expect(steps[0]).not.toHaveProperty('warning');
    expect(read().entries.map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  it.each<Action>([
    social,
    post('Un'),
    { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } },
    { operation: 'gmb.optimizer.apply', params: { changes: [{ field: 'x', value: 'y' }], fiche_id: FICHE } },
  ])('stops if the service answers $operation with a preview, and never sends it again', async (action) => {
    const { api, client, journal, run, read, write, sent } = await stage();
    const plan = [action, { operation: 'articles.confirm', params: { article_id: 1 } }];
    api.fail({ operation: action.operation, status: 200, body: { dry_run: true, would_post: 'x' } });
    const { result } = await run(plan);
    const unresolved = { outcome: 'unknown', error: { code: 'plan_unresolved', outcome: 'unknown' } };
    expect(result).toMatchObject({ state: 'stopped', steps: [unresolved, { outcome: 'not_applied' }] });
    expect(read().entries).toMatchObject([{ outcome: 'unknown', error: 'preview_received' }]);
    const { actions } = await rehearsePlan(client, planOf(plan), { journal });
    const summary = expect.stringContaining('with a preview');
    expect(actions[0]).toMatchObject({ state: 'unpreviewed', summary, warnings: [{ code: 'unknown_outcome' }] });
    for (let round = 0; round < 2; round++) {
      expect((await run(plan)).result).toMatchObject({ state: 'stopped', steps: [unresolved, {}] });
    }
    expect(sent(action.operation)).toHaveLength(1);
    const content = read();
    write({ ...content, entries: content.entries.map((entry) => ({ ...entry, outcome: 'not_applied' })) });
    expect((await run(plan)).result.state).toBe('done');
    expect(sent(action.operation)).toHaveLength(2);
  });

  it.each([['<html>'], [[]]])('takes a 2xx %j for an unknown outcome', async (body) => {
    const { api, run, read } = await stage();
    api.fail({ operation: 'social.publish', status: 200, body });
    expect((await run([social])).result.state).toBe('stopped');
    expect(read().entries[0]).toMatchObject({ outcome: 'unknown', error: 'invalid_response' });
  });

  it('takes a changed body for a success', async () => {
    const other = await stage();
    other.api.fail({ operation: 'social.publish', status: 200, body: { post_id: 9 } });
    expect((await other.run([social])).result.state).toBe('done');
    expect(other.read().entries[0]).toMatchObject({ outcome: 'applied', ids: [9] });
  });
});

describe('a run that is interrupted', () => {
  /** Runs a plan, and presses Ctrl-C at the first event that `when` accepts. */
  async function interrupted(
    actions: Action[],
    when: (event: ClientEvent) => boolean,
    prepare: (api: MockControl) => void,
    more: ClientOptions = { maxRetries: 3 },
  ) {
    const controller = new AbortController();
    const onEvent = (event: ClientEvent) => {
      if (event.operation === actions[0]?.operation && when(event)) controller.abort(new Error('Ctrl-C'));
    };
    const { api, journal, run, read, sent } = await stage({}, undefined, { ...more, onEvent });
    prepare(api);
    const { result } = await run(actions, { signal: controller.signal });
    return { result, api, journal, read, sent };
  }
  const later = { status: 429, headers: { 'retry-after': '50' } };
  const update = { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } };
  it.each<[string, Action[], ClientEvent['type'], object, string[]]>([
    [
      'stops at once between two attempts, and knows that a 429 did nothing',
      [social, post('Deux')],
      'retry',
      later,
      ['not_applied', 'not_applied'],
    ],
    [
      'finishes the attempt that is on its way',
      [social, post('Deux')],
      'request',
      { delay: 0 },
      ['applied', 'not_applied'],
    ],
    ['does not retry that attempt', [social], 'request', later, ['not_applied']],
    [
      'is interrupted also if that attempt fails',
      [social],
      'request',
      { status: 503, headers: { 'retry-after': '3600' } },
      ['unknown'],
    ],
    ['keeps an outcome open that an earlier attempt has left open', [update], 'retry', lost, ['unknown']],
  ])('%s', async (_, actions, event, fault, outcomes) => {
    const operation = actions[0]?.operation ?? '';
    const { result, read, sent } = await interrupted(
      actions,
      ({ type }) => type === event,
      (api) => api.fail({ operation, ...fault }),
    );
    expect([result.state, outcomesOf(result)]).toEqual(['stopped', outcomes]);
    expect(read().entries).toMatchObject([{ outcome: outcomes[0] }]);
    expect(sent(operation)).toHaveLength(1);
  });

  it('stops at once in the limiter', async () => {
    const { result, journal, sent } = await interrupted(
      [social],
      ({ type }) => type === 'wait',
      () => {},
      { rateLimit: { perMinute: 1 } },
    );
    expect(outcomesOf(result)).toEqual(['not_applied']);
    expect(await journal.load()).toBe(null);
    expect(sent('social.publish')).toEqual([]);
  });

  it('sends nothing if the signal comes while the start is noted', async () => {
    const { journal, run, read, sent } = await stage();
    const controller = new AbortController();
    const save: typeof journal.save = async (next, previous) => {
      controller.abort(new Error('Ctrl-C'));
      return journal.save(next, previous);
    };
    const { result } = await run([social], { signal: controller.signal, journal: { ...journal, save } });
    expect(result.state).toBe('stopped');
    expect(read().entries).toMatchObject([{ outcome: 'not_applied' }]);
    expect(sent('social.publish')).toEqual([]);
  });
});

/** What an operation leaves in the mock, and an action of it. */
const exact: readonly [
  name: string,
  action: Action,
  count: (api: Awaited<ReturnType<typeof stage>>['api']) => number,
][] = [
  ['posts.create', post('Un'), (api) => api.posts.all().filter(({ content }) => content === 'Un').length],
  [
    'posts.create with text',
    { operation: 'posts.create', params: { text: ' Un\n', platforms: ['gmb'], bulle_id: BULLE } },
    (api) => api.posts.all().filter(({ content }) => content.trim() === 'Un').length,
  ],
  [
    'articles.create',
    { operation: 'articles.create', params: { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE } },
    (api) => api.articles.all().filter(({ title }) => title === 'Le seigle').length,
  ],
  [
    'articles.publish',
    { operation: 'articles.publish', params: { article_id: 8 } },
    (api) => (api.articles.get(8).status === 'published' ? 1 : 0),
  ],
  [
    'reviews.reply',
    { operation: 'reviews.reply', params: { review_id: `${FICHE}/reviews/AbFvOqkR4Zt7cWmPx0`, text: 'Merci !' } },
    (api) => api.reviews.all().filter(({ response_text }) => response_text === 'Merci !').length,
  ],
  [
    'qrCodes.create',
    { operation: 'qrCodes.create', params: { target_url: 'https://example.com', name: 'Comptoir', bulle_id: BULLE } },
    (api) => JSON.stringify(api.snapshot()).split('"Comptoir"').length - 1,
  ],
  [
    'seo.trackedKeywords.create',
    { operation: 'seo.trackedKeywords.create', params: { keyword: 'brioche fine', bulle_id: BULLE } },
    (api) => JSON.stringify(api.snapshot()).split('"brioche fine"').length - 1,
  ],
  ['reports.create', BILAN, (api) => JSON.stringify(api.snapshot()).split('"Bilan"').length - 1],
];

describe.each(exact)('%s that was lost', (_, action, count) => {
  const { operation } = action;

  it('is found, if it happened', async () => {
    const { api, run, read, sent } = await stage();
    api.fail({ operation, ...lost });
    expect((await run([action, social])).result.state).toBe('stopped');
    expect(read().entries[0]).toMatchObject({ outcome: 'unknown', error: 'connection' });
    expect((await run([action, social])).result.state).toBe('done');
    expect(sent(operation)).toHaveLength(1);
    expect(sent('social.publish')).toHaveLength(1);
    expect(count(api)).toBe(1);
  });

  it('is sent again, if it did not happen, and not before the service is certainly done with it', async () => {
    const { api, run, read, sent, lastLook } = await stage();
    api.fail({ operation, network: true });
    await run([action]);
    const [entry] = read().entries;
    const { result } = await run([action]);
    // The client's own timeout, and a minute.
    const isQuick = operation === 'qrCodes.create' || operation === 'seo.trackedKeywords.create';
    expect(lastLook() - Date.parse(entry?.service_time ?? '')).toBeGreaterThanOrEqual(isQuick ? 90_000 : 240_000);
    expect(result.state).toBe('done');
    expect(sent(operation)).toHaveLength(2);
    expect(count(api)).toBe(1);
  });
});

describe('audits and scans that were lost', () => {
  it.each([
    ['gmb.optimizer.audit', { fiche_id: FICHE }],
    ['seo.scan', { bulle_id: BULLE }],
  ])('%s is found by its date, or sent again after three minutes', async (operation, params) => {
    for (const [fault, requests] of [
      [lost, 1],
      [{ network: true }, 2],
    ] as const) {
      const { api, run, read, sent, lastLook } = await stage();
      api.fail({ operation, ...fault });
      await run([{ operation, params }]);
      const [entry] = read().entries;
      expect((await run([{ operation, params }])).result.state).toBe('done');
      expect(sent(operation)).toHaveLength(requests);
      const after = lastLook() - Date.parse(entry?.service_time ?? '');
      expect(after).toBeGreaterThanOrEqual(requests === 2 ? 180_000 : 0);
    }
  });
});

describe('what cannot be looked up', () => {
  it.each<Action>([
    social,
    {
      operation: 'gmb.optimizer.apply',
      params: { changes: [{ field: 'description', value: 'Pain' }], fiche_id: FICHE },
    },
    { operation: 'seo.keywordLookup', params: { keyword: 'pain', bulle_id: BULLE } },
    { operation: 'images.generate', params: { prompt: 'Pain', bulle_id: BULLE } },
    { operation: 'images.upload', params: { url: 'https://example.com/a.jpg' } },
  ])('$operation is reported and never sent again, and stops the run', async (action) => {
    for (const fault of [lost, { network: true }, { status: 503 }]) {
      const { api, run, read, write, sent } = await stage();
      const plan = [action, post('Après')];
      api.fail({ operation: action.operation, ...fault });
      expect((await run(plan)).result.state).toBe('stopped');
      for (let again = 0; again < 2; again++) {
        const { result } = await run(plan);
        expect(outcomesOf(result)).toEqual(['unknown', 'not_applied']);
        expect(result.steps[0]?.problem?.message).toContain('multilocal journal settle');
      }
      expect(sent(action.operation)).toHaveLength(1);
      expect(sent('posts.create')).toEqual([]);
      const content = read();
      write({ ...content, entries: content.entries.map((entry) => ({ ...entry, outcome: 'applied' })) });
      expect((await run(plan)).result.state).toBe('done');
      expect(sent(action.operation)).toHaveLength(1);
    }
  });

  const scheduled_at = '2035-01-01T00:00:00Z';
  it.each<[string, Action, object, string]>([
    [
      'posts.publish stays open while the post is pending',
      { operation: 'posts.publish', params: { post_id: 131 } },
      { network: true },
      'stopped',
    ],
    [
      'posts.publish is found when the post is online',
      { operation: 'posts.publish', params: { post_id: 131 } },
      lost,
      'done',
    ],
    [
      'a scheduled articles.publish shows nowhere',
      { operation: 'articles.publish', params: { article_id: 8, scheduled_at } },
      lost,
      'stopped',
    ],
  ])('%s', async (_, action, fault, state) => {
    const { api, run, sent } = await stage();
    api.fail({ operation: action.operation, ...fault });
    await run([action]);
    expect((await run([action])).result.state).toBe(state);
    expect(sent(action.operation)).toHaveLength(1);
  });
});

describe('what may be repeated', () => {
  it.each<Action>([
    { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } },
    { operation: 'posts.delete', params: { post_id: 14 } },
    { operation: 'articles.update', params: { article_id: 8, category: 'Pains' } },
    { operation: 'articles.confirm', params: { article_id: 1 } },
  ])('$operation is sent again without a lookup', async (action) => {
    for (const fault of [lost, { network: true }]) {
      const { api, run, sent } = await stage();
      api.fail({ operation: action.operation, ...fault });
      expect((await run([action])).result.state).toBe('stopped');
      const { result } = await run([action]);
      expect(result).toMatchObject({ state: 'done', requests: 1 });
      expect(sent(action.operation)).toHaveLength(2);
    }
  });

  it('a deletion that finds nothing is a failure in the first run', async () => {
    const { run } = await stage();
    const { result } = await run([{ operation: 'posts.delete', params: { post_id: 999_999 } }]);
    expect(result).toMatchObject({ state: 'stopped', steps: [{ error: { code: 'not_found' } }] });
  });
});

describe('a lookup', () => {
  it('ends its wait with the reason of the signal', async () => {
    const controller = new AbortController();
    const wait = realTimer.wait(1e9, controller.signal);
    controller.abort(new Error('stop'));
    await expect(wait).rejects.toThrow('stop');
    await realTimer.wait(0, undefined);
  });

  it('takes no other post of the plan for the lost one', async () => {
    const { api, run, sent } = await stage();
    const plan = [post('Pareil'), post('Pareil')];
    api.fail({ operation: 'posts.create', delay: 0 });
    api.fail({ operation: 'posts.create', network: true });
    await run(plan);
    expect((await run(plan)).result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(3);
    expect(api.posts.all().filter(({ content }) => content === 'Pareil')).toHaveLength(2);
  });

  it('takes no older post with the same text for the lost one', async () => {
    const { api, run } = await stage();
    api.posts.add({ content: 'Pareil', bulle_id: BULLE });
    api.advance(65_000);
    api.fail({ operation: 'posts.create', network: true });
    await run([post('Pareil')], { again: true });
    expect((await run([post('Pareil')], { again: true })).result.state).toBe('done');
    expect(api.posts.all().filter(({ content }) => content === 'Pareil')).toHaveLength(2);
  });

  it.each([-120_000, 120_000, 3 * 86_400_000])(
    'leaves it open while the clock of this machine is %i ms off, and finds it later',
    async (ahead) => {
      const { api, run, read, sent, timer } = await stage({}, undefined, {}, ahead);
      api.fail({ operation: 'posts.create', ...lost });
      await run([post('Un')]);
      expect((await run([post('Un')])).result.state).toBe('stopped');
      // Somebody has set the clock.
      const { result } = await run([post('Un')], { timer: { ...timer, date: () => api.now().getTime() } });
      expect(result.state).toBe('done');
      expect(sent('posts.create')).toHaveLength(1);
      expect(read().entries[0]?.outcome).toBe('applied');
    },
  );

  it.each<[string, object, Record<string, string>]>([
    ['GET /health without an offset', { timestamp: 'local' }, {}],
    ['a cached GET /health', { timestamp: 'cached' }, {}],
    ['a header Date that is ahead', {}, { date: 'ahead' }],
  ])('is never sent again because of %s', async (_, { timestamp }: { timestamp?: string }, { date }) => {
    const { api, run, sent } = await stage();
    const at = (ms: number) => new Date(api.now().getTime() + ms);
    const wrong = timestamp === 'local' ? at(7_200_000).toISOString().slice(0, 19) : at(-600_000).toISOString();
    const fault = {
      operation: 'health',
      status: 200,
      body: { status: 'ok', api_version: '2.0', timestamp: timestamp ? wrong : at(0).toISOString() },
      headers: { date: (date ? at(120_000) : at(0)).toUTCString() },
    };
    api.fail({ operation: 'posts.create', network: true });
    api.fail({ ...fault, times: 9 });
    await run([post('Un')]);
    expect((await run([post('Un')])).result.state).toBe('stopped');
    expect(sent('posts.create')).toHaveLength(1);
  });

  it('is never sent again while only this machine has a clock', async () => {
    const { api, run, sent } = await stage({}, undefined, {}, 7_200_000);
    api.fail({ operation: 'posts.create', network: true });
    api.fail({ operation: 'health', status: 404, body: '', headers: { date: '' }, times: 9 });
    await run([post('Un')]);
    expect((await run([post('Un')])).result.state).toBe('stopped');
    expect(sent('posts.create')).toHaveLength(1);
  });

  it('takes the clock of this machine if the service has none', async () => {
    const { api, run, read } = await stage();
    api.fail({ operation: 'health', status: 200, body: { status: 'ok', api_version: '2.0', timestamp: 'soon' } });
    await run([post('Un')]);
    const noted = Date.parse(read().entries[0]?.service_time ?? '');
    expect(Math.abs(noted - api.now().getTime())).toBeLessThan(60_000);
  });

  it('finds a post that the service makes late', async () => {
    const { api, run, sent } = await stage();
    api.fail({ operation: 'posts.create', network: true });
    await run([post('Tard')]);
    let looks = 0;
    const onProgress = () => {
      if (++looks === 3) api.posts.add({ content: 'Tard', bulle_id: BULLE });
    };
    expect((await run([post('Tard')], { onProgress })).result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(1);
  });

  it.each<[string, Action, (api: MockControl) => unknown]>([
    [
      'a post on other platforms',
      post('Pareil'),
      (api) => api.posts.add({ content: 'Pareil', bulle_id: BULLE, platforms: ['gmb'] }),
    ],
    [
      'a post at another time',
      post('Pareil', { scheduled_at: '2035-01-01T09:00:00Z' }),
      (api) =>
        api.posts.add({
          content: 'Pareil',
          bulle_id: BULLE,
          platforms: ['facebook'],
          scheduled_at: '2035-01-02T09:00:00Z',
        }),
    ],
    [
      'a post whose text the service has changed',
      post('Voir https://boutique.example/noel &amp; plus'),
      (api) => api.posts.add({ content: 'Voir https://b.example/x & plus', bulle_id: BULLE, platforms: ['facebook'] }),
    ],
    [
      'a post whose text the service has changed, without the seconds of its date',
      post('Voir https://boutique.example', { scheduled_at: '2035-01-01T09:00:30Z' }),
      (api) =>
        api.posts.add({
          content: 'Voir https://b.example',
          bulle_id: BULLE,
          platforms: ['facebook'],
          scheduled_at: '2035-01-01T09:00:00Z',
        }),
    ],
    [
      'a post whose text the service has changed, on one platform less',
      post('Voir https://boutique.example', { platforms: ['facebook', 'instagram'] }),
      (api) => api.posts.add({ content: 'Voir https://b.example', bulle_id: BULLE, platforms: ['facebook'] }),
    ],
    [
      'an article with another title and keyword',
      { operation: 'articles.create', params: { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE } },
      (api) => api.articles.add({ title: 'Tout sur lui', target_keyword: 'pain noir', bulle_id: BULLE }),
    ],
    [
      'an article with only the same keyword',
      { operation: 'articles.create', params: { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE } },
      (api) => api.articles.add({ title: 'Du seigle', target_keyword: 'seigle', bulle_id: BULLE }),
    ],
  ])('leaves open whether the action made %s', async (_, action, add) => {
    const { api, run, sent } = await stage();
    api.fail({ operation: action.operation, network: true });
    await run([action]);
    add(api);
    expect((await run([action])).result.state).toBe('stopped');
    expect(sent(action.operation)).toHaveLength(1);
  });

  const inNewYork = (value: unknown) => new Date(Date.parse(String(value)) - 5 * 3_600_000).toISOString().slice(0, 19);
  const link = post('Voir https://a.example', { scheduled_at: '2035-01-01T09:00:00Z' });
  const reply = {
    operation: 'reviews.reply',
    params: { review_id: `${FICHE}/reviews/AbFvOqkR4Zt7cWmPx0`, text: 'Merci !' },
  };
  /** What the service shows instead of a value that it stores. */
  type Change = (name: string, value: unknown) => unknown;
  const shortened: Change = (name, value) =>
    name === 'content' ? String(value).replace('a.example', 'b.example') : value;
  it.each<[string, Action, Change]>([
    [
      'a post with a local date of creation',
      post('Un'),
      (name, value) => (name === 'created_at' && value ? inNewYork(value) : value),
    ],
    [
      'a post with another text and a local moment',
      link,
      (name, value) => (name === 'scheduled_facebook' && value ? '2035-01-01T10:00:00' : shortened(name, value)),
    ],
    [
      'a post with another text that is published already',
      link,
      (name, value) => (name === 'scheduled_facebook' ? null : shortened(name, value)),
    ],
    [
      'an article that is being published',
      { operation: 'articles.publish', params: { article_id: 8 } },
      (name, value) => (name === 'status' && value === 'published' ? 'publishing' : value),
    ],
    [
      'an article of a site, which is in no list',
      {
        operation: 'articles.create',
        params: { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE, site_id: 3 },
      },
      (name, value) => (name === 'articles' ? [] : value),
    ],
    [
      'a reply with another text and no date',
      reply,
      (name, value) => (name === 'reply_date' ? null : value === 'Merci !' ? 'Merci ! Le fournil' : value),
    ],
    ['a report whose name is cut', BILAN, (_, value) => (value === 'Bilan' ? 'Bil' : value)],
    ['a report with an empty date', BILAN, (name, value) => (name === 'generated_at' ? null : value)],
    ['a report without a date', BILAN, (name, value) => (name === 'generated_at' ? undefined : value)],
    [
      'a keyword without accents',
      { operation: 'seo.trackedKeywords.create', params: { keyword: 'pâtisserie', bulle_id: BULLE } },
      (_, value) => (value === 'pâtisserie' ? 'patisserie' : value),
    ],
    [
      'a scan without a date',
      { operation: 'seo.scan', params: { bulle_id: BULLE } },
      (name, value) => (name === 'created_at' ? null : value),
    ],
    [
      'an audit without a date',
      { operation: 'gmb.optimizer.audit', params: { fiche_id: FICHE } },
      (name, value) => (name === 'scored_at' ? null : value),
    ],
  ])('leaves open whether the action made %s', async (_, action, change) => {
    let handle: typeof globalThis.fetch = fetch;
    const changing: typeof globalThis.fetch = async (input, init) => {
      const response = await handle(input, init);
      if (init?.method !== 'GET') return response;
      return Response.json(JSON.parse(await response.text(), change), response);
    };
    const { api, run, sent } = await stage(
      {},
      (service) => {
        handle = service.handle;
        return service.keys.sphere;
      },
      { fetch: changing, validation: 'off' },
    );
    api.fail({ operation: action.operation, ...lost });
    await run([action]);
    expect((await run([action])).result.state).toBe('stopped');
    expect(sent(action.operation)).toHaveLength(1);
  });

  it('leaves open whether the action made a QR code whose name the service has cut', async () => {
    const { api, client, run, sent } = await stage();
    const params = { target_url: 'https://example.com', name: 'Comptoir', bulle_id: BULLE };
    const action = { operation: 'qrCodes.create', params };
    api.fail({ operation: 'qrCodes.create', network: true });
    await run([action]);
    await client.qrCodes.create({ ...params, name: 'Compt' });
    expect((await run([action])).result.state).toBe('stopped');
    expect(sent('qrCodes.create')).toHaveLength(2);
  });

  it('finds a post by its instant, also without the fractions of seconds', async () => {
    const { api, run, sent } = await stage();
    const action = post('Pareil', { scheduled_at: '2035-01-01T10:00:00.250+01:00' });
    api.fail({ operation: 'posts.create', network: true });
    await run([action]);
    const stored = { content: 'Pareil', bulle_id: BULLE, platforms: ['facebook' as const] };
    api.posts.add({ ...stored, scheduled_at: '2035-01-01T09:00:00Z' });
    expect((await run([action])).result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(1);
  });

  it.each<[string, object, object]>([
    ['seo.scan', { bulle_id: BULLE }, { bulle_id: BULLE }],
    ['gmb.optimizer.audit', { fiche_id: FICHE }, { fiche_id: FICHE }],
    ['reports.create', { date_end: '2026-10-31' }, { date_end: '2026-10-15' }],
  ])('never takes the result of another action for its own: %s', async (operation, one, two) => {
    const { api, run, sent } = await stage();
    const report = { type: 'fiche', fiche_ids: [FICHE], date_start: '2026-10-01' };
    const plan = [one, two].map((params) => {
      return { operation, params: operation === 'reports.create' ? { ...report, ...params } : { ...params } };
    });
    api.fail({ operation, delay: 0 });
    api.fail({ operation, network: true });
    expect((await run(plan)).result.state).toBe('stopped');
    expect(outcomesOf((await run(plan)).result)).toEqual(['applied', 'unknown']);
    expect(sent(operation)).toHaveLength(2);
  });

  it.each([4, 30])('finds a post whose date is %s s before the clock of the service', async (seconds) => {
    const { api, run, sent } = await stage();
    api.fail({ operation: 'posts.create', network: true });
    api.posts.add({ content: 'Pareil', bulle_id: BULLE, platforms: ['facebook'] });
    api.advance(seconds * 1000);
    await run([post('Pareil')], { again: true });
    expect((await run([post('Pareil')])).result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(1);
  });

  it('counts from the instant at which the response was lost', async () => {
    const { api, run, read, write, lastLook } = await stage();
    api.fail({ operation: 'posts.create', network: true });
    await run([post('Un')]);
    const { entries, ...head } = read();
    const ends = entries.map(({ service_end = '' }) => Date.parse(service_end));
    expect(ends[0]).toBeGreaterThanOrEqual(Date.parse(entries[0]?.service_time ?? ''));
    // As if the call had waited in the limiter for 100 s.
    const later = new Date((ends[0] ?? 0) + 100_000).toISOString();
    write({ ...head, entries: entries.map((entry) => ({ ...entry, service_end: later })) });
    expect((await run([post('Un')])).result.state).toBe('done');
    expect(lastLook() - Date.parse(later)).toBeGreaterThanOrEqual(240_000);
    expect(read().entries[0]).not.toHaveProperty('service_end');
  });

  const comptoir = {
    operation: 'qrCodes.create',
    params: { target_url: 'https://a.test', name: 'Un', bulle_id: BULLE },
  };
  it.each<[string, number, number]>([
    ['in the first run, GET /health came from a cache', 300_000, 0],
    ['the request left only after it had waited', 0, 25_000],
  ])('settles nothing right after a kill, although %s', async (_, age, wait) => {
    const stood = await stage();
    await killed(stood, comptoir, { age, wait });
    const { api, run, lastLook } = stood;
    const sentAt = api.now().getTime();
    expect((await run([comptoir])).result.state).toBe('done');
    // The timeout of the endpoint and a minute.
    expect(lastLook() - sentAt).toBeGreaterThanOrEqual(90_000);
  });

  it('of a killed run waits only once, also if the look is interrupted', async () => {
    const stood = await stage();
    await killed(stood, comptoir, { age: 0, wait: 0 });
    const { api, timer, run, read, lastLook } = stood;
    const sentAt = api.now().getTime();
    const controller = new AbortController();
    const wait = async (ms: number) => {
      await timer.wait(ms, undefined);
      controller.abort();
      controller.signal.throwIfAborted();
    };
    const { result } = await run([comptoir], { timer: { ...timer, wait }, signal: controller.signal });
    expect(outcomesOf(result)).toEqual(['unknown']);
    expect(read().entries).toMatchObject([{ outcome: 'started', service_end: expect.any(String) }]);
    api.advance(200_000);
    await run([comptoir]);
    expect(lastLook() - sentAt).toBeLessThan(215_000);
  });

  it('asks seldom for what does not show', async () => {
    const { api, run, lastLook } = await stage();
    api.fail({ operation: 'posts.create', network: true });
    const lostAt = api.now().getTime();
    await run([post('Un')]);
    const states: string[] = [];
    await run([post('Un')], { onProgress: ({ state }) => states.push(state) });
    // After 0, 3, 9, 21, 45, 93 and 189 s, and a last time when the service has certainly finished.
    expect(states).toEqual([...Array(8).fill('looking'), 'sending']);
    expect(lastLook() - lostAt).toBeGreaterThanOrEqual(240_000);
  });

  it('that fails changes nothing, and the next run looks again', async () => {
    const { api, run, read, sent } = await stage();
    api.fail({ operation: 'posts.create', ...lost });
    await run([post('Un')]);
    api.fail({ operation: 'posts.list', status: 503 });
    await expect(run([post('Un')])).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(read().entries[0]?.outcome).toBe('unknown');
    expect((await run([post('Un')])).result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(1);
  });

  it('leaves a reply alone that somebody else has written since', async () => {
    const { api, client, run, sent } = await stage();
    const review_id = `${FICHE}/reviews/AbFvOqkR4Zt7cWmPx0`;
    const action = { operation: 'reviews.reply', params: { review_id, text: 'Merci !' } };
    api.fail({ operation: 'reviews.reply', network: true });
    await run([action]);
    await client.reviews.reply(review_id, { text: 'Une autre réponse' });
    expect((await run([action])).result.state).toBe('stopped');
    expect(sent('reviews.reply')).toHaveLength(2);
  });
});
