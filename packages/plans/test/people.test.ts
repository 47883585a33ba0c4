// The words in which plans speak to people.

import type { Params } from '@multilocal/client/core/endpoint';
import { PLATFORMS } from '@multilocal/client/core/types';
import { describe, expect, it } from 'vitest';
import { type Action, readActions } from '../src/actions.js';
import { describeWhole, detailsOf, quotaOf, warningsOf, withoutContacts } from '../src/describe.js';
import { impliedMoment, operationsOf, unlistedPreviews } from '../src/operations.js';
import { PlanWarnings } from '../src/warnings.js';
import { localMoment, platformName } from '../src/words.js';
import { BULLE, FICHE, planOf, post, social } from './helpers.js';

const ada = { customer_name: 'Ada', channel: 'email', customer_email: 'ada@example.com' };
const bob = { customer_name: 'Bob', channel: 'sms', customer_phone: '0612345678' };
const ask = (...contacts: object[]) => ({
  operation: 'acquisition.requestReviews',
  params: { contacts, fiche_id: FICHE },
});
const contactOf = (address: string) =>
  address.includes('@')
    ? { customer_name: 'Ada', channel: 'email', customer_email: address }
    : { customer_name: 'Ada', channel: 'sms', customer_phone: address };
const read = (action: object) => readActions(planOf([action as never])).actions[0] as Action;

it('names platforms as they name themselves', () => {
  const names = ['Facebook', 'Instagram', 'Google', 'LinkedIn', 'Pinterest', 'TikTok', 'Snapchat', 'YouTube'];
  expect([...PLATFORMS, 'constructor'].map(platformName)).toEqual([...names, 'Constructor']);
});

it('an operation says when it happens, what it calls, and whether its preview is only a general rule', () => {
  const { params } = post('Un');
  // The date of a platform that the post is not for says nothing.
  const others = ['facebook', 'gmb'].map((name) => ({ [`scheduled_${name}`]: '2035-01-01T09:00:00Z' }));
  const given = [{}, { publish_now: true }, ...others];
  const implied = given.map((more) => impliedMoment({ operation: 'posts.create', params: { ...params, ...more } }));
  expect([...implied, impliedMoment(social as never)]).toEqual([
    ...['in one hour', 'at once', undefined, 'in one hour', 'at once'],
  ]);
  const calls = (['adopt', 'replace', 'update', 'retry'] as const).map((kind) =>
    operationsOf('posts.create', kind).join(),
  );
  expect(calls).toEqual(['', 'posts.delete,posts.create', 'posts.update', 'posts.create']);
  expect(unlistedPreviews).toEqual(['posts.create', 'posts.publish', 'social.publish']);
});

it.each([
  ['2026-12-01T09:00:00+01:00', '2026-12-24 09:30 (UTC+1)'],
  ['2026-12-01T09:00:00+01:00[Europe/Paris]', '2026-12-24 09:30 (UTC+1)'],
  ['2026-12-01T09:00:00+10:00', '2026-12-24 18:30 (UTC+10)'],
  ['2026-12-01T09:00:00+05:45', '2026-12-24 14:15 (UTC+05:45)'],
  ['2026-12-01T09:00:00-09:30', '2026-12-23 23:00 (UTC-09:30)'],
  ['2026-12-01T09:00:00+00:00', '2026-12-24 08:30 (UTC)'],
  ['2026-12-01T09:00:00Z', '2026-12-24 08:30 (UTC)'],
  [undefined, '2026-12-24 08:30 (UTC)'],
])('a moment is shown at the offset of %s', (like, shown) => {
  expect(localMoment(new Date('2026-12-24T08:30:00Z'), like)).toBe(shown);
});

it.each([
  ['+33 6 12 34 56 78', '[masked]'],
  ['Appeler le +33 (0)6.12-34-56-78.', 'Appeler le [masked].'],
  ['ada@x.test, bob@x.test', '[masked] [masked]'],
  ['2026-12-01 09:00 (UTC+1), +1 234, 25 + 1234567', '2026-12-01 09:00 (UTC+1), +1 234, 25 + 1234567'],
])('masks contacts in what the service says, and nothing else: %s', (said, shown) => {
  expect(withoutContacts(said)).toBe(shown);
});

describe('a summary', () => {
  const texts = { facebook: 'Ouvert\nlundi', gmb: 'Fermé', other: { a: true, b: 1 } };
  const media = { image_urls: ['https://x.test/a.jpg', 'https://x.test/b.jpg'], video_url: 'https://x.test/@c.mp4' };
  const uri = `data:image/png;base64,${'A'.repeat(4_000)}`;
  const asked = ask(
    { ...ada, customer_name: 'Léa de MARTIN', custom_message: 'Merci Léa Martin de +33 6 12 34 56 78' },
    { ...bob, customer_name: 'bob', custom_message: 'Merci Bob' },
    { ...bob, customer_name: 'Ana', custom_message: 'Merci Ana, au 06.12.34.56.78' },
    { ...bob, customer_name: 'Éva', custom_message: 'Merci E\u0301va' },
    ada,
  );
  const order = { title: 'Le pain', target_keyword: 'pain', bulle_id: BULLE, generate_image: true, category: null };
  const changes = [{ field: 'phone', value: '+33 4 78 00 00 00' }];
  const report = { type: 'fiche', fiche_ids: [FICHE], date_start: '2026-10-01', date_end: '2026-10-31' };
  const plain = { scheduled_gmb: '2035-01-01T09:00:00Z', scheduled_at: '2035-01-01T10:00:00Z', publish_now: false };

  it.each<[string, object, string[], string[]?]>([
    ['nothing else of a post with a text', post('Un', plain), []],
    ['nothing else of a reply', { operation: 'reviews.reply', params: { review_id: 'a', text: 'Un' } }, []],
    [
      'the texts of platforms',
      post('Un', { content_per_platform: texts }),
      ['facebook: Ouvert\nlundi', 'gmb: Fermé', 'other: a true, b 1'].map((text) => `content_per_platform.${text}`),
      ['texte Facebook : Ouvert\nlundi', 'texte Google : Fermé', 'texte Other : a true, b 1'],
    ],
    [
      'media',
      post('Un', media),
      [...media.image_urls.map((url) => `image_urls: ${url}`), `video_url: ${media.video_url}`],
      [...media.image_urls.map((url) => `images : ${url}`), `vidéo : ${media.video_url}`],
    ],
    ['a file by its type and size', post('Un', { image_url: uri }), ['image_url: image/png (3 kB)']],
    [
      'messages once, without contacts',
      asked,
      ['Merci [masked] [masked] de [redacted]', 'Merci [masked]', 'Merci [masked], au [redacted]'].map(
        (message) => `custom_message: ${message}`,
      ),
    ],
    [
      'new values',
      { operation: 'gmb.optimizer.apply', params: { changes } },
      [`changes: field phone, value ${changes[0]?.value}`],
    ],
    [
      'what an article is about',
      { operation: 'articles.create', params: order },
      ['title: Le pain', 'target_keyword: pain', 'generate_image: true', 'category: nothing'],
      ['titre : Le pain', 'mot-clé : pain', 'generate_image : true', 'catégorie : rien'],
    ],
    [
      'where a code leads',
      { operation: 'qrCodes.create', params: { name: 'Été', target_url: 'https://x.test/' } },
      ['name: Été', 'target_url: https://x.test/'],
    ],
    [
      'the days of a report',
      { operation: 'reports.create', params: report },
      ['type: fiche', 'date_start: 2026-10-01', 'date_end: 2026-10-31'],
    ],
    [
      'a keyword',
      { operation: 'seo.keywordLookup', params: { keyword: 'pain' } },
      ['keyword: pain'],
      ['mot-clé : pain'],
    ],
    ['a prompt', { operation: 'images.generate', params: { prompt: 'Pain' } }, ['prompt: Pain']],
  ])('shows %s', (_, action, english, french) => {
    const { operation, params } = read(action);
    const texts = [params.content ?? params.text].filter(Boolean);
    const said = (locale: 'en' | 'fr') => describeWhole(read(action), false, {}, locale).slice(1);
    expect(said('en'), operation).toEqual([...texts, ...english]);
    if (french) expect(said('fr')).toEqual([...texts, ...french]);
  });

  it('has the moments of its platforms', () => {
    const [sentence] = describeWhole(read(post('Un', plain)), false, {}, 'en');
    expect(sentence).toContain(' for 2035-01-01T10:00:00Z.');
  });
});

describe('a preview', () => {
  const written = { platforms: ['facebook', 'gmb'], scheduled_at: '2035-01-01T10:00:00+01:00' };
  const online = { facebook: '2035-01-01T09:00:00Z', gmb: null, instagram: '2035-01-02 09:00:00' };
  const shown = 'would be online at: Facebook 2035-01-01 10:00 (UTC+1), instagram 2035-01-02 10:00 (UTC+1)';

  it.each<[string, object, Params, string[]]>([
    ['nothing of its text', post('Ouvert'), { would_post: 'Ouvert' }, []],
    ['nothing of a reply', social, { would_reply: 'Ouvert' }, []],
    ['nothing else than it would do', social, { dry_run: true, name: 'Lyon', may_would_: 1 }, []],
    ['no warning, which is told apart', social, { would_warn: ['Bientôt'] }, []],
    ['nothing that is yes, no or nothing', social, { would_publish: true, would_use: null, would_fail_on: [] }, []],
    ['a number', social, { would_check_keywords: 0 }, ['would check keywords: 0']],
    ['a list', social, { would_cover: ['Lyon', null, 'Paris', 7] }, ['would cover: Lyon, Paris, 7']],
    ['a day', social, { would_end: '2035-01-01' }, ['would end: 2035-01-01']],
    ['a text on one line', social, { would_use: `le\n${'x'.repeat(90)}` }, [`would use: le ${'x'.repeat(76)}…`]],
    ['moments on the clocks of the action', post('Ouvert', written), { would_be_online_at: online }, [shown]],
    ['a contact masked', social, { would_use: 'ada@x.test' }, ['would use: [masked]']],
    ['of contacts only their number', ask(ada), { would_queue: 1, would_contact: ['Ada'] }, ['would queue: 1']],
  ])('shows %s', (_, action, preview, details) => {
    expect(detailsOf(read(action), preview, 'en')).toEqual(details);
  });

  it.each<[unknown, string, ...string[]]>([
    [['La connexion est à renouveler.', 'Reconnectez le compte.', 'Accès expiré'], 'needs_reconnect'],
    [['Date passée', 'Date passee', 'It is in the past.'], 'in_the_past'],
    [['Passez nous voir', 'Accès expiré'], 'in_the_past', 'Passez nous voir', 'Accès expiré'],
    [['Date passée', 'Accès expiré'], 'twin', 'Date passée', 'Accès expiré'],
    [[7, null, 'Écrire à ada@x.test'], 'twin', 'Écrire à [masked]'],
    ['Date passée', 'twin', 'Date passée'],
    [undefined, 'twin'],
  ])('warns of %j as far as %s does not say it', (would_warn, code, ...messages) => {
    const expected = messages.map((message) => ({ code: 'preview_warning', message, path: ['actions', 0] }));
    expect(warningsOf(read(social), { would_warn }, [{ code, message: '', path: [] }])).toEqual(expected);
  });

  const params = { title: 'Le pain', target_keyword: 'pain', bulle_id: 'b' };
  const article = { operation: 'articles.create', params };
  it.each<[string, object, unknown, object?]>([
    ['what is left', social, { remaining: 3 }, { name: 'social publications', uses: 1, left: 3 }],
    ['a limit and its use', social, { limit: 60, used: 57 }, { name: 'social publications', uses: 1, left: 3 }],
    ['only a limit', social, { limit: 60 }, { name: 'social publications', uses: 1 }],
    ['only a use', social, { used: 57 }, { name: 'social publications', uses: 1 }],
    ['scans', { operation: 'seo.scan' }, undefined, { name: 'SEO scans', uses: 1 }],
    ['articles', article, { remaining: 2 }, { name: 'articles', uses: 1, left: 2 }],
    ['mails', ask(ada, ada), { email: { remaining: 2 }, remaining: 9 }, { name: 'e-mails', uses: 2, left: 2 }],
    ['text messages', ask(bob), { sms: { remaining: 2 } }, { name: 'SMS', uses: 1, left: 2 }],
    ['a post, which uses none', post('Ouvert'), { remaining: 3 }],
  ])('says what is used of a quota: %s', (_, action, quota, used) => {
    expect(quotaOf(read(action), quota)).toEqual(used ? { quota: [used] } : {});
  });
});

describe('a plan itself shows', () => {
  const NOW = Date.parse('2026-11-22T09:00:00Z');
  const at = (time: string, more: object = {}) => post(time, { scheduled_at: `2026-11-22T${time}Z`, ...more });
  const past = (name = 'scheduled_at') =>
    `in_the_past params.${name} \`${name}\` is in the past. The service may publish at once.`;
  const near = (number: number) =>
    `same_account params.platforms Facebook: action ${number} publishes on the same account within an hour.`;
  const same = (number: number) => `same_action  Action ${number} of the plan is the same. Both would happen.`;
  const late = { scheduled_gmb: '2026-11-22T08:00:00Z' };
  const both = { platforms: ['facebook', 'gmb'] };
  const idle = (name: string) =>
    `no_effect params.${name} \`${name}\` may have no effect: \`platforms\` does not have gmb.`;
  const file = (name: string, index = '') =>
    `doubtful_address params.${name}${index} \`${name}\` must be an address that begins with https://. The service cannot read a file of this machine.`;
  const texts = { content_per_platform: { gmb: 'Ouvert', facebook: 'Fermé' } };
  const unknownShape = { content_per_platform: { default: 'Fermé' } };
  const data = 'data:image/png;base64,AAAA';
  const media = {
    image_url: 'C:\\Users\\a\\photo.jpg',
    image_urls: ['HTTP://x.test/a.jpg', data, 'photo.jpg'],
    video_url: 'ftp://x.test',
  };
  const update = { operation: 'posts.update', params: { post_id: 1, scheduled_at: '2026-11-22T10:00:00Z' } };
  const publication = { ...social, params: { ...social.params, scheduled_at: '2026-11-22T10:00:00Z' } };

  it.each<[string, object[], string[][]]>([
    ['a moment in the past', [at('08:59:59'), at('11:00:00')], [[past()], []]],
    ['the very moment, which is not', [at('09:00:00')], [[]]],
    ['only the platform that is late', [at('09:30:00', { ...late, ...both })], [[past('scheduled_gmb')]]],
    [
      'what is of no platform of the post',
      [post('Un', { ...late, ...texts })],
      [[idle('scheduled_gmb'), idle('content_per_platform.gmb')]],
    ],
    ['texts of an unknown shape', [post('Un', unknownShape)], [[]]],
    ['what is of its platforms', [at('10:00:00', { ...texts, ...both })], [[]]],
    [
      'media that are no addresses',
      [post('Un', media)],
      [[file('image_url'), file('image_urls', '.2'), file('video_url')]],
    ],
    ['an image that is a file of a page', [post('Un', { image_url: data })], [[]]],
    ['the same action', [social, social, post('Un'), social], [[], [same(1)], [], [same(1)]]],
    ['posts that follow too soon', [at('10:00:00'), at('10:59:59')], [[], [near(1)]]],
    ['posts that precede too soon', [at('10:59:59'), at('10:00:00')], [[], [near(1)]]],
    ['posts with an hour between them', [at('10:00:00'), at('11:00:00')], [[], []]],
    ['the post that is near', [at('10:00:00'), at('12:00:00'), at('12:30:00')], [[], [], [near(2)]]],
    ['posts of two locations', [at('10:00:00'), at('10:30:00', { bulle_id: 'bul_paris' })], [[], []]],
    ['the platform of both', [at('10:00:00', { platforms: ['gmb', 'facebook'] }), at('10:30:00')], [[], [near(1)]]],
    ['a post near a publication', [publication, at('10:30:00')], [[], [near(1)]]],
    ['a change, which publishes nothing', [update, at('10:30:00')], [[], []]],
    ['posts without a date', [post('Un'), post('Deux')], [[], []]],
  ])('%s', (_, actions, expected) => {
    const warnings = new PlanWarnings(NOW);
    const read = readActions(planOf(actions as never)).actions;
    const printed = read.map((action) =>
      warnings.next(action).map(({ code, path: [, , ...path], message }) => `${code} ${path.join('.')} ${message}`),
    );
    expect(printed).toEqual(expected);
  });

  const PHONE = 'A phone number begins with 0 or with + and its country. A spreadsheet may have removed the zero.';
  const MAIL = 'The e-mail address of a contact cannot be right.';
  const AGAIN = 'This customer is asked twice by the plan.';
  it.each<[string, string[], string?]>([
    ['national numbers', ['06 12 34 56 78', '06.12-34/56 79', '061234567', '06123456789']],
    ['numbers of countries', ['+33612345678', '0032470123456', '+33 (0)6 12 34 56 79', '+1234567', '+123456789012345']],
    ['numbers without their zero', ['612345678', '+0612345678'], PHONE],
    ['numbers with too few digits or too many', ['01234567', '012345678901', '+123456', '+1234567890123456'], PHONE],
    ['words', ['demander à Jeanne', 'tel 0612345678', '0612345678 bis'], PHONE],
    ['mail addresses', ['ada@x.test', ' a.b+c@mail.x.fr ']],
    ['no mail addresses', ['foo@x', '@x.test', 'ada@x.t', 'a b@x.test', 'ada@x.test, b@x.test', '<ada@x.test>'], MAIL],
  ])('%s', (_, contacts, message) => {
    const read = readActions(planOf([ask(...contacts.map(contactOf))])).actions;
    const found = read.flatMap((action) => new PlanWarnings(NOW).next(action));
    const name = message === MAIL ? 'customer_email' : 'customer_phone';
    const expected = contacts.map((__, index) => {
      return { code: 'doubtful_contact', message, path: ['actions', 0, 'params', 'contacts', index, name] };
    });
    expect(found).toMatchObject(message ? expected : []);
  });

  it.each([
    ['06 12 34 56 78', '0612345678'],
    ['+33 6 12 34 56 78', '06 12 34 56 78'],
    ['0612345678', '0033 (0)6 12 34 56 78'],
    ['+33 (0)6.12.34.56.78', '+33612345678'],
    ['ada@x.test', ' ADA@X.test'],
  ])('a customer who is asked twice: %s, %s', (...contacts) => {
    const warnings = new PlanWarnings(NOW);
    const asked = contacts.map((contact) => ask(contactOf(contact)));
    const [first, second] = readActions(planOf(asked)).actions.map((action) => warnings.next(action));
    const name = contacts[0].includes('@') ? 'customer_email' : 'customer_phone';
    const path = ['actions', 1, 'params', 'contacts', 0, name];
    expect([first, second]).toMatchObject([[], [{ code: 'repeated_contact', message: AGAIN, path }]]);
  });
});
