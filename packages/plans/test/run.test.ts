import type { Client, ClientEvent, ClientOptions } from 'multilocal';
import type { MockControl } from 'multilocal/mock';
import { describe, expect, it } from 'vitest';
import { LEAVES_WITHIN, realTimer } from '../src/clock.js';
import { memoryJournal, planStatus, rehearsePlan, runPlan, settleAction } from '../src/index.js';
import { type Action, AT, BULLE, FICHE, firstIn, killed, outcomesOf, planOf, post, social, stage } from './helpers.js';
import { postOf } from './posts.js';

type Stood = Awaited<ReturnType<typeof stage>>;

const lost = { network: true, applied: true };
const unsent = { network: true };
const action = (operation: string, params: object): Action => ({ operation, params: { ...params } });
const article = (more: object = {}) =>
  action('articles.create', { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE, ...more });
const update = action('posts.update', { post_id: 131, content: 'Autre' });
const deletion = action('posts.delete', { post_id: 14 });
const publication = action('articles.publish', { article_id: 8 });
const reply = action('reviews.reply', { review_id: `${FICHE}/reviews/AbFvOqkR4Zt7cWmPx0`, text: 'Merci !' });
const code = action('qrCodes.create', { target_url: 'https://example.com', name: 'Comptoir', bulle_id: BULLE });
const keyword = action('seo.trackedKeywords.create', { keyword: 'pâtisserie', bulle_id: BULLE });
const scan = action('seo.scan', { bulle_id: BULLE });
const audit = action('gmb.optimizer.audit', { fiche_id: FICHE });
const october = { type: 'fiche', fiche_ids: [FICHE], date_start: '2026-10-01', date_end: '2026-10-31' };
const report = action('reports.create', { ...october, report_name: 'Bilan' });
const image = action('images.generate', { prompt: 'Pain', bulle_id: BULLE });
const ask = (contact: object) => action('acquisition.requestReviews', { contacts: [contact], fiche_id: FICHE });
const apply = action('gmb.optimizer.apply', { changes: [{ field: 'description', value: 'Pain' }], fiche_id: FICHE });

/** How many posts have this text. */
const posted = (api: MockControl, text: string) =>
  api.posts.all().filter(({ content }) => content.trim() === text).length;

describe('a run', () => {
  it('carries out every action once, in order, and notes each', async () => {
    const { api, run, read, sent } = await stage();
    const { result, steps } = await run([post('Un'), social, post('Deux')]);
    expect(result.state).toBe('done');
    expect(steps.map(({ outcome, index }) => `${outcome} ${index}`)).toEqual(['applied 0', 'applied 1', 'applied 2']);
    expect(result.steps).toEqual(steps);
    expect(result.steps[0]?.result).toMatchObject({ id: expect.any(Number), status: 'scheduled' });
    // The three writes, and the reads of accounts, limits and twins.
    expect(result.requests).toBe(6);
    expect(sent('posts.create')).toHaveLength(2);
    const { entries, ...head } = read();
    const service = `${api.baseUrl}/api/v2`;
    expect(head).toMatchObject({ version: 2, service, sphere_id: api.ids.sphere, bulle_id: null });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied']);
    expect(entries[1]?.ids).toEqual([expect.stringMatching(/^soc_/)]);
  });

  it('writes no text, contact, key or query of an address to the journal, whatever the service repeats', async () => {
    const { api, run, read } = await stage();
    api.fail({ operation: 'seo.scan', status: 200, body: { id: `scan of ${api.keys.sphere}` } });
    await run([scan]);
    const ada = { customer_name: 'Ada Martin', channel: 'email', customer_email: 'ada@example.com' };
    const bob = { customer_name: 'Bob', channel: 'sms', customer_phone: '+33612345678' };
    await run([post('Secret'), ask(ada)]);
    const body = { batch_id: 'batch-06 12 34 56 78', queued_count: 1, contacts: [] };
    api.fail({ operation: 'acquisition.requestReviews', status: 200, body });
    api.fail({ operation: image.operation, status: 200, body: { image_url: 'https://i.test/1.png?signature=abc' } });
    await run([ask(bob), image]);
    expect(read().entries.map(({ ids }) => ids)).toEqual(
      expect.arrayContaining([['batch-[redacted]'], ['https://i.test/1.png']]),
    );
    const text = JSON.stringify(read());
    // Moments and the id of the run have random digits.
    for (const secret of ['Ada', 'ada@', 'Bob', '33612345678', '12 34 56 78', 'Secret', api.keys.sphere])
      expect(text).not.toContain(secret);
  });

  it('notes an action before its request arrives', async () => {
    const { journal, run, sent } = await stage();
    const noted: unknown[] = [];
    const save: typeof journal.save = async (next, previous) => {
      const isSaved = await journal.save(next, previous);
      noted.push(`${firstIn(next)?.outcome} ${sent('social.publish').length}`);
      return isSaved;
    };
    await run([social], { journal: { ...journal, save } });
    expect(noted).toEqual(['started 0', 'applied 1']);
  });

  it('stops at a refusal, and the next run tries that action again', async () => {
    const { api, run, read, sent } = await stage();
    api.fail({ operation: 'social.publish', status: 422 });
    const first = await run([post('Un'), social, post('Deux')]);
    expect(first.result.state).toBe('stopped');
    expect(outcomesOf(first.result)).toEqual(['applied', 'not_applied', 'not_applied']);
    const failure = 'unprocessable_entity';
    expect(first.result.steps[1]).toMatchObject({
      problem: { code: failure, path: ['actions', 1] },
      error: { code: failure },
    });
    expect(read().entries[1]).toMatchObject({ outcome: 'not_applied', error: failure, status: 422 });
    expect((await run([post('Un'), social, post('Deux')])).result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(2);
    expect(read().entries[1]).not.toHaveProperty('error');
  });

  it('ends between two actions when it is interrupted', async () => {
    const { api, run } = await stage();
    const end = new AbortController();
    const { result } = await run([post('Un'), post('Deux')], { signal: end.signal, onStep: () => end.abort() });
    expect([result.state, ...outcomesOf(result)]).toEqual(['stopped', 'applied', 'not_applied']);
    expect(posted(api, 'Un') + posted(api, 'Deux')).toBe(1);
  });

  it('refuses a plan with problems, and one without actions', async () => {
    const { api, run } = await stage();
    const requests = api.requests.length;
    const issues = [{ path: ['actions', 1, 'params', 'content'], message: expect.any(String) }];
    await expect(run([post('Un'), post('')])).rejects.toMatchObject({ operation: 'runPlan', issues });
    await expect(run([])).rejects.toThrow('`actions` must have at least one action');
    expect(api.requests).toHaveLength(requests);
  });

  it.each([
    [{ prune: true }, "`prune` is an unknown option. Did you mean `leftOver: 'prune'`?"],
    [{ keepLeftOvers: true }, "`keepLeftOvers` is an unknown option. Did you mean `leftOver: 'keep'`?"],
    [{ keepgoing: true }, '`keepgoing` is an unknown option. Did you mean `keepGoing`?'],
    [{ constructor: true }, '`constructor` is an unknown option.'],
    [{ leftOver: 'delete' }, '`leftOver` must be one of refuse, prune, keep'],
    [{ again: 'false' }, '`again` must be a boolean; received a string'],
    [{ allowMassDeletion: 1 }, '`allowMassDeletion` must be a boolean'],
    [{ keepGoing: null }, '`keepGoing` must be a boolean'],
    [{ retryFailed: 'no' }, '`retryFailed` must be a boolean'],
    [{ signal: new AbortController() }, '`signal` must be an AbortSignal'],
    [{ onProgress: 'log' }, '`onProgress` must be a function'],
  ])('refuses the option %j', async (option, message) => {
    const { client, run } = await stage();
    await expect(run([social], option as never)).rejects.toThrow(message);
    await expect(rehearsePlan(client, planOf([social]), option as never)).rejects.toThrow(message);
  });

  const [plain, noSave] = [planOf([social]), { journal: { load: async () => null } }];
  it.each<[string, (client: Client, options: never) => Promise<unknown>, unknown[]]>([
    ['runPlan', (client, options) => runPlan(client, plain, options), [undefined, {}, { journal: {} }, noSave]],
    ['planStatus', (client, options) => planStatus(client, plain, options), [undefined, {}, { journal: {} }]],
    ['rehearsePlan', (client, options) => rehearsePlan(client, plain, options), [{ journal: {} }]],
    ['settleAction', (_, journal) => settleAction(journal, 'key', 'applied'), [undefined, {}]],
  ])('%s needs a journal', async (operation, call, given) => {
    const { api, client } = await stage();
    const requests = api.requests.length;
    for (const options of given) {
      const message = expect.stringContaining(`${operation}: \`journal\` must be a journal`);
      await expect(call(client, options as never)).rejects.toMatchObject({ code: 'configuration', operation, message });
    }
    expect(api.requests).toHaveLength(requests);
  });

  it.each([
    ['another text stops it', 'Bonjour, ici le gérant.', {}, ['not_applied', 'already_answered'], []],
    ['unless that is meant', 'Bonjour, ici le gérant.', { again: true }, ['applied', undefined], ['reviews.reply']],
    ['the same text is done', 'Merci ! ', {}, ['applied', undefined], []],
  ])('looks whether somebody has answered a review since its approval: %s', async (_, text, more, ended, writes) => {
    const { client, run, watch } = await stage();
    const { hash } = await rehearsePlan(client, planOf([reply]));
    await client.reviews.reply(`${reply.params?.review_id}`, { text });
    const asked = watch();
    const { steps } = (await run([reply], { approved: hash, ...more })).result;
    expect([steps[0]?.outcome, steps[0]?.problem?.code]).toEqual(ended);
    expect(asked().filter((name) => name !== 'health')).toEqual(['reviews.list', ...writes]);
    expect((await rehearsePlan(client, planOf([reply]), more)).ok).toBe(ended[1] === undefined);
  });

  it.each<[string, minutes: number, before: string, ended: string]>([
    ['a post', 4, 'before it', 'applied'],
    ['a post', 6, 'before it', 'twin'],
    ['a post', 6, 'in its turn', 'twin'],
    ['a reply', 4, 'in its turn', 'applied'],
    ['a reply', 6, 'before it', 'already_answered'],
    ['a reply', 6, 'in its turn', 'already_answered'],
  ])('looks again once its look is five minutes old: %s, %i minutes %s', async (what, minutes, before, ended) => {
    const { api, client, journal, run, timer } = await stage({}, undefined, { maxRetries: 1 });
    const { reviews } = await client.reviews.list({ fiche_id: FICHE, status: 'unresponded' });
    const actions =
      what === 'a post'
        ? [post('Un'), post('Deux')]
        : reviews.map(({ review_id }) => action('reviews.reply', { review_id, fiche_id: FICHE, text: 'Un' }));
    const { operation, params } = actions[1] as Action;
    const byHand = () => {
      if (what === 'a post') return client.posts.create(params as never);
      return client.reviews.reply(String(params?.review_id), { fiche_id: FICHE, text: 'De la gérante' });
    };
    const wait = () => Promise.all([timer.wait(minutes * 60_000, undefined), byHand()]);
    let saves = 0;
    // The first action has been noted. The run waits for the limits of the key, and somebody else does the second one.
    const save: typeof journal.save = async (next, previous) => {
      if (++saves === 2 && before === 'before it') await wait();
      if (saves === 2 && before !== 'before it') api.fail({ operation, status: 429, headers: { 'retry-after': '0' } });
      return journal.save(next, previous);
    };
    const onProgress = ({ state }: { state: string }) => state === 'waiting' && wait();
    const options = { journal: { ...journal, save }, onProgress };
    const { steps, warnings } = (await run(actions.slice(0, 2), options)).result;
    expect([steps[1]?.problem?.code ?? steps[1]?.outcome, warnings]).toEqual([ended, []]);
  });

  it('answers a review once, although the plan has two replies to it', async () => {
    const { client, run, sent } = await stage();
    const plan = [reply, { ...reply, params: { ...reply.params, text: 'Merci beaucoup !' } }];
    const { actions } = await rehearsePlan(client, planOf(plan));
    const codes = [undefined, 'already_answered'];
    expect(actions.map(({ problems }) => problems[0]?.code)).toEqual(codes);
    const { steps } = (await run(plan, { keepGoing: true })).result;
    expect(steps.map(({ problem }) => problem?.code)).toEqual(codes);
    expect([sent('reviews.list').length, sent('reviews.reply').length]).toEqual([2, 2]);
  });

  it('carries out only the plan that was approved, and only at the location', async () => {
    const { client, run, sent } = await stage();
    const { hash } = await rehearsePlan(client, planOf([social]));
    for (const approved of ['', hash.toUpperCase(), (await rehearsePlan(client, planOf([post('Un')]))).hash]) {
      await expect(run([social], { approved })).rejects.toMatchObject({ code: 'plan_not_approved' });
    }
    expect((await run([social], { approved: hash })).result.state).toBe('done');
    const plan = planOf([action('posts.create', { content: 'Un', platforms: ['facebook'] })]);
    const [lyon, paris] = (await client.bulles.list()).map(({ id }) => client.forBulle(id));
    if (!lyon || !paris) throw new Error('the mock has two locations');
    const options = { journal: memoryJournal(), approved: (await rehearsePlan(lyon, plan)).hash };
    await expect(runPlan(paris, plan, options)).rejects.toMatchObject({ code: 'plan_not_approved' });
    expect((await runPlan(lyon, plan, options)).state).toBe('done');
    const isReal = ({ body }: { body: unknown }) => !JSON.stringify(body).includes('dry_run');
    expect(['social.publish', 'posts.create'].map((name) => sent(name).filter(isReal).length)).toEqual([1, 1]);
  });

  it.each<[string, Action, object]>([
    ['error', update, { error: 'ada@example.com' }],
    ['errors', deletion, { errors: [{ field: 'x' }] }],
    ['success', social, { success: false, message: 'ada@example.com' }],
    ['posted', reply, { posted: false }],
    ['status', post('Un'), { id: 9, status: 'error' }],
  ])('warns if a 2xx response says that the action failed, and never repeats it: %s', async (name, one, body) => {
    const { api, client, journal, run, read, sent } = await stage();
    api.fail({ operation: one.operation, status: 200, body });
    const { result, steps } = await run([one, post('Après')]);
    expect(result.state).toBe('done');
    const { warning } = steps[0] ?? {};
    expect(warning).toMatchObject({ code: 'failure_in_response', message: expect.stringContaining(`\`${name}`) });
    expect(warning?.message).not.toContain('ada@');
    expect(read().entries[0]).toMatchObject({ outcome: 'applied', made: { doubt: 'made' } });
    expect((await run([one, post('Après')])).result.state).toBe('done');
    const { actions } = await rehearsePlan(client, planOf([one]), { journal });
    if (one === social) expect(actions).toMatchObject([{ state: 'done', warnings: [{ code: 'failure_in_response' }] }]);
    expect(sent(one.operation)).toHaveLength(one.operation === 'posts.create' ? 2 : 1);
  });

  it.each([{ error: null, errors: [] }, { errors: {} }, { errors: { facebook: null } }])(
    'warns of nothing if a response has %j, or is the 404 of a deletion that has happened',
    async (more) => {
      const { api, run, read } = await stage();
      api.fail({ operation: update.operation, status: 200, body: { success: true, ...more } });
      api.fail({ operation: deletion.operation, ...lost });
      const first = await run([update, deletion]);
      const second = await run([update, deletion]);
      expect(second.steps).toMatchObject([{ outcome: 'applied' }]);
      for (const step of [first.steps[0], second.steps[0]]) expect(step).not.toHaveProperty('warning');
      for (const entry of read().entries) expect(entry.made).not.toHaveProperty('doubt');
    },
  );

  it.each<Action>([social, post('Un'), update, apply])(
    'stops if the service answers $operation with a preview, and never sends it again',
    async (one) => {
      const { api, client, journal, run, read, write, sent } = await stage();
      const plan = [one, action('articles.confirm', { article_id: 1 })];
      api.fail({ operation: one.operation, status: 200, body: { dry_run: true, would_post: 'x' } });
      const { result } = await run(plan);
      const unresolved = { outcome: 'unknown', error: { code: 'plan_unresolved', outcome: 'unknown' } };
      expect(result).toMatchObject({ state: 'stopped', steps: [unresolved, { outcome: 'not_applied' }] });
      expect(read().entries).toMatchObject([{ outcome: 'unknown', error: 'preview_received' }]);
      const { actions } = await rehearsePlan(client, planOf(plan), { journal });
      const problem = { code: 'plan_unresolved', message: expect.stringContaining('with a preview') };
      expect(actions[0]).toMatchObject({ state: 'refused', problems: [problem], warnings: [] });
      for (let round = 0; round < 2; round++) {
        expect((await run(plan)).result).toMatchObject({ state: 'stopped', steps: [unresolved, {}] });
      }
      expect(sent(one.operation)).toHaveLength(1);
      write((entry) => ({ ...entry, sent: undefined }));
      expect((await run(plan)).result.state).toBe('done');
      expect(sent(one.operation)).toHaveLength(2);
    },
  );

  it.each<[unknown, ClientOptions['validation']]>([
    ['<html>', 'throw'],
    [[], 'throw'],
    [[], 'warn'],
    [[], 'off'],
  ])('takes a 2xx %j for an unknown outcome (%s)', async (body, validation) => {
    const { api, run, read } = await stage({}, undefined, { validation, logLevel: 'off' });
    api.fail({ operation: 'social.publish', status: 200, body });
    const { result } = await run([social]);
    expect([result.state, ...outcomesOf(result)]).toEqual(['stopped', 'unknown']);
    if (validation === 'throw') expect(read().entries[0]).toMatchObject({ error: 'invalid_response' });
  });
});

describe('a run that is interrupted', () => {
  /** Runs a plan, and presses Ctrl-C at the first event of this type. */
  async function interrupted(
    actions: Action[],
    at: ClientEvent['type'],
    fault?: object,
    more: ClientOptions = { maxRetries: 3 },
  ) {
    const controller = new AbortController();
    const operation = actions[0]?.operation ?? '';
    const onEvent = (event: ClientEvent) => {
      if (event.operation === operation && event.type === at) controller.abort(new Error('Ctrl-C'));
    };
    const { api, journal, run, sent } = await stage({}, undefined, { ...more, onEvent });
    if (fault) api.fail({ operation, ...fault });
    const states: string[] = [];
    const onProgress = ({ state }: { state: string }) => void states.push(state);
    const { result } = await run(actions, { signal: controller.signal, onProgress });
    return { result, journal, states, requests: sent(operation).length };
  }
  const later = { status: 429, headers: { 'retry-after': '50' } };
  const down = { status: 503, headers: { 'retry-after': '3600' } };

  it.each<[string, Action, ClientEvent['type'], object, string]>([
    ['stops at once between two attempts, and knows that a 429 did nothing', social, 'retry', later, 'not_applied'],
    ['finishes the attempt that is on its way', social, 'request', { delay: 0 }, 'applied'],
    ['does not retry that attempt', social, 'request', later, 'not_applied'],
    ['is interrupted also if that attempt fails', social, 'request', down, 'unknown'],
    ['keeps an outcome open that an earlier attempt has left open', update, 'retry', lost, 'unknown'],
  ])('%s', async (_, one, event, fault, outcome) => {
    const { result, journal, requests } = await interrupted([one, post('Deux')], event, fault);
    expect([result.state, outcomesOf(result), requests]).toEqual(['stopped', [outcome, 'not_applied'], 1]);
    expect(firstIn((await journal.load()) ?? '')).toMatchObject({ outcome });
  });

  it('stops at once between two attempts also after that is noted', async () => {
    const { api, journal, run, sent } = await stage({}, undefined, { maxRetries: 3 });
    const controller = new AbortController();
    let saves = 0;
    const save: typeof journal.save = async (next, previous) => {
      if (++saves === 2) setTimeout(() => controller.abort(new Error('Ctrl-C')), 50);
      return journal.save(next, previous);
    };
    api.fail({ operation: 'social.publish', ...later });
    const { result } = await run([social], { signal: controller.signal, journal: { ...journal, save } });
    expect([result.state, outcomesOf(result), sent('social.publish').length]).toEqual(['stopped', ['not_applied'], 1]);
  });

  it('stops at once in the limiter', async () => {
    const limited = { rateLimit: { perMinute: 1 } };
    const { result, journal, states, requests } = await interrupted([social], 'wait', undefined, limited);
    const found = [...outcomesOf(result), await journal.load(), ...states, requests];
    expect(found).toEqual(['not_applied', null, 'waiting', 0]);
  });

  it('notes nothing of what the limiter refuses', async () => {
    const limited = { rateLimit: { perMinute: 1, maxWait: 0 } };
    const { journal, run } = await stage({ baseUrl: 'https://other.invalid' }, undefined, limited);
    const steps = [{ outcome: 'not_applied', error: { code: 'rate_limit' } }];
    expect((await run([social])).result).toMatchObject({ state: 'stopped', steps });
    expect(await journal.load()).toBe(null);
  });
});

const stored = (text: string) => (api: MockControl) => JSON.stringify(api.snapshot()).split(`"${text}"`).length - 1;
const withText = action('posts.create', { text: ' Un\n', platforms: ['gmb'], bulle_id: BULLE });

/** An action, how often it has happened in the mock, and how long after it the service may still be at work, in s. */
describe.each<[string, Action, (api: MockControl) => number, number]>([
  ['posts.create', post('Un'), (api) => posted(api, 'Un'), 240],
  ['posts.create with text', withText, (api) => posted(api, 'Un'), 240],
  ['articles.create', article(), (api) => api.articles.all().filter(({ title }) => title === 'Le seigle').length, 240],
  ['articles.publish', publication, (api) => Number(api.articles.get(8).status === 'published'), 240],
  ['reviews.reply', reply, stored('Merci !'), 240],
  ['reviews.reply at a fiche', { ...reply, params: { ...reply.params, fiche_id: FICHE } }, stored('Merci !'), 240],
  ['qrCodes.create', code, stored('Comptoir'), 90],
  ['seo.trackedKeywords.create', keyword, stored('pâtisserie'), 90],
  ['reports.create', report, stored('Bilan'), 240],
  // By its date.
  ['gmb.optimizer.audit', audit, () => 1, 180],
  ['seo.scan', scan, () => 1, 180],
])('%s that was lost', (_, one, count, seconds) => {
  const { operation } = one;

  it('is found, if it happened', async () => {
    const { api, run, read, sent } = await stage();
    api.fail({ operation, ...lost });
    expect((await run([one, social])).result.state).toBe('stopped');
    expect(read().entries[0]).toMatchObject({ outcome: 'unknown', error: 'connection' });
    expect((await run([one, social])).result.state).toBe('done');
    expect([sent(operation).length, sent('social.publish').length, count(api)]).toEqual([1, 1, 1]);
  });

  it('is sent again, if it did not happen, and not before the service is certainly done with it', async () => {
    const { api, run, read, write, sent, lastLook } = await stage();
    api.fail({ operation, ...unsent });
    await run([one]);
    const { service_time = '', service_end = '' } = read().entries[0]?.sent ?? {};
    expect(Date.parse(service_end) - Date.parse(service_time)).toBeLessThan(LEAVES_WITHIN);
    // As if the call had waited in the limiter for 100 s. What counts is when its response was lost.
    const end = new Date(Date.parse(service_end) + 100_000).toISOString();
    write((entry) => ({ ...entry, sent: { ...entry.sent, service_end: end } }));
    expect((await run([one])).result.state).toBe('done');
    // The client's own timeout, and a minute.
    expect(lastLook() - Date.parse(end)).toBeGreaterThanOrEqual(seconds * 1000);
    expect([sent(operation).length, count(api)]).toEqual([2, 1]);
  });
});

const lookup = action('seo.keywordLookup', { keyword: 'pain', bulle_id: BULLE });
const upload = action('images.upload', { url: 'https://example.com/a.jpg' });

it.each<Action>([social, apply, lookup, image, upload])(
  'what cannot be looked up $operation is reported and never sent again, and stops the run',
  async (one) => {
    for (const fault of [lost, unsent, { status: 503 }]) {
      const { api, run, read, write, sent } = await stage();
      const plan = [one, post('Après')];
      api.fail({ operation: one.operation, ...fault });
      expect((await run(plan)).result.state).toBe('stopped');
      const noted = read();
      for (let again = 0; again < 2; again++) {
        const { result } = await run(plan);
        expect(read()).toEqual({ ...noted, run: expect.anything() });
        expect(outcomesOf(result)).toEqual(['unknown', 'not_applied']);
        expect(result.steps[0]?.problem?.message).toContain('multilocal journal settle');
      }
      expect([sent(one.operation).length, sent('posts.create').length]).toEqual([1, 0]);
      write(({ sent, ...entry }) => ({ ...entry, made: { hash: sent?.hash, at: sent?.service_time } }));
      expect((await run(plan)).result.state).toBe('done');
      expect(sent(one.operation)).toHaveLength(1);
    }
  },
);

const category = action('articles.update', { article_id: 8, category: 'Pains' });

it.each<Action>([update, deletion, category, action('articles.confirm', { article_id: 1 })])(
  '$operation may be repeated: it is sent again without a lookup',
  async (one) => {
    for (const fault of [lost, unsent]) {
      const { api, run, sent } = await stage();
      api.fail({ operation: one.operation, ...fault });
      expect((await run([one])).result.state).toBe('stopped');
      expect((await run([one])).result).toMatchObject({ state: 'done', requests: 1 });
      expect(sent(one.operation)).toHaveLength(2);
    }
  },
);

describe('a lookup', () => {
  const at9 = { scheduled_at: AT };
  const link = 'Voir https://boutique.example';
  const short = 'Voir https://b.example';
  const pair = (name: string) => ({ platforms: ['facebook', name] });
  const add = (fields: object) => (stood: Stood) =>
    void stood.api.posts.add({ bulle_id: BULLE, platforms: ['facebook'], ...fields });
  const addArticle = (fields: object) => (stood: Stood) => void stood.api.articles.add({ bulle_id: BULLE, ...fields });

  it.each<[string, Action, (stood: Stood) => void]>([
    ['a post on other platforms', post('Pareil'), add({ content: 'Pareil', platforms: ['gmb'] })],
    ['a post at another time', post('Pareil', at9), add({ content: 'Pareil', scheduled_at: '2035-01-02T09:00:00Z' })],
    ['a post with a changed text', post(`${link}/n &amp; plus`), add({ content: `${short}/x & plus` })],
    ['one without seconds', post(link, { scheduled_at: '2035-01-01T09:00:30Z' }), add({ content: short, ...at9 })],
    ['one on a platform less', post(link, { platforms: ['facebook', 'instagram'] }), add({ content: short })],
    ['an article with another title and keyword', article(), addArticle({ title: 'Le blé', target_keyword: 'blé' })],
    ['an article with the same keyword', article(), addArticle({ title: 'Le blé', target_keyword: 'seigle' })],
    ['one on another second platform', post('Pareil', pair('gmb')), add({ content: 'Pareil', ...pair('instagram') })],
    ['one on no platform', post('Pareil'), add({ content: 'Autre', platforms: [] })],
    ['one a second later', post('Pareil', at9), add({ content: 'Pareil', scheduled_at: '2035-01-01T09:00:01Z' })],
  ])('leaves open whether the action made %s', async (_, one, others) => {
    const stood = await stage();
    stood.api.fail({ operation: one.operation, ...unsent });
    await stood.run([one]);
    others(stood);
    expect((await stood.run([one])).result.state).toBe('stopped');
    expect(stood.sent(one.operation)).toHaveLength(1);
  });

  const there = { bulle_id: 'bul_paris_batignolles' };
  it.each<[string, Action, (stood: Stood) => unknown]>([
    ['another text on another platform', post('Pareil'), add({ content: 'Autre', platforms: ['gmb'] })],
    ['the same post', post('Pareil'), add({ content: 'Pareil', ...there })],
    ['the same article', article(), addArticle({ title: 'Le seigle', target_keyword: 'seigle', ...there })],
    ['the same QR code', code, ({ client }) => client.qrCodes.create({ ...code.params, ...there } as never)],
    [
      'a keyword',
      keyword,
      ({ client: { seo } }) => seo.trackedKeywords.create({ ...keyword.params, ...there } as never),
    ],
    ['a scan', scan, ({ client }) => client.seo.scan(there)],
  ])('takes nothing of another place for the result: %s', async (_, one, others) => {
    const stood = await stage();
    stood.api.fail({ operation: one.operation, ...unsent });
    await stood.run([one]);
    const requests = stood.sent(one.operation).length;
    await others(stood);
    const before = stood.sent(one.operation).length;
    expect((await stood.run([one], { again: true })).result.state).toBe('done');
    expect([requests, stood.sent(one.operation).length - before]).toEqual([1, 1]);
  });

  it('reads ten pages of the reviews of the listing at most', async () => {
    const { api, run, sent } = await stage();
    for (let more = 0; more < 1_000; more++) api.reviews.add({ fiche_id: FICHE, rating: 5 });
    api.fail({ operation: reply.operation, ...lost });
    await run([reply]);
    const looks: string[] = [];
    const onProgress = ({ state }: { state: string }) => void looks.push(state);
    expect((await run([reply], { onProgress })).result.state).toBe('stopped');
    // Before the reply, then one page of each state, and in each look.
    expect(sent('reviews.list')).toHaveLength(10 + 2 + 10 * looks.length);
    expect(new Set(sent('reviews.list').map(({ query }) => query.fiche_id))).toEqual(new Set([FICHE]));
  });

  const publishing = action('posts.publish', { post_id: 131 });
  const laterArticle = action('articles.publish', { article_id: 8, ...at9 });
  const exact = post('Pareil', { scheduled_at: '2035-01-01T10:00:00.250+01:00' });
  const nothing = () => {};
  const cutName = ({ client }: Stood) =>
    client.qrCodes.create({ target_url: 'https://example.com', name: 'Compt', bulle_id: BULLE });
  const replied = ({ client }: Stood) => client.reviews.reply(`${reply.params?.review_id}`, { text: 'Une autre' });
  const onOne = ({ api }: Stood) => {
    const dates = { published_facebook: '2020-01-01T09:00:00Z', published_gmb: api.now().toISOString() };
    api.fail({ operation: 'posts.get', status: 200, body: postOf({ id: 131, ...dates }) });
  };
  const onItsWay = ({ api }: Stood) =>
    api.fail({ operation: 'posts.get', status: 200, body: postOf({ id: 131, status: 'publishing' }) });
  const own = post('Un', { ...at9, platforms: ['facebook', 'gmb'], scheduled_gmb: '2035-01-02T09:00:00Z' });
  it.each<[string, Action, object, (stood: Stood) => unknown, 'done' | 'stopped', number]>([
    ['leaves posts.publish open while the post is pending', publishing, unsent, nothing, 'stopped', 1],
    ['finds posts.publish when the post is online', publishing, lost, nothing, 'done', 1],
    ['finds posts.publish by the date of one platform', publishing, unsent, onOne, 'done', 1],
    ['finds posts.publish by the status', publishing, unsent, onItsWay, 'done', 1],
    ['finds a post with a moment for one platform', own, lost, nothing, 'done', 1],
    ['leaves a scheduled articles.publish open, which shows nowhere', laterArticle, lost, nothing, 'stopped', 1],
    ['finds a post by its instant, without fractions', exact, unsent, add({ content: 'Pareil', ...at9 }), 'done', 1],
    ['leaves a QR code open whose name the service has cut', code, unsent, cutName, 'stopped', 2],
    ['leaves a reply alone that somebody else has written since', reply, unsent, replied, 'stopped', 2],
  ])('%s', async (_, one, fault, meanwhile, state, requests) => {
    const stood = await stage();
    stood.api.fail({ operation: one.operation, ...fault });
    await stood.run([one]);
    await meanwhile(stood);
    expect((await stood.run([one])).result.state).toBe(state);
    expect(stood.sent(one.operation)).toHaveLength(requests);
  });

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
    api.fail({ operation: 'posts.create', ...unsent });
    await run(plan);
    expect((await run(plan)).result.state).toBe('done');
    expect([sent('posts.create').length, posted(api, 'Pareil')]).toEqual([3, 2]);
  });

  it('takes no post for the lost one that has one of its platforms, which the service names twice', async () => {
    const { api, client, run } = await stage();
    const plan = [post('Un', { platforms: ['facebook', 'gmb'], scheduled_at: AT })];
    api.fail({ operation: 'posts.create', ...unsent });
    await run(plan);
    const { id } = await client.posts.create({ ...post('Un', { scheduled_at: AT }).params } as never);
    const body = [{ ...(await client.posts.get(id)), platforms: ['facebook', 'facebook'], scheduled_gmb: AT }];
    api.fail({ operation: 'posts.list', status: 200, body, times: 9 });
    expect(outcomesOf((await run(plan)).result)).toEqual(['unknown']);
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
      expect([result.state, sent('posts.create').length, read().entries[0]?.outcome]).toEqual(['done', 1, 'applied']);
    },
  );

  it.each<[string, (at: (ms: number) => Date) => object, number?]>([
    ['GET /health without an offset', (at) => ({ timestamp: at(7_200_000).toISOString().slice(0, 19) })],
    ['a cached GET /health', (at) => ({ timestamp: at(-600_000).toISOString() })],
    ['a header Date that is ahead', (at) => ({ date: at(120_000).toUTCString() })],
    ['a service without a clock, where this machine is ahead', () => ({ date: '', status: 404 }), 7_200_000],
  ])('is never sent again because of %s', async (_, wrong, ahead) => {
    const { api, run, sent } = await stage({}, undefined, {}, ahead);
    const at = (ms: number) => new Date(api.now().getTime() + ms);
    const right = { timestamp: at(0).toISOString(), date: at(0).toUTCString(), status: 200 };
    const { timestamp, date, status } = { ...right, ...wrong(at) };
    const body = status === 404 ? '' : { status: 'ok', api_version: '2.0', timestamp };
    api.fail({ operation: 'posts.create', ...unsent });
    api.fail({ operation: 'health', status, body, headers: { date }, times: 9 });
    await run([post('Un')]);
    expect((await run([post('Un')])).result.state).toBe('stopped');
    expect(sent('posts.create')).toHaveLength(1);
  });

  /** What the service shows instead of a value that it stores. */
  type Change = (name: string, value: unknown) => unknown;
  const put =
    (field: string, instead: unknown): Change =>
    (name, value) =>
      name === field && value ? instead : value;
  const shown =
    (text: string, instead: unknown): Change =>
    (_, value) =>
      value === text ? instead : value;
  const both =
    (first: Change, second: Change): Change =>
    (name, value) =>
      second(name, first(name, value));
  const inNewYork: Change = (name, value) =>
    name === 'created_at' && value
      ? new Date(Date.parse(String(value)) - 5 * 3_600_000).toISOString().slice(0, 19)
      : value;
  const changed = (moment: string | null) => both(put('scheduled_facebook', moment), shown(link, short));
  it.each<[string, Action, Change]>([
    ['a post with a local date of creation', post('Un'), inNewYork],
    ['a post with another text and a local moment', post(link, at9), changed('2035-01-01T10:00:00')],
    ['a post with another text that is published already', post(link, at9), changed(null)],
    ['an article that is being published', publication, shown('published', 'publishing')],
    ['an article of a site, which is in no list', article({ site_id: 3 }), put('articles', [])],
    ['articles of sites, which are in no list', article({ site_ids: [3] }), put('articles', [])],
    ['articles of Wix sites, which are in no list', article({ wix_site_ids: [3] }), put('articles', [])],
    ['a reply with a new text, undated', reply, both(put('reply_date', null), shown('Merci !', 'Merci ! Le fournil'))],
    ['a report whose name is cut', report, shown('Bilan', 'Bil')],
    ['a report with an empty date', report, put('generated_at', null)],
    ['a report without a date', report, put('generated_at', undefined)],
    ['a keyword without accents', keyword, shown('pâtisserie', 'patisserie')],
    ['a scan without a date', scan, put('created_at', null)],
    ['an audit without a date', audit, put('scored_at', null)],
  ])('leaves open whether the action made %s', async (_, one, change) => {
    const { api, run, sent } = await stage({}, undefined, ({ handle }) => ({
      validation: 'off',
      fetch: async (input, init) => {
        const response = await handle(input, init);
        if (init?.method !== 'GET') return response;
        return Response.json(JSON.parse(await response.text(), change), response);
      },
    }));
    api.fail({ operation: one.operation, ...lost });
    await run([one]);
    expect((await run([one])).result.state).toBe('stopped');
    expect(sent(one.operation)).toHaveLength(1);
  });

  it.each<[string, object, object]>([
    ['seo.scan', { bulle_id: BULLE }, {}],
    ['gmb.optimizer.audit', { fiche_id: FICHE }, {}],
    ['reports.create', october, { date_end: '2026-10-15' }],
  ])('never takes the result of another action for its own: %s', async (operation, params, other) => {
    const plan = [action(operation, params), action(operation, { ...params, ...other })];
    const { api, run, sent } = await stage();
    api.fail({ operation, delay: 0 });
    api.fail({ operation, ...unsent });
    expect((await run(plan)).result.state).toBe('stopped');
    expect(outcomesOf((await run(plan)).result)).toEqual(['applied', 'unknown']);
    expect(sent(operation)).toHaveLength(2);
  });

  it.each<[string, object, object, string]>([
    ['is elsewhere', { bulle_id: BULLE }, { bulle_id: 'bul_paris_batignolles' }, 'applied'],
    ['names no location', {}, { bulle_id: BULLE }, 'unknown'],
    ['names the location that it leaves out', { bulle_id: BULLE }, {}, 'unknown'],
  ])('knows its result beside another action only if that one %s', async (_, first, second, outcome) => {
    const plan = [action('seo.scan', first), action('seo.scan', second)];
    const { api, run } = await stage({}, ({ keys }) => (outcome === 'applied' ? keys.sphere : keys.bulle));
    api.fail({ operation: 'seo.scan', delay: 0 });
    api.fail({ operation: 'seo.scan', ...lost });
    await run(plan);
    expect(outcomesOf((await run(plan)).result)).toEqual(['applied', outcome]);
  });

  it.each<[string, string, number, string]>([
    ['in the last 14 hours', 'T19:00:00', 10, 'stopped'],
    ['before', 'T19:00:00', 15, 'done'],
    ['before, with Z', 'T19:00:00Z', 1, 'done'],
    ['before, with an offset', 'T19:00:00.000000+00:00', 1, 'done'],
    ['before, with an offset in hours', 'T19:00:00+00', 1, 'done'],
    ['before, in lower case', 't19:00:00z', 1, 'done'],
    ['perhaps in the last 14 hours, by its day', '', 37, 'stopped'],
    ['before, by its day', '', 39, 'done'],
  ])('leaves open what a date of no zone may mean: a post that was made %s', async (_, time, hours, state) => {
    // The date of the post is 2026-11-20, and 19:00 if it has a time.
    const start = Date.parse(`2026-11-20${time.slice(0, 9) || 'T00:00:00'}Z`);
    const { api, run, sent } = await stage({ now: new Date(start + hours * 3_600_000) });
    api.fail({ operation: 'posts.create', ...unsent });
    await run([post('Un')]);
    const body = [postOf({ bulle_id: BULLE, content: 'Un', created_at: `2026-11-20${time}` })];
    api.fail({ operation: 'posts.list', status: 200, body, times: 99 });
    expect((await run([post('Un')], { again: true })).result.state).toBe(state);
    expect(sent('posts.create')).toHaveLength(state === 'done' ? 2 : 1);
  });

  it.each<[string, object]>([
    ['yesterday', { delay: 0 }],
    ['that was refused', { status: 422 }],
  ])('knows its result beside the same action %s', async (when, fault) => {
    const { api, run } = await stage();
    api.fail({ operation: 'seo.scan', ...fault });
    const scanOf = (key: string) => ({ ...scan, key });
    await run([scanOf('first')]);
    if (when === 'yesterday') api.advance(86_400_000);
    api.fail({ operation: 'seo.scan', ...lost });
    await run([scanOf('second')]);
    expect(outcomesOf((await run([scanOf('second')])).result)).toEqual(['applied']);
  });

  it.each(['done', 'stopped'] as const)(
    'counts the reports of two listings by the type of the order: %s',
    async (state) => {
      const { api, client, run, timer } = await stage();
      const fiche_ids = client.identity?.gmb_fiches.slice(0, 2).map(({ id }) => id);
      const params = { ...october, type: state === 'done' ? 'fiche' : 'combine', fiche_ids, report_name: 'Bilan' };
      const order = action('reports.create', params);
      api.fail({ operation: order.operation, ...lost });
      await run([order]);
      api.advance(1_000);
      // One report of both listings and another one of a colleague: nobody knows which of them is ours.
      if (state === 'stopped') await client.reports.create(params as never);
      await timer.wait(300_000, undefined);
      expect((await run([order])).result.state).toBe(state);
    },
  );

  it.each([
    [4, 1],
    [30, 1],
    [65, 2],
  ])(
    'takes a post whose date is %s s before the clock of the service for the lost one, or sends it: %i',
    async (seconds, times) => {
      const { api, run, sent } = await stage();
      api.posts.add({ content: 'Pareil', bulle_id: BULLE, platforms: ['facebook'] });
      api.advance(seconds * 1000);
      api.fail({ operation: 'posts.create', ...unsent });
      await run([post('Pareil')], { again: true });
      expect((await run([post('Pareil')], { again: true })).result.state).toBe('done');
      expect([sent('posts.create').length, posted(api, 'Pareil')]).toEqual([times, times]);
    },
  );

  it.each<[string, number, number]>([
    ['in the first run, GET /health came from a cache', 300_000, 0],
    ['the request left only after it had waited', 0, 25_000],
  ])('settles nothing right after a kill, although %s', async (_, age, wait) => {
    const stood = await stage();
    await killed(stood, code, { age, wait });
    const { api, run, lastLook } = stood;
    const sentAt = api.now().getTime();
    expect((await run([code])).result.state).toBe('done');
    // The timeout of the endpoint and a minute.
    expect(lastLook() - sentAt).toBeGreaterThanOrEqual(90_000);
  });

  it('of a killed run waits only once, also if the look is interrupted', async () => {
    const stood = await stage();
    await killed(stood, code, { age: 0, wait: 0 });
    const { api, timer, run, read, lastLook } = stood;
    const sentAt = api.now().getTime();
    const controller = new AbortController();
    const wait = async (ms: number) => {
      await timer.wait(ms, undefined);
      controller.abort();
      controller.signal.throwIfAborted();
    };
    const { result } = await run([code], { timer: { ...timer, wait }, signal: controller.signal });
    expect(outcomesOf(result)).toEqual(['unknown']);
    expect(read().entries).toMatchObject([{ outcome: 'started', sent: { service_end: expect.any(String) } }]);
    api.advance(200_000);
    await run([code]);
    expect(lastLook() - sentAt).toBeLessThan(215_000);
  });

  it('asks seldom for what does not show', async () => {
    const { api, run } = await stage();
    api.fail({ operation: 'posts.create', ...unsent });
    await run([post('Un')]);
    const states: string[] = [];
    await run([post('Un')], { onProgress: ({ state }) => states.push(state) });
    // After 0, 3, 9, 21, 45, 93 and 189 s, and a last time when the service has certainly finished.
    expect(states).toEqual([...Array(8).fill('looking'), 'sending']);
  });

  it('that is refused shows nothing', async () => {
    const { api, run, sent } = await stage();
    api.fail({ operation: 'posts.create', ...unsent });
    await run([post('Un')]);
    api.fail({ operation: 'posts.list', status: 403, times: 99 });
    expect(outcomesOf((await run([post('Un')], { again: true })).result)).toEqual(['unknown']);
    expect(sent('posts.create')).toHaveLength(1);
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
});
