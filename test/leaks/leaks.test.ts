import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArticlesClient } from '../../src/articles.js';
import { Client, type ClientEvent, type ClientOptions, MultilocalError, memoryStore } from '../../src/index.js';
import { directoryStore } from '../../src/node.js';
import { invoke, OPERATIONS, paramsFor, pathParams } from '../fuzz/operations.js';
import { SPHERE_IDENTITY } from '../support/fixtures.js';
import { CONTACT_ECHOES, ECHOES, type Fault, SILENT } from './faults.js';
import {
  CONTACTS,
  EMAIL,
  everything,
  leaksIn,
  needlesOfContacts,
  needlesOfKey,
  PHONE,
  PREFIX,
  SECRET,
} from './find.js';

const KEY_NEEDLES = needlesOfKey();
const CONTACT_NEEDLES = needlesOfContacts();
const NEEDLES = new Map([...KEY_NEEDLES, ...CONTACT_NEEDLES]);
const FAULTS = Object.entries({ ...SILENT, ...ECHOES });

function setUp(fault: Fault, options: ClientOptions = {}) {
  const events: ClientEvent[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => fault(new Request(input, init));
  const base = { apiKey: SECRET, baseUrl: 'https://leaks.test', rateLimit: false, maxRetries: 0, timeout: 15 } as const;
  const client = new Client({ ...base, fetch, onEvent: (event) => void events.push(event), ...options });
  return { client, events };
}

async function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the helper', () => {
  it.each([SECRET, SECRET.slice(15, 27), encodeURIComponent(SECRET), `${PHONE} `, encodeURIComponent(EMAIL)])(
    'finds %s',
    (text) => {
      for (const value of [new Error('x', { cause: new Error(text) }), { deep: [{ deeper: new Map([[1, text]]) }] }]) {
        expect(leaksIn(everything(value), NEEDLES)).not.toEqual([]);
      }
      class Hides {
        get shown() {
          return text;
        }
      }
      expect(leaksIn(everything(new Hides()), NEEDLES)).not.toEqual([]);
    },
  );

  it('finds nothing in a prefix or where nothing is', () => {
    expect(leaksIn(everything(new Error('acme_live_q7Vx+T9/kL')), NEEDLES)).toEqual([]);
    expect(leaksIn(everything({ a: 1 }), NEEDLES)).toEqual([]);
  });
});

describe.each(OPERATIONS)('a failing %s', (operation, endpoint) => {
  const [sampled = {}] = fc.sample(paramsFor(endpoint), { numRuns: 1, seed: 7 });
  const params = operation === 'acquisition.requestReviews' ? { contacts: CONTACTS, fiche_id: 'f' } : sampled;
  const ids = pathParams(endpoint).map(() => 1);

  it('shows neither the key nor a contact, whatever the fault', { timeout: 60_000 }, async () => {
    const leaks: string[] = [];
    let errors = 0;
    for (const [name, fault] of FAULTS) {
      const { client, events } = setUp(fault);
      const error = await rejectionOf(invoke(client, endpoint, ids, params));
      if (error === undefined) continue;
      errors++;
      expect(error, name).toBeInstanceOf(MultilocalError);
      for (const shown of [everything(error), { events: JSON.stringify(events) }]) {
        leaks.push(...leaksIn(shown, NEEDLES).map((leak) => `${name}: ${leak}`));
      }
    }
    expect(leaks).toEqual([]);
    // Some operations have no schema, and take anything with 2xx.
    expect(errors).toBeGreaterThan(35);
  });
});

describe('loops, waits and helpers that fail', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    [
      'posts.list, iterated',
      async (client) => {
        for await (const post of client.posts.list()) void post;
      },
    ],
    [
      'reviews.list().pages()',
      async (client) => {
        for await (const page of client.reviews.list().pages()) void page;
      },
    ],
    [
      'articles.changes',
      async (client) => {
        for await (const article of client.articles.changes()) void article;
      },
    ],
    ['articles.syncTo', (client) => client.articles.syncTo(memoryStore())],
    ['articles.waitUntilWritten', (client) => client.articles.waitUntilWritten(1, { timeout: 30, pollInterval: 5 })],
    [
      'reports.createAndWait',
      (client) => {
        const report = { type: 'fiche', fiche_ids: ['f'], date_start: '2026-10-01', date_end: '2026-10-31' } as const;
        return client.reports.createAndWait(report, { timeout: 30, pollInterval: 5 });
      },
    ],
    ['posts.check', (client) => client.posts.check({ content: 'Pain', platforms: ['facebook'] })],
    ['posts.findRecent', (client) => client.posts.findRecent({ content: 'Pain', since: new Date(0) })],
    ['request', (client) => client.request({ method: 'POST', path: '/new', body: { contacts: CONTACTS } })],
    ['dryRun', (client) => client.dryRun.acquisition.requestReviews({ contacts: CONTACTS, fiche_id: 'f' })],
    ['with retries', (client) => client.articles.get(1, { maxRetries: 1, totalTimeout: 20 })],
    ['with validation: warn', (client) => client.articles.get(1, { validation: 'warn' })],
  ])('%s', { timeout: 60_000 }, async (_, call) => {
    const leaks: string[] = [];
    for (const [name, fault] of FAULTS) {
      const { client, events } = setUp(fault);
      const error = await rejectionOf(call(client));
      for (const shown of [everything(error), { events: JSON.stringify(events) }]) {
        leaks.push(...leaksIn(shown, NEEDLES).map((leak) => `${name}: ${leak}`));
      }
    }
    expect(leaks).toEqual([]);
  });

  it('a key that stands anywhere in a long answer, which is cut', { timeout: 60_000 }, async () => {
    const leaks: string[] = [];
    for (const [before, step] of [
      [430, 3],
      [1_930, 5],
    ] as const) {
      for (let at = before; at < before + 90; at += step) {
        const said = `${'x'.repeat(at)}${SECRET}${'y'.repeat(90)}`;
        for (const fault of [
          () => Response.json({ detail: said }, { status: 400 }),
          () => Response.json({ detail: [{ loc: [said], msg: said }] }, { status: 422 }),
          () => new Response(said, { status: 502 }),
          () => new Response(said),
        ]) {
          const error = await rejectionOf(setUp(fault).client.articles.get(1));
          leaks.push(...leaksIn({ error: `${String((error as Error).stack)} ${JSON.stringify(error)}` }, KEY_NEEDLES));
        }
      }
    }
    expect(leaks).toEqual([]);
  });
});

describe('an answer that ends in the midst of the key', () => {
  it.each([
    ['HTML with 502', 502, '<pre>X-API-Key: '],
    ['HTML with 200', 200, '<pre>X-API-Key: '],
    ['JSON with 500', 500, '{"request": {"X-API-Key": "'],
  ] as const)('%s: no part of it shows', async (_, status, before) => {
    const leaks: string[] = [];
    for (let end = PREFIX.length + 12; end < SECRET.length; end += 4) {
      const { client } = setUp(() => new Response(before + SECRET.slice(0, end), { status }));
      const error = await rejectionOf(client.articles.get(1));
      leaks.push(...leaksIn(everything(error), KEY_NEEDLES).map((leak) => `${end} characters: ${leak}`));
    }
    expect(leaks.slice(0, 1)).toEqual([]);
  });
});

describe('what is printed where nothing failed', () => {
  const fault = () => Response.json({ articles: [], total: 0, limit: 50, offset: 0 });
  it.each<[string, (client: Client) => unknown]>([
    ['the client', (client) => client],
    ['its views', (client) => [client.forBulle('b'), client.forFiche('f'), client.dryRun, client.forBulle('b').dryRun]],
    ['its resources', (client) => Object.values(client)],
    ['their prototypes', (client) => Object.values(client).map((resource) => Object.getPrototypeOf(resource))],
    [
      'promises',
      (client) => [
        client.articles.list(),
        client.posts.list({}, { validation: 'off' }),
        client.articles.list().withResponse(),
      ],
    ],
    [
      'iterators',
      (client) => [
        client.articles.changes(),
        client.articles.sync(),
        client.posts.list({}, { validation: 'off' })[Symbol.asyncIterator](),
      ],
    ],
    ['stores', () => [memoryStore(), directoryStore('/nonexistent/multilocal')]],
    [
      'an ArticlesClient',
      () => new ArticlesClient({ apiKey: SECRET, baseUrl: 'https://leaks.test', fetch: async () => fault() }),
    ],
  ])('%s', async (_, make) => {
    const { client } = setUp(fault, { identity: SPHERE_IDENTITY, rateLimit: {} });
    const value = make(client);
    expect(leaksIn(everything(value), KEY_NEEDLES)).toEqual([]);
    await client.articles.list();
    expect(leaksIn(everything(value), KEY_NEEDLES)).toEqual([]);
  });
});

describe('parameters of acquisition.requestReviews that are wrong', () => {
  const [sms, email] = CONTACTS;
  it.each<[string, unknown]>([
    ['a number with an e-mail', [{ ...email, customer_phone: PHONE }]],
    ['an address with an SMS', [{ ...sms, customer_email: EMAIL }]],
    ['a channel that is none', [{ ...sms, channel: EMAIL }]],
    ['an address for a channel', [{ ...email, channel: PHONE }]],
    ['a number that is none', [{ ...sms, customer_phone: 612345678 }]],
    ['a list of numbers', [{ ...sms, customer_phone: [PHONE] }]],
    ['contacts that are texts', [PHONE, EMAIL]],
    ['one text', EMAIL],
    ['an object by addresses', { [EMAIL]: sms, [PHONE]: email }],
    ['no name', [{ channel: 'sms', customer_phone: PHONE }]],
    ['what JSON cannot write', [{ ...sms, custom_message: Object(10n) }]],
  ])('%s: nothing of the contact shows', async (_, contacts) => {
    const { client } = setUp(() => Response.json({}));
    const error = await rejectionOf(client.acquisition.requestReviews({ contacts, fiche_id: 'f' } as never));
    expect(error).toMatchObject({ code: 'invalid_request' });
    expect(leaksIn(everything(error), CONTACT_NEEDLES)).toEqual([]);
  });
});

describe('a service that repeats the contacts', () => {
  it.each(Object.entries(CONTACT_ECHOES))('%s: they show nowhere', async (name, fault) => {
    const { client, events } = setUp(fault);
    const dry_run = name === 'a preview that shows none';
    const error = await rejectionOf(client.acquisition.requestReviews({ contacts: CONTACTS, fiche_id: 'f', dry_run }));
    expect(error).toBeInstanceOf(MultilocalError);
    expect(leaksIn(everything(error), CONTACT_NEEDLES)).toEqual([]);
    expect(leaksIn({ events: JSON.stringify(events) }, CONTACT_NEEDLES)).toEqual([]);
  });
});

describe('a process that catches nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-leaks-'));
  const child = join(folder, 'child.mjs');
  beforeAll(async () => {
    await build({
      entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
      outfile: child,
      bundle: true,
      platform: 'node',
      format: 'esm',
      // So that a line of the source that Node prints with a failure holds none of the faults.
      minifyWhitespace: false,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(scenario: string, flags: string[] = []): Promise<{ code: number | null; output: string }> {
    const started = spawn(process.execPath, [...flags, child, scenario], {
      env: { ...process.env, MULTILOCAL_API_KEY: SECRET },
    });
    let output = '';
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    return new Promise((resolve) => started.on('close', (code) => resolve({ code, output })));
  }

  it.each([
    '401',
    'half a JSON',
    'a connection that breaks',
    'an error with the whole request on it',
    '401 and the key as it is',
    '502 and the key percent-encoded',
  ])('dies of %s, and prints neither the key nor a contact', async (scenario) => {
    const { code, output } = await run(scenario);
    expect(code).toBe(1);
    expect(output).toMatch(/Error/);
    expect(leaksIn({ output }, NEEDLES)).toEqual([]);
  });

  it('warns of every unhandled rejection, and prints neither the key nor a contact', async () => {
    const { output } = await run('all', ['--unhandled-rejections=warn', '--trace-warnings']);
    expect(output.match(/UnhandledPromiseRejectionWarning/g)?.length).toBeGreaterThan(150);
    expect(leaksIn({ output }, NEEDLES)).toEqual([]);
  });
});
