// `multilocal plan` as a person and a script see it. packages/plans/test has the rules of campaigns and calendars.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { run, startMock } from './support.js';

const CAMPAIGN = `campaign: noel-2026
at: 2026-12-24T09:00
zone: Europe/Paris
for: rows
post: &post
  platforms: [facebook]
  content: "{{name}} ferme à {{closing|16 h}}, \\"joyeuses fêtes\\"."
`;
const ROWS = `bulle_id;closing;_note\r\n\r\nbul_nantes_talensac;15 h;"a\nb"\r\nbul_lyon_croix_rousse; ;\r\n`;

let cwd: string;
let mock: Awaited<ReturnType<typeof startMock>>;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'multilocal-campaign-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mock = await startMock({ now: '2026-11-22T09:00:00Z' });
  write('campaign.yaml', CAMPAIGN);
  write('rows.csv', ROWS);
});

const write = (file: string, text: string | Uint8Array) => writeFileSync(join(cwd, file), text);
const read = (file: string) => readFileSync(join(cwd, file), 'utf8');

/** Runs `multilocal plan` with these words. */
const plan = (words: string, options: object = {}) =>
  run(['plan', ...words.split(' ')], { cwd, env: mock.env, ...options });

async function refusal(words: string) {
  const files = readdirSync(cwd);
  const { stdout, code } = await plan(words);
  expect(readdirSync(cwd)).toEqual(files);
  const { error, problems = [] } = JSON.parse(stdout);
  const lines = problems.map(
    (one: Record<string, unknown>) => `${one.file}:${one.line}:${one.column} ${one.code} ${one.message}`,
  );
  return { error, lines, code };
}

it('prints the plan of a campaign and its rows after one request, and two for the accounts', async () => {
  const { stdout, stderr, code } = await plan('campaign.yaml --rows rows.csv');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    $schema: './node_modules/multilocal/dist/plan.schema.json',
    name: 'noel-2026',
    actions: [
      ['bul_nantes_talensac', /^Les Fournils d'Augustine – Nantes Talensac ferme à 15 h, "joyeuses fêtes"\.$/],
      ['bul_lyon_croix_rousse', /^Les Fournils d'Augustine – Lyon Croix-Rousse ferme à 16 h, "joyeuses fêtes"\.$/],
    ].map(([bulle_id, content]) => ({
      key: `noel-2026/${bulle_id}`,
      operation: 'posts.create',
      params: {
        bulle_id,
        platforms: ['facebook'],
        content: expect.stringMatching(content as RegExp),
        scheduled_at: '2026-12-24T09:00:00+01:00',
      },
    })),
  });
  expect(stderr).toMatch(/^2 actions, hash [\da-f]{64}\n$/m);
  expect(mock.api.requests.map(({ operation }) => operation)).toEqual([
    'bulles.list',
    'connections.list',
    'platforms.limits',
  ]);
});

it('prints the same document to a person', async () => {
  const { stdout } = await plan('campaign.yaml --rows rows.csv --no-json');
  expect(JSON.parse(stdout).actions).toHaveLength(2);
});

it('writes plan and calendars, which `rehearse` and people read', async () => {
  write('plan.json', 'old');
  const first = await plan('campaign.yaml --rows rows.csv --out plan.json --calendar noel.html');
  const { hash } = JSON.parse(first.stdout);
  expect(JSON.parse(first.stdout)).toEqual({
    plan: 'plan.json',
    calendar: 'noel.html',
    actions: 2,
    hash: expect.stringMatching(/^[\da-f]{64}$/),
    // Before the client approves.
    warnings: [
      expect.stringMatching(/Lyon Croix-Rousse, Facebook: the access to the account ends .* before the post is due/),
    ],
  });
  expect(JSON.parse(read('plan.json')).$schema).toBe('./node_modules/multilocal/dist/plan.schema.json');
  expect(read('noel.html')).toContain('<h1 dir="auto">noel-2026</h1>');
  expect(read('noel.html')).toContain(hash);
  await plan('campaign.yaml --rows rows.csv --out plan.json --calendar noel.ics');
  await plan('campaign.yaml --rows rows.csv --out plan.json --calendar noel.CSV');
  expect(read('noel.ics')).toMatch(/^BEGIN:VCALENDAR/);
  expect(read('noel.CSV')).toContain('"bul_nantes_talensac","Les Fournils');
  expect(readdirSync(cwd).sort()).toEqual([
    'campaign.yaml',
    'noel.CSV',
    'noel.html',
    'noel.ics',
    'plan.json',
    'rows.csv',
  ]);
  const rehearsal = await run(['rehearse', 'plan.json'], { cwd, env: mock.env });
  expect(JSON.parse(rehearsal.stdout)).toMatchObject({ ok: true, actions: [{ state: 'ready' }, { state: 'ready' }] });
});

describe('a campaign with problems', () => {
  it('writes nothing and says where each problem stands', async () => {
    write(
      'rows.csv',
      'bulle_id,closing\nbul_lyon,1\n"bul_nantes_talensac","a\nb"\n\nbul_nantes_talensac,2\nbul_lyon_croix_rousse,3\n',
    );
    write('campaign.yaml', CAMPAIGN.replace('{{closing|16 h}}', '{{clsing}}'));
    const { error, lines, code } = await refusal('campaign.yaml --rows rows.csv --out plan.json --calendar noel.html');
    expect(code).toBe(1);
    expect(error).toMatchObject({
      code: 'campaign_invalid',
      outcome: 'not_applied',
      hint: expect.stringContaining('Nothing was written'),
    });
    expect(lines).toEqual([
      expect.stringMatching(/^rows\.csv:2:1 unknown_location `rows\[0\]\.bulle_id` is not the id/),
      expect.stringMatching(
        /^rows\.csv:6:1 repeated_location bul_nantes_talensac: `rows\[2\]\.bulle_id` is in an earlier row/,
      ),
      expect.stringMatching(
        /^campaign\.yaml:7:3 missing_value bul_lyon_croix_rousse: `post\.content` has no value.*`closing`\?$/,
      ),
    ]);
    expect(error.message).toContain('The campaign has 3 problems.\nrows.csv:2:1: ');
  });

  it('spends no request if no location could carry it out', async () => {
    write('campaign.yaml', CAMPAIGN.replace('Europe/Paris', 'Europe/Lyon').replace('zone', 'zonne'));
    const { lines, code } = await refusal('campaign.yaml');
    expect([code, lines]).toEqual([
      1,
      [
        expect.stringMatching(/^campaign\.yaml:1:1 invalid_request `zone` is required/),
        expect.stringMatching(
          /^campaign\.yaml:3:1 invalid_request `zonne` is an unknown parameter\. Did you mean `zone`\?/,
        ),
      ],
    ]);
    expect(mock.api.requests).toEqual([]);
  });

  it('says that rows are missing in the words of the command line', async () => {
    const { error } = await refusal('campaign.yaml');
    expect(error.message).toContain('The campaign needs `--rows`, because `for` is "rows".');
  });
});

describe('the command is wrong', () => {
  it.each<[string, string, string]>([
    ['another ending', 'campaign.yaml --calendar noel.pdf', '.html, .ics or .csv'],
    ['the campaign as a result', 'campaign.yaml --out ./campaign.yaml', 'named twice'],
    ['a missing campaign', 'noel.yaml', 'noel.yaml cannot be read (ENOENT)'],
    ['a folder as rows', 'campaign.yaml --rows .', 'cannot be read (EISDIR)'],
  ])('with %s', async (_, words, message) => {
    const { error, code } = await refusal(words);
    expect([code, error.code]).toEqual([2, 'usage']);
    expect(error.message).toContain(message);
    expect(mock.api.requests).toEqual([]);
  });

  it.each<[string, string, string | Uint8Array, string]>([
    ['a campaign that is no YAML', 'campaign.yaml', 'at: "x', 'campaign.yaml:1:'],
    [
      'a campaign that refers to itself',
      'campaign.yaml',
      'post: &a\n  - *a',
      'campaign.yaml:2:5: The file is not a campaign',
    ],
    ['rows without a bulle_id', 'rows.csv', 'id,closing\nx,1', 'rows.csv:1: There is no column `bulle_id`.'],
  ])('with %s', async (_, file, text, message) => {
    write(file, text);
    const { error, code } = await refusal('campaign.yaml --rows rows.csv');
    expect([code, error.code]).toEqual([2, 'usage']);
    expect(error.message).toContain(message);
  });

  it('with a folder that does not exist', async () => {
    const { stdout, code } = await plan('campaign.yaml --rows rows.csv --out none/plan.json');
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'file_unusable']);
    expect(existsSync(join(cwd, 'none'))).toBe(false);
  });
});
