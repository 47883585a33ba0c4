import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitlabReport, Journal, rehearsePlan, runPlan, Wire } from '../../../src/cli/plan/index.js';
import type { Entry } from '../../../src/cli/plan/journal-file.js';
import type { ClientEvent } from '../../../src/index.js';
import { BULLE, FICHE, planOf, post, social, stage } from './helpers.js';

const REVIEW = `${FICHE}/reviews/AbFvOqkR4Zt7cWmPx0`;

const ada = { customer_name: 'Ada', channel: 'email', customer_email: 'ada@example.com' };
const bob = { customer_name: 'Bob', channel: 'sms', customer_phone: '0612345678' };

describe('a rehearsal', () => {
  it('says what would happen, and changes nothing', async () => {
    const { api, client, file } = await stage();
    const before = api.snapshot();
    const plan = planOf(
      [
        post('La brioche', { scheduled_at: '2035-01-01T09:00:00Z' }),
        social,
        { operation: 'articles.publish', params: { article_id: 8 } },
        { operation: 'reviews.reply', params: { review_id: REVIEW, text: 'Merci !' } },
        { operation: 'acquisition.requestReviews', params: { contacts: [ada, bob], fiche_id: FICHE } },
        { operation: 'posts.delete', params: { post_id: 14 } },
        { operation: 'articles.create', params: { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE } },
      ],
      file,
    );
    const verdicts = await rehearsePlan(client, plan);
    expect(api.snapshot()).toEqual(before);
    expect(verdicts.map(({ line, state, summary }) => `${line} ${state}: ${summary}`)).toEqual([
      `3 ready: Would schedule a post on facebook (bulle_id ${BULLE}).`,
      `14 ready: Would publish a text on facebook (bulle_id ${BULLE}).`,
      '24 ready: Would publish the article (article_id 8).',
      `30 ready: Would reply to the review, for everybody to see (review_id ${REVIEW}).`,
      `37 ready: Would ask 2 customers for a review (fiche_id ${FICHE}).`,
      '55 no_preview: Would delete the post (post_id 14).',
      `61 no_preview: Would order 1 article (bulle_id ${BULLE}).`,
    ]);
    expect(verdicts.flatMap(({ costs }) => costs)).toEqual([
      { quota: 'social publications', uses: 1, left: 60 },
      { quota: 'SMS', uses: 1, left: 50 },
      { quota: 'e-mails', uses: 1, left: 200 },
      { quota: 'articles', uses: 1 },
    ]);
    expect(verdicts[0]?.details).toEqual(['be online at: facebook 2035-01-01T09:00:00.000000+00:00']);
    expect(verdicts[3]?.details).toEqual(['reply: Merci !']);
    expect(verdicts[4]?.details).toEqual(['queue: 2']);
    expect(JSON.stringify(verdicts)).not.toMatch(/ada@|0612345678/);
  });

  it('reads connections and limits once, and asks for the identity only if it is unknown', async () => {
    const { watch, client, file } = await stage();
    const requests = watch();
    await rehearsePlan(client, planOf([post('Un'), post('Deux'), post('Trois')], file));
    expect(requests()).toEqual([
      'connections.list',
      'platforms.limits',
      'posts.create',
      'posts.create',
      'posts.create',
    ]);
  });

  it('reports each refusal on its line and rehearses the rest', async () => {
    const { api, client, file } = await stage();
    const plan = planOf(
      [
        { operation: 'posts.create', params: { content: 'Un', platforms: ['facebook'] } },
        post('Deux', { bulle_id: 'bul_nowhere' }),
        { ...social, params: { ...social.params, platforms: ['snapchat'] } },
        { operation: 'articles.publish', params: { article_id: 999_999 } },
        post('x'.repeat(4000), { platforms: ['instagram'] }),
        social,
      ],
      file,
    );
    const verdicts = await rehearsePlan(client, plan);
    expect(verdicts.map(({ state, problems }) => [state, problems.map(({ code, line }) => `${code} ${line}`)])).toEqual(
      [
        ['refused', ['missing_bulle_id 3']],
        ['refused', ['bulle_not_found 19']],
        ['refused', ['platform_not_connected 26']],
        ['refused', ['not_found 32']],
        ['refused', ['text_too_long 41']],
        ['ready', []],
      ],
    );
    expect(api.posts.all().filter(({ content }) => content === 'Un')).toEqual([]);
  });

  it('says of a refused action what cannot happen', async () => {
    const { client, file } = await stage({ quotas: { social: 1 } });
    const plan = planOf([post('Deux', { bulle_id: 'bul_nowhere' }), social, social], file);
    expect((await rehearsePlan(client, plan)).map(({ summary }) => summary)).toEqual([
      'Cannot schedule a post on facebook (bulle_id bul_nowhere).',
      `Would publish a text on facebook (bulle_id ${BULLE}).`,
      `Cannot publish a text on facebook (bulle_id ${BULLE}).`,
    ]);
  });

  it('looks up ids that are strings, too', async () => {
    const { watch, client, file } = await stage();
    const requests = watch();
    const plan = planOf(
      [
        { operation: 'posts.delete', params: { post_id: '999999' } },
        { operation: 'articles.update', params: { article_id: '999999', category: 'Pains' } },
        { operation: 'posts.delete', params: { post_id: '14' } },
      ],
      file,
    );
    const verdicts = await rehearsePlan(client, plan);
    expect(verdicts.map(({ state }) => state)).toEqual(['refused', 'refused', 'no_preview']);
    expect(requests()).toEqual(['posts.get', 'articles.get', 'posts.get']);
  });

  it('names the flags and commands of the command line, not the options of the client', async () => {
    const { api, client, file } = await stage();
    const reply = { operation: 'reviews.reply', params: { review_id: REVIEW, text: 'Merci !' } };
    api.fail({ operation: 'social.publish', status: 404, body: { detail: 'Not Found' } });
    api.fail({ operation: 'reviews.reply', status: 400, body: { detail: 'Précisez `fiche_id`' } });
    const plan = planOf(
      [{ operation: 'posts.create', params: { content: 'Un', platforms: ['facebook'] } }, social, reply],
      file,
    );
    const messages = (await rehearsePlan(client, plan)).map(({ problems }) => problems[0]?.message);
    expect(messages).toEqual([
      expect.stringContaining('(see `npx multilocal call bulles.list`)'),
      expect.stringContaining('check the address'),
      expect.stringContaining('(see `npx multilocal whoami`)'),
    ]);
  });

  it('checks the permissions of all actions, also those without a preview', async () => {
    const { watch, client, file } = await stage({}, ({ keys }) => keys.readOnly);
    const requests = watch();
    const plan = planOf([social, { operation: 'posts.delete', params: { post_id: 14 } }], file);
    const verdicts = await rehearsePlan(client, plan);
    expect(verdicts.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
      ['missing_permission'],
      ['missing_permission'],
    ]);
    expect(requests()).toEqual([]);
  });

  it('finds that the actions together need more than is left', async () => {
    const { client, file } = await stage({ quotas: { social: 2 } });
    const verdicts = await rehearsePlan(client, planOf([social, social, social], file));
    expect(verdicts.map(({ state }) => state)).toEqual(['ready', 'ready', 'refused']);
    expect(verdicts[2]?.problems).toMatchObject([
      {
        code: 'quota_exceeded',
        message: 'The actions up to this one need 3 social publications, and 2 are left this month.',
      },
    ]);
    expect(verdicts[1]?.hints).toEqual(['Line 3 has the same action. Both would happen.']);
  });

  it('reports a quota that is used up', async () => {
    const { client, file } = await stage({ quotas: { social: 0 } });
    const [verdict] = await rehearsePlan(client, planOf([social], file));
    expect(verdict?.problems.map(({ code }) => code)).toEqual(['quota_exceeded']);
  });

  it.each([
    [{ status: 401 }, 'authentication'],
    [{ status: 429 }, 'rate_limit'],
    [{ status: 503 }, 'service_unavailable'],
    [{ network: true }, 'connection'],
  ])('ends with an error of the whole: %o', async (fault, code) => {
    const { api, client, file, sent } = await stage();
    api.fail({ operation: 'social.publish', ...fault });
    await expect(rehearsePlan(client, planOf([social, social], file))).rejects.toMatchObject({ code });
    expect(sent('social.publish')).toHaveLength(1);
  });

  it('refuses a plan with problems before anything is sent', async () => {
    const { watch, client, file } = await stage();
    const requests = watch();
    const failure = rehearsePlan(client, planOf([social, post('')], file));
    await expect(failure).rejects.toMatchObject({ code: 'plan_invalid', problems: [{ line: 16 }] });
    expect(requests()).toEqual([]);
  });

  it('rehearses only what is left', async () => {
    const { api, watch, client, file, owner, run } = await stage();
    api.fail({ operation: 'social.publish', network: true, applied: true });
    await run([post('Un'), social]);
    const requests = watch();
    const plan = planOf([post('Un'), social, { operation: 'posts.delete', params: { post_id: 14 } }], file);
    const journal = await Journal.read(plan, owner());
    const verdicts = await rehearsePlan(client, plan, { journal });
    expect(verdicts.map(({ state }) => state)).toEqual(['done', 'open', 'no_preview']);
    // The deletion has no preview, so its post is read.
    expect(requests()).toEqual(['posts.get']);
  });

  it.each([
    '0612345678',
    '06 12 34 56 78',
    '06 12 34 56 78 99',
    '+33 6 12 34 56 78',
    '0033612345678',
    'ADA@Example.com',
  ])('shows no contact of the plan in a warning: %s', async (contact) => {
    const { api, client, file } = await stage();
    const body = { dry_run: true, would_queue: 2, would_warn: [`Opted out: ${contact}.`] };
    api.fail({ operation: 'acquisition.requestReviews', status: 200, body });
    const ask = { operation: 'acquisition.requestReviews', params: { contacts: [ada, bob], fiche_id: FICHE } };
    const [verdict] = await rehearsePlan(client, planOf([ask], file));
    expect(verdict?.hints).toEqual([expect.stringMatching(/^Opted out: \[(masked|redacted)\]/)]);
    expect(verdict?.hints.join()).not.toMatch(/\d{2}|example/i);
  });

  it('lets a deletion pass that may have happened', async () => {
    const { api, client, file, owner, run } = await stage();
    const deletion = { operation: 'posts.delete', params: { post_id: 14 } };
    api.fail({ operation: 'posts.delete', network: true, applied: true });
    await run([deletion]);
    const plan = planOf([deletion], file);
    const [verdict] = await rehearsePlan(client, plan, { journal: await Journal.read(plan, owner()) });
    expect(verdict).toMatchObject({ state: 'no_preview', problems: [] });
  });

  const executed = { status: 200, body: { post_id: 'soc_1', status: 'publishing', platforms: [] } };

  it('notes such an action also without a run, so that no later run repeats it', async () => {
    const { api, client, file, owner, run, sent } = await stage();
    const plan = planOf([social, social], file);
    api.fail({ operation: 'social.publish', ...executed });
    const rehearse = async () => rehearsePlan(client, plan, { journal: await Journal.read(plan, owner()) });
    await expect(rehearse()).rejects.toMatchObject({ code: 'dry_run_not_honored' });
    expect(existsSync(`${file}.journal.lock`)).toBe(false);
    expect((await rehearse()).map(({ state }) => state)).toEqual(['done', 'ready']);
    const before = sent('social.publish').length;
    expect((await run([social, social])).result.state).toBe('done');
    expect(sent('social.publish')).toHaveLength(before + 1);
  });

  it.each<[string, object, object]>([
    ['a 502', { status: 502 }, { outcome: 'unknown' }],
    ['a lost answer', { network: true }, { outcome: 'unknown', error: 'connection' }],
    ['a page instead of JSON', { status: 200, body: '<html>' }, { outcome: 'unknown' }],
  ])('notes an action whose dry run ended with %s, and sends nothing for it again', async (_, fault, entry) => {
    const { api, client, file, owner, run, read, sent } = await stage({}, undefined, { maxRetries: 2 });
    const plan = planOf([social], file);
    api.fail({ operation: 'social.publish', ...fault, times: 9 });
    const failure = rehearsePlan(client, plan, { journal: await Journal.read(plan, owner()) });
    await expect(failure).rejects.toMatchObject({ operation: 'social.publish' });
    expect(sent('social.publish')).toHaveLength(1);
    expect(read().entries).toMatchObject([entry]);
    expect((await run([social])).result.state).toBe('unresolved');
    expect(sent('social.publish')).toHaveLength(1);
  });

  it.each<[string, Wire | undefined]>([
    ['with', new Wire()],
    ['without', undefined],
  ])('notes such an action also if it is interrupted before the answer, %s events', async (_, wire) => {
    const controller = new AbortController();
    const onEvent = (event: ClientEvent) => {
      wire?.onEvent(event);
      const isSent = event.type === 'request' && event.operation === 'social.publish';
      if (isSent) setTimeout(() => controller.abort(new Error('Ctrl-C')));
    };
    const { api, client, file, owner, run, sent } = await stage({}, undefined, { onEvent });
    const plan = planOf([social], file);
    api.fail({ operation: 'social.publish', ...executed, delay: 50 });
    const journal = await Journal.read(plan, owner());
    await expect(rehearsePlan(client, plan, { journal, wire, signal: controller.signal })).rejects.toThrow();
    expect(sent('social.publish')).toHaveLength(1);
    await run([social]);
    expect(sent('social.publish')).toHaveLength(1);
  });

  it('notes the time by every clock, which it reads once', async () => {
    const { api, client, file, owner, read, sent } = await stage();
    const plan = planOf([social, post('Un')], file);
    api.advance(600_000);
    await rehearsePlan(client, plan, { journal: await Journal.read(plan, owner()) });
    expect(sent('health')).toHaveLength(1);
    api.fail({ operation: 'social.publish', network: true });
    const { client: other } = await stage({}, () => api.keys.sphere, { fetch: api.handle });
    const rehearsal = rehearsePlan(other, plan, { journal: await Journal.read(plan, owner()) });
    await expect(rehearsal).rejects.toMatchObject({ code: 'connection' });
    // The clock of this machine is 10 minutes behind that of the service.
    const [{ service_time, service_end = '' }] = read().entries as [Entry];
    expect(Date.parse(service_end)).toBeGreaterThanOrEqual(api.now().getTime() - 1_000);
    expect(Date.parse(service_time)).toBeLessThanOrEqual(Date.now());
  });

  it('notes no contact that the service repeats', async () => {
    const { api, client, file, owner, read } = await stage();
    const ask = { operation: 'acquisition.requestReviews', params: { contacts: [bob], fiche_id: FICHE } };
    const plan = planOf([ask], file);
    api.fail({ operation: ask.operation, status: 200, body: { batch_id: 'batch-06 12 34 56 78', queued_count: 1 } });
    const rehearsal = rehearsePlan(client, plan, { journal: await Journal.read(plan, owner()) });
    await expect(rehearsal).rejects.toMatchObject({ code: 'dry_run_not_honored' });
    expect(read().entries[0]?.ids).toEqual(['batch-[redacted]']);
  });

  it.each(['06 12 34 56 78', '+33612345678', 'ADA@Example.com'])(
    'shows no contact that a refusal repeats: %s',
    async (contact) => {
      const { api, client, file, owner, timer } = await stage();
      const ask = { operation: 'acquisition.requestReviews', params: { contacts: [ada, bob], fiche_id: FICHE } };
      const plan = planOf([ask], file);
      api.fail({ operation: ask.operation, status: 422, body: { detail: `No such contact: ${contact}` }, times: 2 });
      const verdicts = await rehearsePlan(client, plan);
      const problems = verdicts.flatMap((verdict) => verdict.problems);
      const journal = await Journal.open(plan, owner());
      const { steps, error } = await runPlan(client, plan, journal, { timer });
      await journal.close();
      const messages = steps.map(({ message }) => message);
      const seen = [JSON.stringify(verdicts), gitlabReport(file, problems, dirname(file)), ...messages, String(error)];
      for (const text of seen) {
        expect(text).toContain('No such contact');
        expect(text).not.toMatch(/345?.?678|example/i);
      }
    },
  );

  it('ends after the preview that is on its way if it is interrupted, and leaves no journal', async () => {
    const controller = new AbortController();
    const onEvent = ({ type, operation }: ClientEvent) => {
      if (type === 'request' && operation === 'social.publish') controller.abort(new Error('Ctrl-C'));
    };
    const { client, file, owner, sent } = await stage({}, undefined, { onEvent });
    const plan = planOf([social, post('Deux')], file);
    const journal = await Journal.read(plan, owner());
    await expect(rehearsePlan(client, plan, { journal, signal: controller.signal })).rejects.toThrow('Ctrl-C');
    expect([sent('social.publish').length, sent('posts.create').length]).toEqual([1, 0]);
    expect(readdirSync(dirname(file))).toEqual(['plan.json']);
  });

  it('ends at once while a preview waits for its turn, and leaves no journal', async () => {
    const controller = new AbortController();
    const wire = new Wire();
    const onEvent = (event: ClientEvent) => {
      wire.onEvent(event);
      if (event.type === 'retry') controller.abort(new Error('Ctrl-C'));
    };
    const { api, client, file, owner } = await stage({}, undefined, { onEvent, maxRetries: 3 });
    api.fail({ operation: 'social.publish', status: 429, headers: { 'retry-after': '50' } });
    const plan = planOf([social], file);
    const journal = await Journal.read(plan, owner());
    await expect(rehearsePlan(client, plan, { journal, wire, signal: controller.signal })).rejects.toThrow('Ctrl-C');
    expect(readdirSync(dirname(file))).toEqual(['plan.json']);
  });

  it.each([true, false])(
    'has a preview in the journal while it is on its way, and not after: --run %s',
    async (isRun) => {
      const seen: string[][] = [];
      let isRehearsal = false;
      const onEvent = ({ type, method }: ClientEvent) => {
        if (!isRehearsal || type !== 'request' || method !== 'POST') return;
        seen.push(stood.read().entries.map(({ operation, outcome }) => `${operation} ${outcome}`));
      };
      const stood = await stage({}, undefined, { onEvent });
      const { api, client, file, owner, run } = stood;
      api.fail({ operation: 'social.publish', status: 422 });
      await run([social]);
      isRehearsal = true;
      const before = readFileSync(`${file}.journal.json`, 'utf8');
      const plan = planOf([social, social, post('Un')], file);
      const journal = await (isRun ? Journal.open : Journal.read)(plan, owner());
      expect((await rehearsePlan(client, plan, { journal })).map(({ state }) => state)).toEqual(Array(3).fill('ready'));
      await journal.close();
      expect(seen).toEqual([
        ['social.publish started'],
        ['social.publish not_applied'],
        ['social.publish not_applied', 'posts.create started'],
      ]);
      expect(readFileSync(`${file}.journal.json`, 'utf8')).toBe(before);
    },
  );

  it('needs no journal in a folder that cannot be written', async () => {
    const { client, file, owner } = await stage();
    const plan = planOf([social], file);
    const journal = await Journal.read(plan, owner());
    symlinkSync(join(dirname(file), 'nowhere'), `${file}.journal.lock`);
    expect(await rehearsePlan(client, plan, { journal })).toMatchObject([{ state: 'ready' }]);
  });

  it('sends no preview of an action that another run has carried out meanwhile', async () => {
    const { client, file, owner, run, sent } = await stage();
    const plan = planOf([social], file);
    const journal = await Journal.read(plan, owner());
    await run([social]);
    await expect(rehearsePlan(client, plan, { journal })).rejects.toMatchObject({ code: 'journal_locked' });
    expect(sent('social.publish')).toHaveLength(1);
  });

  it('notes nothing if the service has shown that it honours the dry run', async () => {
    const { api, client, file, owner, sent } = await stage({}, undefined, { maxRetries: 0 });
    const plan = planOf([social], file);
    const journal = await Journal.read(plan, owner());
    await rehearsePlan(client, plan, { journal });
    api.fail({ operation: 'social.publish', status: 502 });
    await expect(rehearsePlan(client, plan, { journal })).rejects.toMatchObject({ outcome: 'not_applied' });
    expect(existsSync(`${file}.journal.json`)).toBe(false);
    expect(sent('social.publish')).toHaveLength(2);
  });

  it('sends no preview that may be executed while another run holds the lock', async () => {
    const { client, file, owner, sent } = await stage();
    const plan = planOf([social], file);
    const journal = await Journal.read(plan, owner());
    const other = await Journal.open(plan, owner());
    const failure = rehearsePlan(client, plan, { journal });
    await expect(failure).rejects.toMatchObject({ code: 'journal_locked', outcome: 'not_applied' });
    expect(sent('social.publish')).toEqual([]);
    await other.close();
  });

  it('says so if the journal cannot note such an action', async () => {
    const { api, client, file, owner } = await stage();
    const plan = planOf([social], file);
    api.fail({ operation: 'social.publish', ...executed });
    const journal = await Journal.read(plan, owner());
    symlinkSync(join(dirname(file), 'nowhere'), `${file}.journal.lock`);
    const failure = rehearsePlan(client, plan, { journal });
    await expect(failure).rejects.toMatchObject({ code: 'journal_unusable', outcome: 'applied' });
    await expect(failure).rejects.toThrow('The journal cannot note it');
  });

  it('notes an action that the service has executed instead of previewing it', async () => {
    const { api, client, file, owner, timer, sent } = await stage();
    const plan = planOf([social, post('Deux')], file);
    api.fail({
      operation: 'social.publish',
      status: 200,
      body: { post_id: 'soc_1', status: 'publishing', platforms: [] },
    });
    const journal = await Journal.open(plan, owner());
    await expect(rehearsePlan(client, plan, { journal })).rejects.toMatchObject({ code: 'dry_run_not_honored' });
    expect(journal.entryOf(plan.actions[0] as never)).toMatchObject({ outcome: 'applied', ids: ['soc_1'] });
    await runPlan(client, plan, journal, { timer });
    await journal.close();
    expect(sent('social.publish')).toHaveLength(1);
  });
});
