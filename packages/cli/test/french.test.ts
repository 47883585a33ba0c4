// cspell:disable the sentences in French
// The commands for plans in French: whole, and only for people.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SAID } from '@multilocal/campaigns/sentences';
import { expect, it, vi } from 'vitest';
import { createClient, optionsOf } from '../src/connection.js';
import { HINT, HINTS, INTERRUPTED } from '../src/errors-said.js';
import { Output } from '../src/output.js';
import { SYNTAX } from '../src/syntax-said.js';
import { MISSING, USAGE } from '../src/usage-said.js';
import { LYON, NANTES, stage } from './plan/stage.js';

/** Words that no sentence in French has. Codes, keys, names of flags and of folders (`…-2iS`) are not sentences. */
const ENGLISH =
  /(?<!\p{L})(?:the|is|was|are|of|and|would|has|have|with|this|not|for|requests?|action [a-z]+s|done|left|nothing|platforms?|line|what|by|since|open|it|again)(?!\p{L})/iu;
const sentences = (text: string) => text.replaceAll(/`[^`]*`|\S+-plan-\S+|--[\w-]+|\w+[._]\w+|::\w+ [^:]*::/g, '');

function expectFrench(text: string | undefined): void {
  for (const line of sentences(text ?? '').split('\n')) expect(line).not.toMatch(ENGLISH);
}

it('a rehearsal, a run, what became of it and the journal', async () => {
  const { api, go, actions, write } = stage(4, 1);
  const fr = '--locale=fr';
  api.connections.change(NANTES, 'facebook', { needs_reconnect: true });
  const past = { ...actions[1], key: 'hier', params: { ...actions[1]?.params, scheduled_at: '2029-11-30T09:00:00Z' } };
  write([...actions, past]);
  const refused = await go('rehearse', fr);
  for (const text of [refused.shown, refused.message, refused.hint, refused.comment]) expectFrench(text);
  expect(refused.message).toMatch(
    /^Le plan a 1 problème\.\nsemaine\.csv:2: .+, Facebook : le compte doit être reconnecté\.$/,
  );
  expect(refused.shown).toContain('Prévu : programmer un post sur Facebook');

  write(actions.slice(1));
  const run = await go('rehearse', fr, '--run', '--yes');
  expectFrench(run.shown);
  expect(run.shown).toContain('Le plan est exécuté : 3 actions, il ne reste rien.');
  // A left-over, a correction and what happened before.
  write([{ ...actions[2], params: { ...actions[2]?.params, content: 'Autre texte' } }, actions[3] as object]);
  const left = await go('rehearse', fr);
  for (const text of [left.shown, left.message, left.hint, left.comment]) expectFrench(text);
  expect(left.shown).toMatch(/en trop.*Toujours programmé/s);
  expect(left.shown).toContain('texte désormais : Autre texte');

  write(actions.slice(1));
  api.posts.failPlatform('facebook', { message: 'Jeton expiré' });
  api.advance(600_000_000);
  const status = await go('status', fr);
  for (const text of [status.shown, status.message, status.hint, status.comment]) expectFrench(text);
  expect(status.message).toContain('en échec sur Facebook');
  const journal = await go('journal', fr);
  expectFrench(journal.shown);
  expect(journal.shown).toMatch(/^résultat +ce qu’on sait\n/);
  const failed = await go('rehearse', fr, '--keep-left-overs');
  for (const text of [failed.shown, failed.message, failed.hint]) expectFrench(text);
});

it('the doctor', async () => {
  const { api, go } = stage(1, 0);
  api.connections.change(NANTES, 'facebook', { needs_reconnect: true });
  api.connections.change(LYON, 'facebook', { expires_at: '2029-12-03T09:00:00Z' });
  const { shown, message } = await go('doctor', '--locale=fr', '--strict');
  expectFrench(`${shown}${message ?? ''}`);
  expect(shown).toContain('✔ ok');
  vi.stubEnv('MULTILOCAL_API_KEY', api.keys.expired);
  const refused = await go('doctor', '--locale=fr');
  expectFrench(refused.shown);
  expect(refused.shown).toMatch(/✖ problème +key/);
});

it('a wait for the limits of the key', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => Response.json([]));
  vi.stubEnv('MULTILOCAL_API_KEY', 'waits_live_1');
  vi.stubEnv('MULTILOCAL_BASE_URL', 'http://localhost:1');
  const write = vi.fn(() => true);
  const output = new Output(false, { write, on: () => {} } as never, { write, on: () => {} } as never);
  output.speak('fr');
  const client = createClient(await optionsOf({ 'per-minute': '1', 'per-day': '9' }, output), output);
  for (const list of [client.spheres, client.bulles]) list.list().catch(() => {});
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  const line = 'bulles.list attend 60 s à cause des limites de la clé (reste 8 requêtes aujourd’hui) : `--max-wait`';
  expect(write.mock.calls.map(String)).toEqual([expect.stringContaining(`multilocal: ${line}`)]);
});

/** Values that some sentences need. The others take words. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  choices: ['plan', 'locale', ['en', 'fr']],
  surplus: ['plan', ['plan'], 2],
  unknownFlag: ['rehearse', 'prun', ['run', 'yes', 'prune']],
  together: ['prune', 'run'],
  noDocument: [(said: string) => said, SYNTAX.empty()],
  row: ['noel.csv:2', 'more'],
  unknownId: ['lion', ['lyon']],
  misspelled: ['ville', ['villes']],
  noValue: ['ville', ['villes']],
  unknownLocation: ['Nantes', 'nante', []],
  day: ['missing'],
  platform: ['facebok', ['facebook']],
  inCell: [3, ' ', SAID.empty()],
  ofColumn: [' ', SAID.empty()],
  valueOfNone: ['lion', ['lyon']],
  unknownField: ['must be one', 'citi', ['city']],
};

/** Each sentence of a table, with its pair. */
const pairsOf = (table: object) =>
  Object.entries(table).flatMap(([name, say]) => {
    const said: unknown = typeof say === 'function' ? say(...(VALUES[name] ?? ['noel', 'noel', 'noel'])) : say;
    const pairs = [said].flat(1) as (string | readonly string[])[];
    return (typeof pairs[0] === 'string' ? [pairs] : pairs).map((pair) => [name, pair] as const);
  });

it('has a pair for each sentence of a hint, a usage error, a file, and a cell', () => {
  const tables = [HINTS, HINT, INTERRUPTED, MISSING, USAGE, SYNTAX, SAID];
  for (const [name, [en, fr, ...rest]] of tables.flatMap(pairsOf)) {
    expect([fr, rest], name).not.toEqual([en, []]);
    expect(rest, name).toEqual([]);
    expectFrench(fr as string);
  }
});

it('has no sentence in one language only where a command speaks both', () => {
  const folder = (name: string) => join(import.meta.dirname, '../src', name);
  const within = (name: string) => readdirSync(folder(name)).map((file) => join(folder(name), file));
  const tables = within('../../campaigns/src').filter((file) => /campaign|rows|table|template/.test(basename(file)));
  const files = [...within('plan'), ...within('campaign'), ...tables];
  const commands = ['plan', 'rehearse', 'status', 'journal', 'doctor'].map((name) => folder(`commands/${name}.ts`));
  const alone = /(?:UsageError\(|said: |message: |report\(.*, )['`][a-zA-Z]+ .*/g;
  for (const file of [...files, ...commands, folder('flags.ts'), folder('connection.ts'), folder('ask.ts')])
    expect(readFileSync(file, 'utf8').match(alone), file).toBeNull();
});

it.each<[string, RegExp, ...string[]]>([
  ['doctor', /ne connaît pas `--strickt`\. Vouliez-vous dire `--strict`/, '--strickt'],
  ['rehearse', /ne va pas avec `--run`/, '--offline', '--run'],
  ['rehearse', /`--report` doit être/, '--report=pdf'],
  ['rehearse', /`--journal` a deux valeurs/, '--journal=a', '--journal=b'],
  ['rehearse', /plan\.json:1:3: Le fichier n’est pas du JSON/, '--offline'],
  ['status', /`--calendar` demande un fichier/, '--calendar=page.pdf'],
  ['journal', /va avec `journal settle`/, '--by=lea'],
  ['doctor', /ne peut être lu \(ENOENT\)/, '--key-file=/none'],
])('%s says %s', async (name, message, ...flags) => {
  const { go, cwd } = stage(1, 0);
  if (flags.length === 1 && flags[0] === '--offline') writeFileSync(join(cwd, 'plan.json'), '{ actions: [] }');
  const failure = await go(name as 'doctor', '--locale=fr', ...flags);
  expect(failure.message).toMatch(message);
  for (const text of [failure.message, failure.hint]) expectFrench(text?.replaceAll(/\S+\.json:\S+/g, ''));
});

it('a table, a campaign and their files', async () => {
  const { go, cwd } = stage(1, 0);
  const table = join(cwd, 'semaine.csv');
  const plan = async (text: string | Buffer, ...flags: string[]) => {
    writeFileSync(table, text);
    const { message = '', hint } = await go('plan', table, '--zone=Europe/Paris', '--locale=fr', ...flags);
    for (const said of [message, hint]) expectFrench(said?.replaceAll(/\S+\.(csv|yaml):\S+/g, ''));
    return message;
  };
  const head = 'Lieu;Date;Heure;Réseaux;Texte;Remarque\n';
  const said = await plan(`${head}Nante;24/12/26;25h;Facebok;#REF!;x\n;2026-12-24;;Google;;\n`);
  expect(said.split('\n').map((line) => line.replace(/^.*?: (?=Ligne|colonne)/, ''))).toEqual([
    'Le tableau a 9 problèmes.',
    'colonne Remarque : aucun post ne l’utilise. Écrivez `_Remarque` pour une note',
    'Ligne 2, colonne Texte : erreur du tableur `#REF!`. Corrigez la cellule',
    expect.stringMatching(/^Ligne 2, colonne Lieu : aucun lieu .* ville\. Vouliez-vous dire `.*Nantes.*` \?$/),
    'Ligne 2, colonne Date : un jour est attendu, tel que 2026-12-24',
    'Ligne 2, colonne Heure : une heure est attendue, telle que 09:00, 9h ou 9h30',
    'Ligne 2, colonne Réseaux : réseau inconnu « facebok ». Vouliez-vous dire `facebook` ?',
    'Ligne 3, colonne Lieu : cellule vide',
    'Ligne 3, colonne Heure : cellule vide',
    'Ligne 3, colonne Texte : cellule vide',
  ]);
  const others: [string | Buffer, RegExp, ...string[]][] = [
    ['Lieu;Date\nLyon;"x\n', /:2 : Les guillemets/],
    ['Lieu;Lieu\nLyon;x\n', /:1 : Deux colonnes/],
    [Buffer.from('Lieu;Texte\nLyon;caf\x82\n', 'latin1'), /ni en UTF-16/],
    [`${head}bul_lyon_croix_rousse;2026-10-25;2h30;gmb;Bonjour;x\n`, /cette heure n’existe pas, ou existe deux fois/],
    [`${head}Nantes;2026-10-25;9h;gmb;${'a'.repeat(5001)};x\n`, /un texte de 1 à 5000 caractères est attendu/],
    [head, /aucune ligne n’a de post/],
    [head, /ne va pas avec `--keep-left-overs`|aucune ligne/, '--prune', '--keep-left-overs'],
    [head, /--date-order` doit être dmy/, '--date-order=ymd'],
  ];
  for (const [text, message, ...flags] of others) expect(await plan(text, ...flags)).toMatch(message);
  const campaign = join(cwd, 'noel.yaml');
  for (const [text, message] of [
    ['campaign: noel\n  at: x\n', /noel\.yaml:\d+:\d+: Le fichier n’est pas du YAML/],
    ['campaign: a/b\nat: 24/12\nzone: Mars\nfor: tous\npost: {}\n', /`zone` : le nom d’un fuseau horaire est attendu/],
    [
      'campaign: a\nat: 2029-12-24T09:00\nzone: Europe/Paris\nfor: { city: Lion }\npost: { platforms: [gmb], content: "À {{citi}}" }\n',
      /`for\.city` : aucun lieu n’a cette valeur\. Vouliez-vous dire `Lyon` \?/,
    ],
  ] as const) {
    writeFileSync(campaign, text);
    const { message: said, hint } = await go('plan', campaign, '--locale=fr');
    expect(said).toMatch(message);
    for (const one of [said, hint]) expectFrench(one?.replaceAll(/\S+\.yaml:\S+/g, ''));
  }
});

it('breaks no line at the spaces of French punctuation', () => {
  const output = new Output(false, stream(true, 24), stream(false));
  expect(output.wrap('Facebook, Instagram, no : « un » !\nx : y')).toBe('Facebook, Instagram,\nno : « un » !\nx : y');
});

it.each([
  [true, 'warning Nine words, of\nwhich two are on a\nsecond line.\n  a row that is laid out\n'],
  [false, 'warning Nine words, of which two are on a second line.\n  a row that is laid out\n'],
])('breaks the lines of a warning on a terminal alone, and between words: %s', (isTTY, shown) => {
  const said: string[] = [];
  const stderr = { ...(stream(isTTY, 22) as object), write: (text: string) => said.push(text) } as never;
  new Output(false, stream(isTTY, 22), stderr).warn(
    'Nine words, of which two are on a second line.\n  a row that is laid out',
  );
  expect(said).toEqual([shown]);
});

const stream = (isTTY: boolean, columns = 80) => ({ write: () => true, on: () => {}, isTTY, columns }) as never;
it.each<[boolean | undefined, boolean, string | undefined, NodeJS.ProcessEnv, 'en' | 'fr']>([
  [false, true, undefined, { LANG: 'fr_FR.UTF-8' }, 'fr'],
  [false, true, undefined, { LC_ALL: 'C', LANG: 'fr_FR.UTF-8' }, 'en'],
  [false, true, 'en', { LANG: 'fr_FR.UTF-8' }, 'en'],
  [false, true, undefined, { LANG: 'fro' }, 'en'],
  [false, false, undefined, { LANG: 'fr_FR.UTF-8' }, 'en'],
  [false, false, 'fr', {}, 'fr'],
  [true, true, 'fr', { LANG: 'fr' }, 'en'],
  [undefined, false, 'fr', {}, 'en'],
])('JSON %s, terminal %s, --locale %s, %o: %s', (isJson, isTTY, given, env, locale) => {
  const output = new Output(isJson, stream(isTTY), stream(false));
  output.speak(given, env);
  expect(output.locale).toBe(locale);
});
