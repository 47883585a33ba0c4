// cspell:disable the sentences in French
// Every sentence of the engine has its pair in French, which says the same values.
import { expect, it } from 'vitest';
import { problemOf, sentenceOf } from '../src/problems.js';
import { fieldInWords, remarks } from '../src/remarks.js';
import type { sentences } from '../src/sentences.js';

const [ids, key] = [[1001, 1002], 'noel/lyon'];
const account = { platform: 'gmb', place: 'Lyon', said: 'gmb: the account Fournils' };

/** The values of each problem, for each of its sentences. */
const values: {
  readonly [Code in keyof typeof sentences]: readonly (Parameters<typeof problemOf<Code>>[1] & { of?: string })[];
} = {
  already_answered: [{ text: 'Ouvert' }, { action: 3 }],
  already_done: [
    { operation: 'posts.create' },
    { operation: 'posts.create', target: 'b', isOther: true, isOpen: true },
  ],
  already_online: (['key', 'other key', 'everywhere', 'left over', 'meanwhile'] as const).map((where) => ({
    ids,
    where,
    key,
  })),
  bulle_not_found: [{ operation: 'posts.create' }],
  changed_by_hand: [
    {
      id: 1001,
      changes: [
        { field: 'content', there: 'Ouvert', wanted: 'Fermé' },
        { field: 'scheduled_at', there: '09:00', wanted: '10:00', platform: 'gmb' },
        { field: 'scheduled_at', there: '09:00', platform: 'gmb' },
        { field: 'platforms', there: 'Google', wanted: 'Facebook' },
        { field: 'image_url', there: '' },
        { field: 'content', there: 'Ouvert', wanted: null },
      ],
    },
  ],
  doubtful_address: [{ name: 'image_url' }],
  doubtful_contact: [{ channel: 'sms' }, { channel: 'email' }],
  expired: [account],
  failed: [
    { ids, on: [{ platform: 'gmb', error: 'Jeton expiré.' }] },
    { ids, on: [{ platform: 'facebook' }], isFinal: true },
  ],
  failure_in_response: [{}, { sign: '`error`' }],
  in_the_past: [{ name: 'scheduled_at' }],
  keeps_old_text: [{}],
  key_of_another_plan: [{ plan: 'noel', operation: 'posts.create', ids, at: '09:00' }],
  left_over: [{ ids }, { ids, is: 'several' }, { ids, is: 'social' }, { ids, of: 'noel/lyon' }],
  made_before: [{ key, at: '09:00' }],
  mass_deletion: [{ ids }],
  may_be_online: [
    { ids, online: [] },
    { ids, online: ['gmb'], key },
  ],
  media_too_large: [account],
  needs_reconnect: [account, { ...account, end: '09:00', isBefore: true }, { ...account, end: '09:00' }],
  no_effect: [{ name: 'scheduled_gmb', platform: 'gmb' }],
  not_connected: [account],
  plan_unresolved: [
    { operation: 'posts.create', why: 'answered', key: 'noel/bul_lyon', after: '09:00' },
    { operation: 'posts.create', why: 'unclear', key: 'Noël à Lyon' },
  ],
  not_previewed: [{}],
  quota_exceeded: [{ needs: 7, name: 'social publications', left: 3 }],
  repeated_contact: [{}],
  review_not_seen: [{}],
  same_account: [
    { platform: 'gmb', action: 3 },
    { platform: 'gmb', id: 1001 },
    { platform: 'gmb', id: 1001, isSame: true },
  ],
  same_action: [{ action: 3 }],
  text_too_long: [account],
  too_few_images: [account],
  too_many_images: [account],
  twin: [{ ids, platform: 'gmb' }, { ids }, { ids, plan: 'noel' }, { ids, key }, { ids, on: 'gmb' }],
  unknown_outcome: [{}, { key }, { other: 'noel/lyon' }, { id: 1001 }],
};

/** What must be the same in both languages: numbers, times, codes and what the values say. */
const data = (text: string) => (text.match(/`[^`]+`|\d[\d:]*|noel\/lyon|Lyon|Jeton expiré|Ouvert|Fermé/g) ?? []).sort();

it.each(Object.keys(values) as (keyof typeof values)[])('says %s in both languages', async (code) => {
  for (const own of values[code]) {
    const problem = problemOf(code, own as never);
    const french = sentenceOf(problem, 'fr') ?? '';
    expect(french).not.toBe(problem.message);
    expect(`${problem.message}${french}`).not.toMatch(/undefined|\[object|NaN/);
    // The sign of a response and the sentence of the client are named only in English.
    if (!('sign' in own) && !('said' in own)) expect(data(french)).toEqual(data(problem.message));
  }
});

it('says an error of the client in no language of its own', () => {
  expect(sentenceOf({ code: 'not_found' }, 'fr')).toBeUndefined();
  expect(sentenceOf({ code: 'toString', values: {} }, 'fr')).toBeUndefined();
});

it('says the same words in both languages as before', async () => {
  const { leftOver, corrects, ...others } = remarks;
  const said = Object.values(others).map((remark) =>
    (remark as (...words: string[]) => readonly string[])('a', 'b', 'c', 'd'),
  );
  const fields = 'be_online_at be_named contact create publish publish_on replace schedule fail_on use_slug'.split(' ');
  said.push(...fields.map((name) => fieldInWords(`would_${name}`, 'a')));
  said.push(corrects('update', 'a', ['content', 'scheduled_gmb', 'other'], 'b'), remarks.from('platforms', 'a'));
  said.push(remarks.moved('noel/lyon', undefined));
  const steps = (['refuse', 'delete', 'adopt', 'keep'] as const).map((step) => leftOver(step, 'noel/lyon'));
  expect([...said, ...steps].filter(([en, fr]) => !fr || en === fr)).toEqual([]);
  const problems = Object.entries(values).flatMap(([code, all]) =>
    all.map((own) => {
      const problem = problemOf(code as never, own as never);
      return [problem.message, sentenceOf(problem, 'fr')];
    }),
  );
  const all = [...problems, ...said, ...steps].map((both) => `${both.join('\n')}\n`);
  await expect(all.join('\n')).toMatchFileSnapshot('./snapshots/both-languages.txt');
});
