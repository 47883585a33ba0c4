import { tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  ApiError,
  Client,
  type ClientEvent,
  InvalidRequestError,
  InvalidResponseError,
  MultilocalError,
  type RequestTrace,
} from '../../src/index.js';
import { caught, makeClient, makePage, rejection } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY, CONFIRMATION, KEY, LIST, SPHERE_IDENTITY, TEXTS } from '../support/fixtures.js';
import { expectNoKey, formsOf, renderings } from '../support/render.js';
import { fail, json, type Reply, raw, refuse, stubFetch } from '../support/stub-fetch.js';

const FORMS = Object.entries(formsOf(KEY));

it('the helper finds a key wherever it is, and none in a value without one', () => {
  for (const [, form] of FORMS) {
    for (const leak of [
      Object.assign(new Error('x'), { hidden: { deep: [{ deeper: form }] } }),
      new Error('x', { cause: new Error(`in the cause: ${form}`) }),
      Object.defineProperty(new Error('x'), 'hidden', { value: form }),
      new Headers({ 'x-api-key': form }),
    ]) {
      expect(() => expectNoKey(leak, KEY)).toThrow(/shows the key/);
    }
  }
  expectNoKey(new Error('x', { cause: new Error('y') }), KEY);
});

describe('nothing of the SDK shows the key', () => {
  const client = () => makeClient({ fetch: stubFetch(json(ARTICLE)), identity: SPHERE_IDENTITY });
  const ofEnvironment = () => {
    vi.stubEnv('MULTILOCAL_API_KEY', KEY);
    return new Client({ baseUrl: 'https://env.test' });
  };

  it.each<[string, () => unknown]>([
    ['a client', client],
    ['a client that took the key from its environment', ofEnvironment],
    ['an ArticlesClient', () => makePage()],
    ['a chain of views', () => client().forBulle('b-1').forFiche('f-1').dryRun],
    ['the articles', () => client().articles],
    ['its prototype', () => Object.getPrototypeOf(client())],
    ['the class', () => Client],
    ['a method taken off it', () => client().articles.get],
    ['the identity', () => client().identity],
  ])('%s', (_, make) => {
    expectNoKey(make(), KEY);
  });

  it('a promise, before and after', async () => {
    const promise = client().articles.get(42);
    expectNoKey(promise, KEY);
    expectNoKey(promise.withResponse(), KEY);
    const { response } = await promise.withResponse();
    expectNoKey(promise, KEY);
    expectNoKey(response, KEY);
  });

  it('a promise that was rejected', async () => {
    const promise = makeClient({ fetch: stubFetch(refuse(401, `clé ${KEY} invalide`)) }).articles.get(42);
    await rejection(promise);
    expectNoKey(promise, KEY);
  });

  it('a change iterator', async () => {
    const changes = makeClient({ fetch: stubFetch(json(LIST)) }).articles.changes();
    expectNoKey(changes, KEY);
    await changes.next();
    expectNoKey(changes, KEY);
    await changes.return();
  });

  it('the global object, after calls that share a limiter', async () => {
    await client().articles.get(42);
    const symbols = Object.getOwnPropertySymbols(globalThis).filter((symbol) => String(symbol).includes('multilocal'));
    const shown = symbols.map((symbol) => (globalThis as Record<symbol, unknown>)[symbol]);
    expect(inspect(shown, { showHidden: true, depth: null })).not.toContain(KEY);
  });
});

/** What comes back from a service or a `fetch` that repeats the key wherever it can, in the given form. */
function echoes(form: string): [name: string, reply: Reply][] {
  const header = { 'x-echo': form, 'www-authenticate': `Key realm="${form}"`, 'set-cookie': `key=${form}` };
  const nested = Array.from({ length: 300 }).reduce((inner: unknown) => ({ a: inner }), form);
  const statuses = [400, 401, 403, 404, 408, 409, 410, 418, 422, 429, 500, 502, 503];
  const headers = { 'X-API-Key': form };
  const error = (fields: object, message = 'boom') => Object.assign(new Error(message), fields);
  const pull = (controller: ReadableStreamDefaultController) => controller.error(error({ request: { headers } }, form));
  const thrown: Record<string, unknown> = {
    'the request': error({ request: new Request('https://x.test', { headers }) }),
    'the options': error({ config: { headers } }),
    'the key in the message': new TypeError(`Headers.append: "${form}" is an invalid header value.`),
    'the key in the cause': new Error('boom', { cause: new Error(form, { cause: { headers: form } }) }),
    'the key in the code': error({ code: `E_${form}` }),
    'the key in the name': error({ name: form }),
    'the key in the stack': error({ stack: `Error: ${form}\n at x` }),
    'several errors': new AggregateError([new Error(form)], form),
    'a string': form,
    'an object': { message: form, headers: { 'x-api-key': form } },
    'a DOMException': new DOMException(form, form),
  };
  return [
    ...statuses.map((status): [string, Reply] => [`${status}`, refuse(status, `clé « ${form} » refusée`, header)]),
    ['a list in detail', refuse(422, [{ loc: ['header', form], msg: form, input: form, ctx: { [form]: form } }])],
    ['names of fields', json({ [form]: { [form]: [form, { [form]: form }] } }, { status: 400 })],
    ['bulle not found', refuse(404, `Établissement introuvable : ${form}`)],
    ['a scope text', refuse(403, `${TEXTS.bulleOutOfScope} ${form}`)],
    ['HTML of a proxy', raw(`<pre>X-API-Key: ${form}</pre>`, { status: 502 })],
    ['a broken JSON', raw(`{"key": "${form}`, { status: 500 })],
    ['deep nesting', json(nested, { status: 400 })],
    ['HTML with 200', raw(`<pre>${form}</pre>`)],
    ['nonsense with 200', json({ id: form, title: [form], [form]: form })],
    ['a redirect', raw(null, { status: 302, headers: { location: `https://b.test/${form}?key=${form}`, ...header } })],
    [
      'a redirect to a user',
      raw(null, { status: 307, headers: { location: `https://u:${encodeURIComponent(form)}@b.test/` } }),
    ],
    ['a reason phrase', raw('{}', { status: 400, statusText: form.replaceAll(/[^\x20-\x7e]/g, '') })],
    ['a body that breaks', () => new Response(new ReadableStream({ pull }))],
    ...Object.entries(thrown).map(([name, reason]): [string, Reply] => [name, () => Promise.reject(reason)]),
  ];
}

describe.each(FORMS)('a response or a failure that repeats the key %s', (_, form) => {
  it.each(echoes(form))('%s', async (__, reply) => {
    const { articles } = makeClient({ fetch: stubFetch(reply), maxRetries: 0 });
    for (const call of [
      articles.get(42),
      articles.publish(42, { dry_run: true }),
      articles.create({ title: 'abc', target_keyword: 'abc' }),
    ]) {
      const error = await caught(call, MultilocalError);
      expectNoKey(error, KEY);
      if (error instanceof ApiError) {
        expect([...error.headers].flat().join()).not.toContain(form);
        expect(JSON.stringify(error.body) ?? '').not.toContain(form);
      }
    }
  });
});

it.each(FORMS)('a key that is %s as a name in an object whose names the service chooses', async (_, form) => {
  const events: ClientEvent[] = [];
  const reply = json({ character_limits: { [form]: 'x' }, image_limits: {}, video_limits: {} });
  const client = makeClient({ fetch: stubFetch(reply), onEvent: (event) => void events.push(event) });
  expectNoKey(await caught(client.platforms.limits(), InvalidResponseError), KEY);
  await client.platforms.limits({ validation: 'warn' });
  expect(events.at(-2)?.type).toBe('drift');
  expectNoKey(events, KEY);
});

describe('a key that was passed for something else', () => {
  const readOnly = { ...BULLE_IDENTITY, permissions: ['read'] };
  const key = KEY as never;

  it.each<[string, (client: Client) => PromiseLike<unknown>]>([
    ['an id, answered', (client) => client.bulles.get(KEY)],
    ['an id, beside a wrong parameter', (client) => client.articles.confirm(key, { rendered_url: 'x' })],
    ['an id, without the permission', (client) => client.articles.publish(key)],
    ['an id, of a write on a dry run', (client) => (client.dryRun as Client).articles.update(key, {})],
    ['an id, of a wait', (client) => client.articles.waitUntilWritten(key, { timeout: 20, pollInterval: 5 })],
    ['the path of a route', (client) => client.request({ method: 'GET', path: `/${encodeURIComponent(KEY)}` })],
    ['a path that is refused', (client) => client.request({ method: 'GET', path: `/../${KEY}` })],
    ['a route on a dry run', (client) => (client.dryRun as Client).request({ method: 'PUT', path: `/x${KEY}` })],
    ['a header', (client) => client.articles.get(42, { headers: { 'X-API-Key': `${KEY}\n${KEY}` } })],
    ['the name of a parameter', (client) => client.articles.list({ [KEY]: 1 } as never)],
    ['a value of a parameter', (client) => client.articles.list({ status: key })],
    ['a target', (client) => client.forBulle(KEY).articles.list()],
  ])('%s', async (_, call) => {
    const client = makeClient({ fetch: stubFetch(refuse(404, 'rien')), identity: readOnly });
    const error = await caught(call(client), MultilocalError);
    expectNoKey(error, KEY);
  });
});

it('events, log lines and traces show no key, query, header, body or contact', async () => {
  const events: ClientEvent[] = [];
  const lines: string[] = [];
  const traces: RequestTrace[] = [];
  const subscriber = { asyncEnd: (trace: RequestTrace) => void traces.push(trace) };
  const channel = tracingChannel<RequestTrace, RequestTrace>('multilocal:request');
  channel.subscribe(subscriber as never);
  onTestFinished(() => void channel.unsubscribe(subscriber as never));
  const drift = { ...ARTICLE, id: 'secret-of-the-body', [KEY]: 1 };
  const now = { 'retry-after': '0', 'x-echo': KEY };
  const script = [refuse(503, `secret ${KEY}`, now), json(drift), json({ ...LIST, articles: [drift] })];
  const failures = [refuse(422, 'secret'), refuse(500, 'secret'), fail(`secret-of-the-cause-${KEY}`)];
  const note = (line: string) => void lines.push(line);
  const client = makeClient({
    fetch: stubFetch(...script, ...failures),
    logger: { error: note, warn: note, info: note, debug: note },
    onEvent: (event) => void events.push(event),
    ...({ logLevel: 'debug', validation: 'warn', maxRetries: 1 } as const),
  });
  await client.articles.get(42, { headers: { 'x-a': 'secret-of-the-header' } });
  await client.articles.list({ bulle_id: 'secret-of-the-query' });
  await rejection(client.articles.publish(42, {}, { extra: { a: 'secret-of-the-body' } }));
  const contact = { customer_phone: '+33600000001', channel: 'sms', customer_name: 'secret' } as const;
  await rejection(client.acquisition.requestReviews({ contacts: [contact], fiche_id: 'secret' }));
  await rejection(
    client.request({ method: 'GET', path: `/x/${encodeURIComponent(KEY)}`, query: { q: 'secret-of-the-query' } }),
  );
  await rejection(client.request({ method: KEY as never, path: '/x' }));
  const shown = { events, lines, traces };
  expectNoKey(shown, KEY);
  // The error of a trace is that of the caller, which quotes the service.
  // A duration may have any digits.
  const isAny = (name: string, value: unknown) => name === 'error' || typeof value === 'number';
  expect(JSON.stringify(shown, (name, value) => (isAny(name, value) ? {} : value))).not.toMatch(/secret|336000/);
  expect([events.length > 15, lines.length > 10, traces.length]).toEqual([true, true, 6]);
});

it('a long body that is cut in the midst of the key shows no part of it', async () => {
  // Wherever the cut is: errors hold the beginning of a body that is not JSON.
  for (let before = 1900; before < 2100; before++) {
    const text = `${'x'.repeat(before)}${KEY}${'y'.repeat(50)}`;
    const client = makeClient({ fetch: async () => new Response(text), rateLimit: false });
    const error = await caught(client.articles.get(42), InvalidResponseError);
    // `acme_live_` stands in every key; what follows is this one.
    expect(String(error.body)).not.toContain(KEY.slice(0, 14));
    expect(error.message).not.toContain(KEY.slice(0, 14));
  }
});

describe('where the key is', () => {
  it('only in X-API-Key: not in the address, not in the body', async () => {
    const fetch = stubFetch(json(CONFIRMATION));
    await makeClient({ fetch }).articles.confirm(42, { rendered_url: 'https://a.test/x' });
    const [seen] = fetch.calls;
    expect(seen?.headers['x-api-key']).toBe(KEY);
    for (const [, form] of FORMS) {
      expect(seen?.url.href).not.toContain(form);
      expect(seen?.body).not.toContain(form);
      for (const [name, value] of Object.entries(seen?.headers ?? {}))
        if (name !== 'x-api-key') expect(value).not.toContain(form);
    }
  });

  it('trimmed of the white space around it', async () => {
    const fetch = stubFetch(json(ARTICLE));
    await makeClient({ fetch, apiKey: `\t ${KEY} \r\n` }).articles.get(42);
    expect(fetch.calls[0]?.headers['x-api-key']).toBe(KEY);
  });
});

// Phone numbers and e-mail addresses of `acquisition.requestReviews` show in no error and no event.
describe('contacts', () => {
  const PHONE = '+33612345678';
  const EMAIL = 'ada.lovelace@private.example';
  const sms = { customer_name: 'Ada', channel: 'sms', customer_phone: PHONE } as const;
  const email = { customer_name: 'Ada', channel: 'email', customer_email: `Ada <${EMAIL}>` } as const;
  const params = { contacts: [sms, email], fiche_id: 'f' };
  /** The number also without `+33`, and grouped. */
  const SECRETS = [
    ...[PHONE.slice(3), '12 34 56 78', '12.34.56.78', '12–34', '56+78', 'a056', 'f56', '5678', '５６'],
    ...[EMAIL, encodeURIComponent(EMAIL), EMAIL.toUpperCase()],
  ];

  function expectNoContact(value: unknown): void {
    for (const [way, text] of Object.entries(renderings(value))) {
      for (const secret of SECRETS) expect(text.includes(secret), `${way} shows ${secret}: ${text}`).toBe(false);
    }
  }

  describe('parameters that are wrong', () => {
    it.each<[string, unknown]>([
      ['a number where an address belongs', [{ ...email, customer_email: '', customer_phone: PHONE }]],
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
      ['a 422 as FastAPI writes it', refuse(422, [{ loc: ['body', 'contacts', 0], msg: 'Value error', input: PHONE }])],
      ['a 400 whose text names them', refuse(400, `Numéro ${PHONE} ou adresse ${EMAIL} invalide.`)],
      ['a number as people write it', refuse(400, 'Le 06 12 34 56 78, 06–12–34–56–78 ou 06.12.34.56.78 ?')],
      ['a number with its country', refuse(400, '0033612345678, +33 6 12 34 56 78')],
      ['a number in JSON', json({ detail: 'non', phone: 33612345678 }, { status: 400 })],
      // A body that was cut short is no JSON, so its escapes are not decoded.
      ['a number with JSON escapes', raw('{"phone":"06\\u00a012\\u00a034\\u00a056\\u00a078","x', { status: 400 })],
      ['narrow spaces as JSON escapes', raw('{"a":"06\\u202f12\\u202f34\\u202f56\\u202f78', { status: 400 })],
      ['a number of JSON escapes', raw('{"phone":"\\u0030\\u0036 12345678","mail":"', { status: 400 })],
      ['a number after a JSON escape', raw('{"a":"tel\\u00a00612345678', { status: 400 })],
      ['a number in full-width digits', refuse(400, '０６ １２ ３４ ５６ ７８')],
      ['a number in form encoding', raw('phone=%2B336+12+34+56+78&x=1', { status: 400 })],
      ['a number in form encoding with spaces of its own', raw('phone=06%C2%A012%C2%A034%C2%A056+78', { status: 400 })],
      ['an address in capitals', refuse(400, EMAIL.toUpperCase())],
      [
        'a 500 that dumps the request',
        raw(`Traceback\n body={"customer_phone":"${PHONE}"},"${EMAIL}"`, { status: 500 }),
      ],
      ['a 200 of another shape', json({ ...echo, queued_count: null })],
      ['a preview that is none', json(echo), (client) => client.dryRun.acquisition.requestReviews(params)],
      ['a header', json({}, { status: 400, headers: { 'x-echo': `${PHONE} ${EMAIL}` } })],
      ['an error of a custom fetch', () => Promise.reject(Object.assign(new Error(EMAIL), { body: PHONE }))],
      ['a route', refuse(400), (client) => client.request({ method: 'POST', path: '/new', body: params })],
    ])('%s', async (_, reply, call = request) => {
      const events: ClientEvent[] = [];
      const client = makeClient({ fetch: stubFetch(reply), onEvent: (event) => void events.push(event) });
      expectNoContact(await caught(call(client), MultilocalError));
      // Digits of a duration are random.
      const shown = inspect(events, { depth: null }).replace(/\b(duration|delay): [\d.e-]+/g, '$1');
      for (const secret of SECRETS) expect(shown).not.toContain(secret);
    });
  });
});
