// From an Excel export of 60 posts to a plan, a calendar and a status.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'multilocal';
import { fileJournal } from 'multilocal/node';
import { runPlan } from 'multilocal/plans';
import { beforeEach, expect, it } from 'vitest';
import { journalOf } from '../../src/plan/journals.js';
import { run as runCommand, startMock, temporaryFolder } from './support.js';

const NOW = '2026-11-22T09:00:00Z';
let cwd: string;
let mock: Awaited<ReturnType<typeof startMock>>;
beforeEach(async () => {
  cwd = temporaryFolder();
  mock = await startMock({ now: NOW, bulles: 40, rateLimit: { perMinute: 10_000, perDay: 100_000 } });
});

const write = (file: string, text: string | Uint8Array) => writeFileSync(join(cwd, file), text);
const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
const connect = () =>
  Client.connect({
    apiKey: mock.env.MULTILOCAL_API_KEY,
    baseUrl: mock.url,
    rateLimit: { perMinute: 9_000, perDay: 90_000 },
  });

/** Runs a command. */
async function run(words: string, env: object = {}) {
  const result = await runCommand(words.split(' '), { cwd, env: { ...mock.env, ...env } });
  return { ...result, document: words.includes('--no-json') ? undefined : JSON.parse(result.stdout) };
}

/** 60 posts for 40 locations, as a French Excel writes them. */
async function excel(change: (line: string, index: number) => string = (line) => line) {
  const client = await connect();
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
  return table;
}

// The commands share the limits of one process here.
const LIMITS = '--per-minute 9000 --per-day 90000';
const FLAGS = `--zone Europe/Paris --date-order dmy ${LIMITS} --out plan.json`;

it('makes a plan and a calendar of the export of an Excel', async () => {
  write('decembre.csv', `\ufeff${await excel()}`);
  const { code, document } = await run(`plan decembre.csv ${FLAGS} --calendar cal.html --locale fr`);
  expect([code, document]).toMatchObject([0, { actions: 60, hash: expect.stringMatching(/^[\da-f]{64}$/) }]);
  const made = JSON.parse(read('plan.json'));
  expect(made).toMatchObject({ name: 'decembre', actions: expect.objectContaining({ length: 60 }) });
  expect(made.actions[1]).toMatchObject({
    key: expect.stringMatching(/^decembre\/bul_\w+\/2026-12-01T09:30$/),
    // Each post has two lines.
    source: 'decembre.csv:4 (row 3)',
    params: {
      content: expect.stringContaining('Fournée n° 2 : « à l’épeautre »;\nà '),
      scheduled_at: '2026-12-01T09:30:00+01:00',
    },
  });
  expect(read('cal.html')).toContain('<html lang="fr">');
});

const HEAD = 'Lieu;Date;Heure;Réseaux;Texte';

it('names each account that cannot publish once, before a client approves', async () => {
  const bulle_id = 'bul_nantes_talensac';
  mock.api.connections.change(bulle_id, 'facebook', { needs_reconnect: true });
  const rows = ['2026-12-24', '2026-12-25'].map((date) => `${bulle_id};${date};9h;Facebook;Ouvert`);
  write('t.csv', [HEAD, ...rows].join('\n'));
  const made = await run('plan t.csv --zone Europe/Paris --out plan.json', { GITHUB_ACTIONS: 'true' });
  expect([made.code, made.document.warnings]).toEqual([
    0,
    [expect.stringMatching(/Nantes Talensac, Facebook: the account .* must be connected again/)],
  ]);
  expect(made.stderr).toMatch(/::warning file=.*t\.csv::.*Nantes Talensac, Facebook/);
});

it('reads files in Windows-1252, which is said, with other headings and the zones of single locations', async () => {
  const post = `${HEAD.replace('Texte', 'Message')}\r\nbul_nantes_talensac;2026-12-24;9h;Facebook;À l\u0092été\r\n`;
  write('t.csv', Buffer.from(post, 'latin1'));
  write('columns.json', '{ "Message": "text" }');
  const zones = '--zone Europe/Paris --zone bul_nantes_talensac=Indian/Reunion';
  const { code, document, stderr } = await run(`plan t.csv ${zones} --columns columns.json --name été`);
  const params = { content: 'À l’été', scheduled_at: '2026-12-24T09:00:00+04:00' };
  expect([code, document]).toMatchObject([0, { name: 'été', actions: [{ params }] }]);
  expect(stderr).toContain('read as Windows-1252');
});

it('names file, line, row and column of every problem, and writes nothing', async () => {
  const table = await excel((line, index) =>
    index === 1 ? line.replace('Facebook', 'Facebok') : index === 2 ? line.replace('01/12', '31/11') : line,
  );
  write('decembre.csv', table.replace('Texte;;', 'Texte;Remarque;').replace(';;\r\n', ';oui;\r\n'));
  const { code, document } = await run(`plan decembre.csv ${FLAGS}`);
  const problem = (line: number, code: string, message: string) => ({
    ...{ file: 'decembre.csv', line, column: 1, code },
    message: expect.stringContaining(message),
  });
  expect([code, document.error.code, document.problems]).toEqual([
    1,
    'campaign_invalid',
    [
      problem(1, 'unused_column', 'column Remarque: no post uses it'),
      // Each post has two lines.
      problem(4, 'unknown_platform', 'Row 3, column Réseaux: has an unknown platform "facebok"'),
      problem(6, 'invalid_date', 'Row 4, column Date: must be a day that exists'),
    ],
  ]);
  expect(document.error.message).toContain('The table has 3 problems.');
  expect(() => read('plan.json')).toThrow();
});

it('status says what is online and what failed where, and fails', async () => {
  write('decembre.csv', await excel());
  await run(`plan decembre.csv ${FLAGS}`);
  const client = await connect();
  const journal = fileJournal(await journalOf(join(cwd, 'plan.json')));
  expect((await runPlan(client, JSON.parse(read('plan.json')), { journal })).state).toBe('done');
  const pending = await run(`status plan.json ${LIMITS}`);
  expect([pending.code, pending.document.summary]).toEqual([0, '60 pending']);
  mock.api.advance(10 * 86_400_000);
  const [first] = await client.posts.list({ status: 'published', limit: 1 });
  const body = [{ ...first, published_facebook: null, status: 'error', error_facebook: 'jeton expiré' }];
  mock.api.fail({ operation: 'posts.list', status: 200, body, times: 1 });
  const more = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
  const failed = await run(`status plan.json ${LIMITS} --calendar friday.html --locale fr --client Léa`, more);
  expect([failed.code, failed.document.error.code]).toEqual([1, 'plan_failed']);
  expect(failed.document.error.message).toMatch(/^59 online, 1 failed on Facebook \(.*: jeton expiré\)\.$/);
  expect(failed.stderr).toMatch(/::error file=.*title=failed::failed: .*: jeton expiré/);
  expect(read('friday.html')).toMatch(/Pour Léa.*>decembre<.*60 publications · 59 en ligne · 1 en échec/s);
  expect(read('friday.html')).toMatch(/<li class="failed">Facebook en échec : jeton expiré<\/li>/);
  expect(read('friday.html')).toMatch(/<li class="online">Facebook 09:\d0<\/li>/);
  expect(read('summary.md')).toContain('Facebook failed: jeton expiré');
  const before = mock.api.requests.length;
  const online = await run(`status plan.json ${LIMITS} --no-json --all`);
  expect(online.stdout).toMatch(/✓ .*Nantes.* Facebook online since\s+2026-12-01 09:\d0 \(UTC\+1\)/);
  expect(online.stdout).toMatch(/60 online\. [1-3] requests?\./);
  expect(mock.api.requests.slice(before).map(({ operation }) => operation)).not.toContain('posts.get');
});
