// From an Excel export of 60 posts to a plan, a calendar and a status: the commands in this process, with the mock server.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '@multilocal/plans/test/helpers';
import { Client } from 'multilocal';
import { startMockServer } from 'multilocal/mock/server';
import { fileJournal } from 'multilocal/node';
import { runPlan } from 'multilocal/plans';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { plan } from '../../src/commands/plan.js';
import { status } from '../../src/commands/status.js';
import { Failed, failureOf } from '../../src/failure.js';
import { readWords } from '../../src/flags.js';
import { Output } from '../../src/output.js';
import { journalOf } from '../../src/plan/journals.js';

const NOW = '2026-11-22T09:00:00Z';
let cwd: string;
let server: Awaited<ReturnType<typeof startMockServer>>;
beforeEach(async () => {
  cwd = folder();
  server = await startMockServer({ now: NOW, bulles: 40, rateLimit: { perMinute: 10_000, perDay: 100_000 } });
  onTestFinished(() => server.close());
  vi.stubEnv('MULTILOCAL_API_KEY', server.api.keys.sphere);
  vi.stubEnv('MULTILOCAL_BASE_URL', server.url);
  vi.stubEnv('GITHUB_ACTIONS', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
});

const at = (file: string) => join(cwd, file);
const write = (file: string, text: string | Uint8Array) => writeFileSync(at(file), text);

/** Runs a command. Files are those of the folder. */
async function run(command: typeof plan, words: readonly string[], isJson = true) {
  const printed = { out: '', err: '' };
  const stream = (name: 'out' | 'err') =>
    ({
      write: (text: string) => Boolean(Object.assign(printed, { [name]: printed[name] + text })),
      on: () => {},
    }) as never;
  const output = new Output(isJson, stream('out'), stream('err'));
  const raw = words.map((word) => (/\.(csv|json|html|ics|yaml)$/.test(word) ? at(word) : word));
  const { signal } = new AbortController();
  try {
    const parsed = readWords('plan', command, raw);
    return { code: await command.run({ output, signal, ...parsed }), ...printed, error: undefined, details: undefined };
  } catch (error) {
    const details = error instanceof Failed ? (error.details as Record<string, unknown>) : undefined;
    return { code: error instanceof Failed ? error.exitCode : 2, ...printed, error: failureOf(error), details };
  }
}

/** 60 posts for 40 locations, as a French Excel writes them. */
async function excel(change: (line: string, index: number) => string = (line) => line) {
  const client = await Client.connect();
  const locations = await client.bulles.list();
  const accounts = await client.connections.list();
  const able = locations.filter(({ id }) =>
    accounts.some((one) => one.bulle_id === id && one.platform === 'facebook' && one.connected && !one.needs_reconnect),
  );
  const lines = Array.from({ length: 60 }, (_, index) => {
    const { name } = able[index % able.length] ?? {};
    const day = 1 + Math.floor(index / able.length);
    return `"${name}";0${day}/12/2026;9h${index % 2 ? '30' : ''};Facebook;"Fournée n° ${index + 1} : « à l’épeautre »;\nà ${name}";;`;
  });
  const table = ['Boutique;Date;Heure;Réseaux;Texte;;', ...lines.map(change), ';;;;;;', ''].join('\r\n');
  return { table, client, able };
}

// The commands share the limits of one process here.
const LIMITS = ['--per-minute', '9000', '--per-day', '90000'];
const FLAGS = ['--zone', 'Europe/Paris', '--date-order', 'dmy', ...LIMITS];

it('makes a plan and a calendar of the export of an Excel', async () => {
  const { table } = await excel();
  write('decembre.csv', `\ufeff${table}`);
  const { code, out, error } = await run(plan, [
    'decembre.csv',
    ...FLAGS,
    '--out',
    'plan.json',
    '--calendar',
    'cal.html',
    '--locale',
    'fr',
  ]);
  expect([code, error]).toEqual([0, undefined]);
  expect(JSON.parse(out)).toMatchObject({ actions: 60, hash: expect.stringMatching(/^[\da-f]{64}$/) });
  const made = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
  expect(made).toMatchObject({ name: 'decembre', actions: expect.objectContaining({ length: 60 }) });
  expect(made.actions[1]).toMatchObject({
    key: expect.stringMatching(/^decembre\/bul_\w+\/2026-12-01T09:30$/),
    params: {
      content: expect.stringContaining('Fournée n° 2 : « à l’épeautre »;\nà '),
      scheduled_at: '2026-12-01T09:30:00+01:00',
    },
  });
  expect(readFileSync(at('cal.html'), 'utf8')).toContain('<html lang="fr">');
});

it('names each account that cannot publish once, before a client approves', async () => {
  const bulle_id = 'bul_nantes_talensac';
  server.api.connections.change(bulle_id, 'facebook', { needs_reconnect: true });
  const rows = ['2026-12-24', '2026-12-25'].map((date) => `${bulle_id};${date};9h;Facebook;Ouvert`);
  write('t.csv', ['Lieu;Date;Heure;Réseaux;Texte', ...rows].join('\n'));
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  const { code, out, err } = await run(plan, ['t.csv', '--zone', 'Europe/Paris', '--out', 'plan.json']);
  expect([code, JSON.parse(out).warnings]).toEqual([
    0,
    [expect.stringMatching(/Nantes Talensac, Facebook: the account .* must be connected again/)],
  ]);
  expect(err).toMatch(/::warning file=.*t\.csv::.*Nantes Talensac, Facebook/);
});

describe('the files of other programs', () => {
  const post = (location: string) => `Lieu;Date;Heure;Réseaux;Texte\r\n${location};2026-12-24;9h;Facebook;À l’été\r\n`;

  it('may be Windows-1252, which is said', async () => {
    write('t.csv', Buffer.from(post('bul_nantes_talensac').replaceAll('’', '\u0092'), 'latin1'));
    const { code, out, err } = await run(plan, ['t.csv', '--zone', 'Europe/Paris', '--name', 'été']);
    expect(code).toBe(0);
    expect(err).toContain('read as Windows-1252');
    expect(JSON.parse(out)).toMatchObject({ name: 'été', actions: [{ params: { content: 'À l’été' } }] });
  });

  it('may have other headings and zones of single locations', async () => {
    write('t.csv', post('bul_nantes_talensac').replace('Texte', 'Message'));
    write('columns.json', '{ "Message": "text" }');
    const zones = ['--zone', 'Europe/Paris', '--zone', 'bul_nantes_talensac=Indian/Reunion'];
    const { out } = await run(plan, ['t.csv', ...zones, '--columns', 'columns.json']);
    expect(JSON.parse(out).actions[0].params.scheduled_at).toBe('2026-12-24T09:00:00+04:00');
  });
});

it('names file, line, row and column of every problem, and writes nothing', async () => {
  const { table } = await excel((line, index) =>
    index === 1 ? line.replace('Facebook', 'Facebok') : index === 2 ? line.replace('01/12', '31/11') : line,
  );
  write('decembre.csv', table.replace('Texte;;', 'Texte;Remarque;').replace(';;\r\n', ';oui;\r\n'));
  const { code, error, details } = await run(plan, ['decembre.csv', ...FLAGS, '--out', 'plan.json']);
  expect([code, error?.code]).toEqual([1, 'campaign_invalid']);
  const file = at('decembre.csv');
  expect(details?.problems).toEqual([
    {
      file,
      line: 1,
      column: 1,
      code: 'unused_column',
      message: expect.stringContaining('Row 1, column Remarque: no post uses it'),
    },
    // Each post has two lines.
    {
      file,
      line: 4,
      column: 1,
      code: 'unknown_platform',
      message: expect.stringContaining('Row 3, column Réseaux: has an unknown platform "facebok"'),
    },
    {
      file,
      line: 6,
      column: 1,
      code: 'invalid_date',
      message: expect.stringContaining('Row 4, column Date: must be a day that exists'),
    },
  ]);
  expect(error?.message).toContain('The table has 3 problems.');
  expect(() => readFileSync(at('plan.json'))).toThrow();
});

it.each<[string, string[], string]>([
  ['no zone', ['t.csv'], 'needs `--zone`'],
  ['the rows of a campaign', ['t.csv', '--zone', 'UTC', '--rows', 'rows.csv'], '`--rows` is for campaigns'],
  ['a zone of a campaign', ['c.yaml', '--zone', 'UTC'], '`--zone` is for tables of posts'],
  ['an unknown zone', ['t.csv', '--zone', 'Europe/Lyon'], '`zone` must be the name of a time zone'],
  ['an unknown column', ['t.csv', '--zone', 'UTC', '--columns', 'columns.json'], '`columns.Texte` must be one of'],
])('refuses %s before any request', async (_, words, message) => {
  write('t.csv', 'Lieu;Date\nx;y\n');
  write('c.yaml', 'campaign: x\n');
  write('columns.json', '{ "Texte": "texte" }');
  const { error } = await run(plan, words);
  expect(error?.message).toContain(message);
  expect(server.api.requests).toEqual([]);
});

describe('status', () => {
  async function published() {
    const { table } = await excel();
    const client = await Client.connect();
    write('decembre.csv', table);
    await run(plan, ['decembre.csv', ...FLAGS, '--out', 'plan.json']);
    const made = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
    const journal = fileJournal(await journalOf(at('plan.json')));
    expect((await runPlan(client, made, { journal })).state).toBe('done');
    return made;
  }

  it('says what is online and what failed where, and fails', async () => {
    await published();
    const pending = await run(status, ['plan.json', ...LIMITS]);
    expect([pending.code, JSON.parse(pending.out).summary]).toEqual([0, '60 pending']);
    server.api.advance(10 * 86_400_000);
    const before = server.api.requests.length;
    const online = await run(status, ['plan.json', ...LIMITS], false);
    expect(online.out).toMatch(/✓ .*Nantes.* Facebook online since\s+2026-12-01 09:\d0 \(UTC\+1\)/);
    expect(online.out).toMatch(/60 online\. [1-3] requests?\./);
    expect(server.api.requests.slice(before).map(({ operation }) => operation)).not.toContain('posts.get');
    const [first] = await (await Client.connect({ rateLimit: { perMinute: 9000, perDay: 90_000 } })).posts.list({
      status: 'published',
      limit: 1,
    });
    server.api.fail({
      operation: 'posts.list',
      status: 200,
      body: [{ ...first, published_facebook: null, status: 'error', error_facebook: 'jeton expiré' }],
      times: 1,
    });
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    vi.stubEnv('GITHUB_STEP_SUMMARY', at('summary.md'));
    const failed = await run(status, ['plan.json', ...LIMITS]);
    expect([failed.code, failed.error?.code]).toEqual([1, 'plan_failed']);
    expect(failed.error?.message).toMatch(/^59 online, 1 failed on Facebook \(.*: jeton expiré\)\.$/);
    expect(failed.err).toMatch(/::error file=.*title=failed::failed: .*: jeton expiré/);
    expect(readFileSync(at('summary.md'), 'utf8')).toContain('Facebook failed: jeton expiré');
  });
});
