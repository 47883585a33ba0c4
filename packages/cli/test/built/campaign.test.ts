// `multilocal plan` as a person and a script see it. packages/campaigns/test has the rules of campaigns and calendars.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { refusals, run, startMock, temporaryFolder } from './support.js';

const NOW = '2026-11-22T09:00:00Z';
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
  cwd = temporaryFolder();
  mock = await startMock({ now: NOW });
  write('campaign.yaml', CAMPAIGN);
  write('rows.csv', ROWS);
});

const write = (file: string, text: string) => writeFileSync(join(cwd, file), text);
const read = (file: string) => readFileSync(join(cwd, file), 'utf8');

/** Runs `multilocal plan` with these words. */
const plan = (words: string) => run(['plan', ...words.split(' ')], { cwd, env: mock.env });

it('prints the plan of a campaign and its rows after one request, and two for the accounts', async () => {
  const { stdout, stderr, code } = await plan('campaign.yaml --rows rows.csv');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    $schema: './node_modules/multilocal/dist/plan.schema.json',
    name: 'noel-2026',
    actions: [
      [
        'bul_nantes_talensac',
        'rows.csv:3',
        /^Les Fournils d'Augustine – Nantes Talensac ferme à 15 h, "joyeuses fêtes"\.$/,
      ],
      [
        'bul_lyon_croix_rousse',
        'rows.csv:5',
        /^Les Fournils d'Augustine – Lyon Croix-Rousse ferme à 16 h, "joyeuses fêtes"\.$/,
      ],
    ].map(([bulle_id, source, content]) => ({
      key: `noel-2026/${bulle_id}`,
      source,
      operation: 'posts.create',
      params: {
        bulle_id,
        platforms: ['facebook'],
        content: expect.stringMatching(content as RegExp),
        scheduled_at: '2026-12-24T09:00:00+01:00',
      },
    })),
  });
  expect(stderr).toMatch(/^2 actions\.\nhash [\da-f]{64}\n$/m);
  expect((await plan('campaign.yaml --rows rows.csv --no-json')).stdout.replace(/\s/g, '')).toBe(
    stdout.replace(/\s/g, ''),
  );
  const requests = ['bulles.list', 'connections.list', 'platforms.limits'];
  expect(mock.api.requests.map(({ operation }) => operation)).toEqual([...requests, ...requests]);
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
  write('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await plan(
    'campaign.yaml --rows rows.csv --out plan.json --calendar looks.html --title Noël --client Léa --brand A --logo logo.svg',
  );
  const [, brand, title] =
    /<p class="brand" dir="auto">(.*)<\/p>\n<h1 dir="auto">(.*)<\/h1>/.exec(read('looks.html')) ?? [];
  expect([brand, title]).toEqual(['A · For Léa', 'Noël']);
  expect(read('looks.html')).toContain('<img class="logo" src="data:image/svg+xml;base64,PHN2');
  expect(read('noel.html')).toContain(hash);
  await plan('campaign.yaml --rows rows.csv --out plan.json --calendar noel.ics');
  await plan('campaign.yaml --rows rows.csv --out plan.json --calendar noel.CSV');
  expect(read('noel.ics')).toMatch(/^BEGIN:VCALENDAR/);
  expect(read('noel.CSV')).toContain('"bul_nantes_talensac","Les Fournils');
  expect(readdirSync(cwd).sort().join()).toBe(
    'campaign.yaml,logo.svg,looks.html,noel.CSV,noel.html,noel.ics,plan.json,rows.csv',
  );
  const rehearsal = await run(['rehearse', 'plan.json'], { cwd, env: mock.env });
  expect(JSON.parse(rehearsal.stdout)).toMatchObject({ ok: true, actions: [{ state: 'ready' }, { state: 'ready' }] });
});

it('writes nothing for a wrong campaign or wrong words, and says where each problem stands', async () => {
  write('many.yaml', CAMPAIGN.replace('{{closing|16 h}}', '{{clsing}}'));
  write(
    'many.csv',
    'bulle_id,closing\nbul_lyon,1\n"bul_nantes_talensac","a\nb"\n\nbul_nantes_talensac,2\nbul_lyon_croix_rousse,3\n',
  );
  // No location could carry it out, so it costs no request.
  write('zone.yaml', CAMPAIGN.replace('Europe/Paris', 'Europe/Lyon').replace('zone', 'zonne'));
  write('no.yaml', 'at: "x');
  write('itself.yaml', 'post: &a\n  - *a');
  write('id.csv', 'id,closing\nx,1');
  write('t.csv', 'Lieu;Date\nx;y\n');
  write('columns.json', '{ "Texte": "texte" }');
  const files = readdirSync(cwd);
  const words = [
    'many.yaml --rows many.csv --out plan.json --calendar noel.html',
    'zone.yaml',
    'no.yaml',
    'itself.yaml',
    'campaign.yaml',
    'campaign.yaml --rows id.csv',
    'campaign.yaml --rows .',
    'noel.yaml',
    'campaign.yaml --calendar noel.pdf',
    'campaign.yaml --logo rows.csv',
    'campaign.yaml --out ./campaign.yaml',
    'campaign.yaml --rows rows.csv --out none/plan.json',
    // Tables of posts.
    't.csv',
    't.csv --zone UTC --rows rows.csv',
    't.csv --zone Europe/Lyon',
    't.csv --zone UTC --zone Europe/Paris',
    't.csv --zone UTC --zone a=UTC --zone a=Europe/Paris',
    't.csv --zone UTC --zone a=Europe/Paris=',
    't.csv --zone a=UTC',
    't.csv --zone UTC --columns columns.json',
    'campaign.yaml --zone UTC',
  ];
  const text = await refusals(words.map((one) => [`plan ${one}`, { cwd }]));
  await expect(text).toMatchFileSnapshot('snapshots/refused-plan.txt');
  expect(readdirSync(cwd)).toEqual(files);
});
