import { describe, expect, it, vi } from 'vitest';
import { canonical, sha256 } from '../src/hash.js';
import { memoryJournal, runPlan, settleAction } from '../src/index.js';
import { type Entry, parseJournal, printJournal } from '../src/journal-content.js';
import { sentences } from '../src/sentences.js';
import type { Action } from './helpers.js';
import { FICHE, firstIn, killed, outcomesOf, planOf, post, social, stage, stageOnDisk } from './helpers.js';
import { followsFor, NOW, recordedIn, rowsOf, sidesOf } from './sides.js';

describe('an action that a person settles', () => {
  it.each(['applied', 'not_applied'] as const)('is %s from then on', async (outcome) => {
    const { api, journal, run, read, sent } = await stage();
    const plan = [{ ...social, key: 'info' }];
    api.fail({ operation: 'social.publish', network: true });
    await run(plan);
    const { message } = (await run(plan)).result.steps[0]?.problem ?? {};
    expect(message).toMatch(/Look in the service after \d{4}-.*UTC\), then .*`npx multilocal journal settle info /);
    await settleAction(journal, 'info', outcome, { ...(outcome === 'applied' && { ids: ['soc_9'] }), by: 'Lea' });
    expect(read().entries).toMatchObject([{ outcome, settled_by: 'Lea', at: expect.any(String) }]);
    const { result } = await run(plan);
    expect(result.state).toBe('done');
    expect(sent('social.publish')).toHaveLength(outcome === 'applied' ? 1 : 2);
    if (outcome === 'applied') expect(result.steps[0]?.ids).toEqual(['soc_9']);
  });

  it.each([
    ['noel/bul_lyon', 'noel/bul_lyon'],
    ['l’été "$(id)" !', `'l’été "$(id)" !'`],
    ["l'eau `x`\n\\", "$'l\\U00000027eau \\U00000060x\\U00000060\\U0000000a\\U0000005c'"],
    ['--help', '-- --help'],
  ])('has a command that a shell reads as it is: %j', (key, word) => {
    const [said] = sentences.plan_unresolved({ operation: 'posts.create', key, why: 'unclear' });
    expect(said).toContain(`\`npx multilocal journal settle ${word} applied|not_applied\``);
  });

  it('must not be in the hands of a run', async () => {
    const { journal, run } = await stageOnDisk();
    await run([{ ...social, key: 'info' }]);
    await expect(settleAction(journal, 'inf', 'applied')).rejects.toThrow('is not in the journal (number of keys: 1).');
    const release = await journal.hold?.();
    await expect(settleAction(journal, 'info', 'applied')).rejects.toMatchObject({ code: 'journal_locked' });
    await release?.();
  });
});

it.each<[object, string]>([
  [{ ids: [Number.NaN] }, '`ids[0]` must be an id; received NaN.'],
  [{ ids: [{}] }, '`ids[0]` must be an id; received an object.'],
  [{ ids: [''] }, '`ids[0]` must have 1 or more characters.'],
  [{ ids: [0] }, '`ids[0]` must be an integer; received a number.'],
  [{ ids: 7 }, '`ids` must be an array; received a number.'],
  [{ by: 7 }, '`by` must be a string; received a number.'],
  [{ id: [7] }, '`id` is an unknown option. Did you mean `ids`?'],
])('what a person settles by mistake is refused before the journal is written: %j', async (options, message) => {
  const journal = memoryJournal();
  const refusal = { code: 'invalid_request', message: `settleAction: ${message}` };
  await expect(settleAction(journal, 'info', 'applied', options as never)).rejects.toMatchObject(refusal);
  expect(await journal.load()).toBe(null);
});

/** A journal with the entries that words describe. */
async function journalOf(words: string) {
  const journal = memoryJournal();
  const head = { version: 2, service: 'https://x.test', sphere_id: 's', bulle_id: null } as const;
  await journal.save(printJournal({ ...head, entries: Object.fromEntries(recordedIn(words)) }), null);
  return journal;
}

// What is recorded | what is said, with ids | what is then wanted | there | what follows, or why it is refused.
it.each(
  rowsOf(`
  happened: a lost post                    | a lost             | applied 1      | a         | 1 | nothing
  happened, and it is corrected            | a lost             | applied 1      | a Deux    | 1 | update 1: content
  happened, and it is left over            | a lost             | applied 1      | b Deux 10:00 | 1 | create; a: refuse left_over
  happened, without the id that corrects   | a lost             | applied        | a         | 1 | must have the id
  happened, with the id of another key     | a lost; b#1        | applied 1      | a         | 1 | \`ids\` has an id that belongs to the key b
  happened, with the id of an article      | a lost; b#1 article | applied 1     | a         | 1 | nothing
  happened: a publication, without an id   | a lost social      | applied        | a social  |   | nothing
  happened: an article, without its id     | a lost article     | applied        | a article |   | must have the id
  happened: a lost retry                   | a#1 fg lost f      | applied 2      | a fg      | 1 fg failed:f online:g; 2 | nothing
  happened: a lost retry, without its id   | a#1 fg lost f      | applied        | a fg      | 1 fg failed:f online:g; 2 | must have the id
  happened: a lost correction              | a#1 lost:update Deux | applied      | a Deux    | 1 Deux | nothing
  happened: a correction, without a moment | a#1 undated made:-30 lost:update undated Deux | applied | a undated Deux | 1 404 | free → create
  happened: a lost deletion                | a#1 lost:delete    | applied        | a         |   | create
  happened: a lost deletion of one of two  | a#1,2 lost:delete  | applied        | a         | 2 | nothing
  happened: what was answered with a preview | a previewed      | applied 1      | a         | 1 | nothing
  happened, although it is confirmed       | a#1                | applied 2      | a         | 1 | as the service has said
  happened, although it was refused        | a                  | applied 1      | a         | 1 | \`key\` did not happen
  happened, although a person has denied it | a settled         | applied 1      | a         | 1 | take the action out of the plan
  happened: what is gone now               | a#1 fg gone online:f | applied      | a fg      | 1 404 | nothing
  happened: gone, and its key was changed  | a#1 -60 gone       | applied        | b -60     | 1 404 | refuse already_online
  happened: a doubtful response            | a#1 doubtful       | applied        | a         | 1 | nothing
  happened: a change without a trace       | a#1 doubtful:changed | applied      | a         | 1 | nothing
  happened, of another post                | a#1,2 doubtful:changed | applied 3  | a         | 1 | is not that of what was made (1, 2)
  happened, and is corrected: another post | a#1 lost:update Deux | applied 3    | a Deux    | 1 Deux | is not that of what was made (1)
  happened, and is deleted: one of two     | a#1,2 lost:delete  | applied 1      | a         | 2 | nothing
  happened, and is gone: another post      | a#1 fg gone online:f | applied 3    | a fg      | 1 404 | is not that of what was made (1)
  did not happen, with an id               | a lost             | not_applied 1  | a         |   | \`ids\` belongs to \`applied\`
  did not happen: a change without a trace | a#1 doubtful:changed | not_applied  | a         | 1 | update 1: content, scheduled_at
  happened, and the id was another one     | a#1 settled        | applied 2      | a         | 2 | nothing
  did not happen: a lost post              | a lost             | not_applied    | a         |   | create
  did not happen: a lost retry             | a#1 fg lost f      | not_applied    | a fg      | 1 fg failed:f online:g | refuse failed
  did not happen: a lost correction        | a#1 lost:update Deux | not_applied  | a Deux    | 1 | update 1: content
  did not happen: a lost deletion          | a#1 lost:delete    | not_applied    | a         | 1 | nothing
  did not happen: what is gone             | a#1 -60 gone       | not_applied    | a -60     | 1 404 | create
  did not happen: gone, and seen online    | a#1 fg gone online:f | not_applied  | a fg      | 1 404 | create on gmb
  did not happen: a doubtful response      | a# social doubtful | not_applied    | a social  |   | create
  did not happen, although it is confirmed | a#1                | not_applied    | a         | 1 | as the service has said
  did not happen, after all                | a#1 settled        | not_applied    | a         |   | create
  did not happen, while it is on its way   | a busy             | not_applied    | a         |   | may still be sending
`),
)('a person says that it: %s', async (_, [words = '', said = '', wanted = '', there = '', expected = '']) => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const journal = await journalOf(words);
  const before = await journal.load();
  const [outcome, ...ids] = said.split(' ');
  const settling = settleAction(journal, 'a', outcome as 'applied', ids[0] ? { ids: ids.map(Number) } : {});
  const refusal: unknown = await settling.catch(({ message }: Error) => message);
  if (refusal !== undefined) {
    expect(refusal).toMatch(/^(settleAction: |A run may)/);
    return expect([refusal, await journal.load()]).toEqual([expect.stringContaining(expected), before]);
  }
  const { entries } = parseJournal(String(await journal.load()));
  const { step, left } = followsFor({ ...sidesOf(wanted, '', there), recorded: new Map(Object.entries(entries)) });
  expect([step, left].filter(Boolean).join('; ')).toBe(expected);
});

describe('requests for reviews that were lost', () => {
  const contacts = [
    { customer_name: 'Ada', channel: 'email', customer_email: 'ada@example.com' },
    { customer_name: 'Bob', channel: 'sms', customer_phone: '0612345678' },
    { customer_name: 'Cid', channel: 'sms', customer_phone: '0712345678' },
  ];
  const ask = { operation: 'acquisition.requestReviews', params: { contacts, fiche_id: FICHE } };

  it.each([
    ['happened', { network: true, applied: true }, 1],
    ['did not happen', { network: true }, 2],
  ])('are found by the counts of the channels if they %s', async (_, fault, times) => {
    const { api, run, sent, read } = await stage();
    api.fail({ operation: ask.operation, ...fault });
    expect((await run([ask])).result.state).toBe('stopped');
    expect(JSON.stringify(read())).not.toMatch(/ada@|0612345678|Ada|Bob/);
    expect((await run([ask])).result.state).toBe('done');
    expect(sent(ask.operation)).toHaveLength(times);
  });

  const before = { sms: 4, email: 3 };
  it.each([
    ['may be those of 30 days', before, 7, 7, 'unknown', 1],
    ['are of all time', before, 7, 5, 'applied', 2],
    ['are of 30 days, but not their sum', before, 9, 7, 'applied', 2],
    ['are of all time, by their channels', before, 5, 6, 'applied', 2],
    ['were lower than the contacts', { sms: 0, email: 3 }, 3, 3, 'applied', 2],
    ['grew by channel, but not their sum', before, 7, 5, 'applied', 1, { sms: 6, email: 4 }],
  ])('are sent again only if the counts prove that nobody was asked: they %s', async (...row) => {
    const [, by_channel, total_requests, last_30_days, outcome, times, then = by_channel] = row;
    const { api, run, sent } = await stage();
    const stats = { fiche_id: FICHE, total_requests, by_channel, by_status: {}, last_30_days };
    api.fail({ operation: 'acquisition.stats', status: 200, body: stats, times: 1 });
    api.fail({ operation: 'acquisition.stats', status: 200, body: { ...stats, by_channel: then }, times: 99 });
    api.fail({ operation: ask.operation, network: true });
    await run([ask]);
    expect((await run([ask])).result.steps).toMatchObject([{ outcome }]);
    expect(sent(ask.operation)).toHaveLength(times);
  });

  it('leave no hash of a contact that could be guessed within seconds', async () => {
    const { run, read } = await stage();
    await run([ask]);
    const params = { fiche_id: FICHE, contacts };
    const text = JSON.stringify(read());
    for (const guess of [canonical(params), canonical(contacts)])
      for (const plain of [guess, `${ask.operation}\n${guess}`]) expect(text).not.toContain(sha256(plain));
  });

  it('are sent although the counts are refused, and stay unknown if they are lost', async () => {
    const { api, run, sent } = await stage();
    api.fail({ operation: 'acquisition.stats', status: 403 });
    api.fail({ operation: ask.operation, network: true });
    for (let round = 0; round < 2; round++) expect(outcomesOf((await run([ask])).result)).toEqual(['unknown']);
    expect(sent(ask.operation)).toHaveLength(1);
  });

  it('stay unknown if the counts have grown by another number', async () => {
    const { api, client, run, sent } = await stage();
    api.fail({ operation: ask.operation, network: true });
    await run([ask]);
    await client.acquisition.requestReviews({ contacts: contacts.slice(0, 1) as never, fiche_id: FICHE });
    const { result } = await run([ask]);
    expect(result.steps).toMatchObject([{ outcome: 'unknown', problem: { code: 'plan_unresolved' } }]);
    expect(sent(ask.operation)).toHaveLength(2);
  });
});

describe('a run beside one that may still live', () => {
  const update = { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } };

  const days = (count: number) => count * 86_400_000;
  it.each([
    ['just now', 0, 'journal_locked'],
    ['yesterday', days(-1), undefined],
    ['in a future that no clock knows', days(2), undefined],
  ])('keeps an action from being run and settled that was begun %s', async (_, shift, code) => {
    const stood = await stage();
    const plan = [{ ...social, key: 'info' }] as const;
    await killed(stood, plan[0], { age: 0, wait: 0 });
    const { journal, run, read, write, timer, sent } = stood;
    const moved = (date: string) => new Date(Date.parse(date) + shift).toISOString();
    const shifted = ({ begun_at = '', sent, ...entry }: Entry) => {
      const { service_time = '', service_end = '' } = sent ?? {};
      const times = { service_time: moved(service_time), service_end: moved(service_end) };
      return { ...entry, begun_at: moved(begun_at), sent: { ...sent, ...times, isLost: undefined } };
    };
    write(shifted);
    const codeOf = (work: Promise<unknown>) => work.then(() => {}).catch(({ code }) => code);
    expect(await codeOf(run(plan))).toBe(code);
    expect(read().entries).toMatchObject([{ outcome: code === undefined ? 'unknown' : 'started' }]);
    write((entry) => ({ ...entry, sent: { ...entry.sent, isLost: undefined } }));
    expect(await codeOf(settleAction(journal, 'info', 'not_applied'))).toBe(code);
    if (code === undefined) return;
    await timer.wait(600_000, undefined);
    expect(outcomesOf((await run(plan)).result)).toEqual(['unknown']);
    expect(read().entries).toMatchObject([{ outcome: 'unknown' }]);
    expect(sent('social.publish')).toEqual([]);
  });

  it('does not wait again for what was lost ten minutes ago', async () => {
    const stood = await stage();
    await killed(stood, post('Un'), { age: 0, wait: 0 });
    const { timer, run, api } = stood;
    await timer.wait(600_000, undefined);
    const states: string[] = [];
    await run([post('Un')], { onProgress: ({ index, state }) => states.push(`${index} ${state}`) });
    expect(states).toEqual(['0 looking', '0 sending']);
    expect(api.posts.all().filter(({ content }) => content === 'Un')).toHaveLength(1);
  });

  it.each<[string, Action, number[], string]>([
    ['leaves nothing open after a 429', social, [429], 'not_applied'],
    ['leaves open what an attempt before the 429 has left open', update, [503, 429], 'started'],
  ])('%s if it is killed while it waits', async (_, action, statuses, outcome) => {
    const { api, client, timer, sent } = await stage({}, undefined, { maxRetries: 3 });
    const journal = memoryJournal();
    for (const status of statuses) {
      const seconds = status === 429 ? '20' : '0';
      api.fail({ operation: action.operation, status, headers: { 'retry-after': seconds } });
    }
    const entry = await new Promise((resolve) => {
      const onProgress = async ({ state }: { state: string }) => {
        if (state !== 'waiting' || sent(action.operation).length < statuses.length) return;
        await new Promise((tick) => setTimeout(tick, 20));
        resolve(firstIn((await journal.load()) ?? ''));
      };
      void runPlan(client, planOf([action]), { journal, timer, onProgress }).catch(() => {});
    });
    expect(entry).toMatchObject({ outcome });
    expect(sent(action.operation)).toHaveLength(statuses.length);
  });
});
