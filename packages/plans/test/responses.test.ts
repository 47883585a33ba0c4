// What the response of a request says of what happened.
import type { MultilocalError } from 'multilocal';
import { expect, it } from 'vitest';
import { writes } from '../src/actions.js';
import { failureIn, idsOf, missedIn, missingIn, outcomeOf } from '../src/outcome.js';
import { asPost } from '../src/shown.js';

it.each<[unknown, string | undefined]>([
  [{ error: 'Refus' }, '`error`'],
  [{ success: true, errors: { gmb: null, facebook: ['x'] } }, '`errors`'],
  ...['success', 'ok', 'posted', 'queued', 'ran', 'generated', 'uploaded'].map((flag): [object, string] => [
    { error: '', [flag]: false },
    `\`${flag}: false\``,
  ]),
  [{ status: 'error' }, '`status: error`'],
  [{ status: 'pending', success: true, queued: 0, error: null, errors: { gmb: null, facebook: [] } }, undefined],
  [null, undefined],
])('%j names a failure: %s', (body, sign) => {
  expect(failureIn(body)).toBe(sign);
});

it.each<[unknown, string | undefined]>([
  [{ created: [], skipped: [{ site_id: 3, reason: 'already_exists' }, { site_id: 4 }] }, '`skipped` (already_exists)'],
  [{ skipped: [{ site_id: 3, reason: 'Écrivez à ada@x.test' }] }, '`skipped`'],
  [{ queued: true, queued_count: 1, batch_id: 'b' }, '`queued_count: 1` for 2 contacts'],
  [{ queued: true, queued_count: 2, skipped: [] }, undefined],
  [{ queued: true, skipped: null }, undefined],
])('%j names what did not happen: %s', (body, sign) => {
  expect(missedIn(body, { contacts: [{}, {}] })).toBe(sign);
});

it('needs an id of what was made', () => {
  const needing = writes.flatMap(({ operation }) => (missingIn(operation, []) ? operation : []));
  expect(needing).toEqual([
    ...['posts.create', 'social.publish', 'articles.create', 'reviews.reply', 'acquisition.requestReviews'],
    ...['qrCodes.create', 'reports.create', 'images.upload', 'images.generate'],
  ]);
  expect(missingIn('posts.create', [])).toBe('no id of what was made');
  expect(missingIn('posts.create', [1])).toBeUndefined();
});

it.each(['id', 'post_id', 'article_id', 'report_id', 'batch_id', 'review_id'])('`%s` is an id', (name) => {
  expect([idsOf({ ok: true, [name]: 7 }), idsOf({ [name]: 'a?b' })]).toEqual([[7], ['a?b']]);
});

it('shows a publication like a post', () => {
  const [own, shown] = [{ gmb: 'x' }, { scheduled_gmb: 'x', published_gmb: 'x', error_gmb: 'x' }];
  const publication = { post_id: 'soc_1', platforms: ['gmb'], scheduled: own, published: own, errors: own };
  expect(asPost(publication as never)).toMatchObject({ id: 'soc_1', ...shown });
});

it.each<[unknown, (string | number)[]]>([
  [{ image_url: 'https://x.test/a.png?key=secret\n&more#b' }, ['https://x.test/a.png']],
  [{ batch_id: 'of ada@x.test' }, ['of [masked]']],
  [{ created: [{ article_id: 1 }, { article_id: 2 }, {}], id: 3 }, [1, 2]],
  [{ id: null, other: 1 }, []],
  [null, []],
])('%j has the ids %j', (result, ids) => {
  expect(idsOf(result)).toEqual(ids);
});

it.each<[string, object, string, boolean, string]>([
  ['a refusal', { outcome: 'not_applied' }, 'POST', false, 'not_applied'],
  ['a lost response', { outcome: 'unknown' }, 'POST', false, 'unknown'],
  ['an object of another shape', { outcome: 'applied', body: {} }, 'POST', false, 'applied'],
  ['a list, as of a proxy', { outcome: 'applied', body: [{}] }, 'POST', false, 'unknown'],
  ['a page, as of a proxy', { outcome: 'applied', body: '<html>' }, 'POST', false, 'unknown'],
  ['nothing', { outcome: 'applied', body: null }, 'POST', false, 'unknown'],
  ['a deletion of what is gone', { outcome: 'not_applied', code: 'not_found' }, 'DELETE', false, 'not_applied'],
  ['the same once more', { outcome: 'not_applied', code: 'not_found' }, 'DELETE', true, 'applied'],
  ['another refusal once more', { outcome: 'not_applied', code: 'conflict' }, 'DELETE', true, 'not_applied'],
  ['a change of what is gone', { outcome: 'not_applied', code: 'not_found' }, 'PATCH', true, 'not_applied'],
])('%s', (_, error, method, isRepeated, outcome) => {
  expect(outcomeOf(error as MultilocalError, { method } as never, isRepeated)).toBe(outcome);
});
