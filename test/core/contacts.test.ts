// Phone numbers and e-mail addresses of `acquisition.requestReviews` show in no error and no event.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Client, type ClientEvent, InvalidRequestError, MultilocalError } from '../../src/index.js';
import { caught, makeClient } from '../support/clients.js';
import { renderings } from '../support/render.js';
import { json, type Reply, raw, stubFetch } from '../support/stub-fetch.js';

const PHONE = '+33612345678';
const EMAIL = 'ada.lovelace@private.example';
const sms = { customer_name: 'Ada', channel: 'sms', customer_phone: PHONE } as const;
const email = { customer_name: 'Ada', channel: 'email', customer_email: EMAIL } as const;
const params = { contacts: [sms, email], fiche_id: 'f' };
/** The number also without `+33`, and grouped. */
const SECRETS = [
  PHONE.slice(3),
  '12 34 56 78',
  '12.34.56.78',
  '56+78',
  'a056',
  'f56',
  '5678',
  '５６',
  EMAIL,
  encodeURIComponent(EMAIL),
  EMAIL.toUpperCase(),
];

function expectNoContact(value: unknown): void {
  for (const [way, text] of Object.entries(renderings(value))) {
    for (const secret of SECRETS) expect(text.includes(secret), `${way} shows ${secret}: ${text}`).toBe(false);
  }
}

describe('parameters that are wrong', () => {
  it.each<[string, unknown]>([
    ['a number with an e-mail', [{ ...email, customer_phone: PHONE }]],
    ['an address with an SMS', [{ ...sms, customer_email: EMAIL }]],
    ['an unknown channel', [{ ...sms, channel: EMAIL }]],
    ['an address for a channel', [{ ...email, channel: PHONE }]],
    ['a number as a list', [{ ...sms, customer_phone: [PHONE] }]],
    ['contacts that are texts', [PHONE, EMAIL]],
    ['one text', EMAIL],
    ['an object by addresses', { [EMAIL]: sms, [PHONE]: email }],
    ['no name', [{ channel: 'sms', customer_phone: PHONE }]],
    ['what JSON cannot write', [{ ...sms, custom_message: Object(10n) }]],
  ])('%s', async (_, contacts) => {
    const client = makeClient({ fetch: stubFetch(json({})) });
    const call = client.acquisition.requestReviews({ contacts, fiche_id: 'f' } as never);
    expectNoContact(await caught(call, InvalidRequestError));
  });
});

describe('a service that repeats the contacts', () => {
  const echo = { queued: true, contacts: [{ channel: 'sms', contact: PHONE }, { contact: EMAIL }] };
  const request = (client: Client) => client.acquisition.requestReviews(params);

  it.each<[string, Reply, ((client: Client) => PromiseLike<unknown>)?]>([
    [
      'a 422 as FastAPI writes it',
      json({ detail: [{ loc: ['body', 'contacts', 0], msg: 'Value error', input: PHONE }] }, { status: 422 }),
    ],
    ['a 400 whose text names them', json({ detail: `Numéro ${PHONE} ou adresse ${EMAIL} invalide.` }, { status: 400 })],
    ['a number as people write it', json({ detail: 'Le 06 12 34 56 78 ou 06.12.34.56.78 ?' }, { status: 400 })],
    ['a number with its country', json({ detail: '0033612345678, +33 6 12 34 56 78' }, { status: 400 })],
    ['a number in JSON', json({ detail: 'non', phone: 33612345678 }, { status: 400 })],
    // A body that was cut short is no JSON, so its escapes are not decoded.
    ['a number with JSON escapes', raw('{"phone":"06\\u00a012\\u00a034\\u00a056\\u00a078","x', { status: 400 })],
    [
      'a number with narrow spaces as JSON escapes',
      raw('{"a":"06\\u202f12\\u202f34\\u202f56\\u202f78', { status: 400 }),
    ],
    ['a number of JSON escapes', raw('{"phone":"\\u0030\\u0036 12345678","mail":"', { status: 400 })],
    ['a number after a JSON escape', raw('{"a":"tel\\u00a00612345678', { status: 400 })],
    ['a number in full-width digits', json({ detail: '０６ １２ ３４ ５６ ７８' }, { status: 400 })],
    ['a number in form encoding', raw('phone=%2B336+12+34+56+78&x=1', { status: 400 })],
    ['a number in form encoding with spaces of its own', raw('phone=06%C2%A012%C2%A034%C2%A056+78', { status: 400 })],
    ['an address in capitals', json({ detail: EMAIL.toUpperCase() }, { status: 400 })],
    ['a 500 that dumps the request', raw(`Traceback\n body={"customer_phone":"${PHONE}"},"${EMAIL}"`, { status: 500 })],
    ['a 200 of another shape', json({ ...echo, queued_count: null })],
    ['a preview that is none', json(echo), (client) => client.dryRun.acquisition.requestReviews(params)],
    ['a header', json({}, { status: 400, headers: { 'x-echo': `${PHONE} ${EMAIL}` } })],
    ['an error of a custom fetch', () => Promise.reject(Object.assign(new Error(EMAIL), { body: PHONE }))],
    ['a route', json({}, { status: 400 }), (client) => client.request({ method: 'POST', path: '/new', body: params })],
  ])('%s', async (_, reply, call = request) => {
    const events: ClientEvent[] = [];
    const client = makeClient({ fetch: stubFetch(reply), onEvent: (event) => void events.push(event) });
    expectNoContact(await caught(call(client), MultilocalError));
    for (const secret of SECRETS) expect(inspect(events, { depth: null })).not.toContain(secret);
  });
});
