// What `rehearse`, `status`, `journal` and `plan` say and do about a plan: what is shown before the question, what is asked, and what a run finds out.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BULLE, folder, post, social } from '@multilocal/plans/test/helpers';
import { createMockApi } from 'multilocal/mock/server';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, choose } from '../../src/ask.js';
import { journal } from '../../src/commands/journal.js';
import { plan as planCommand } from '../../src/commands/plan.js';
import { rehearse } from '../../src/commands/rehearse.js';
import { status } from '../../src/commands/status.js';
import { readWords } from '../../src/flags.js';
import { Output } from '../../src/output.js';

vi.hoisted(() => vi.resetModules());
vi.mock('../../src/ask.js', () => ({ ask: vi.fn(), choose: vi.fn() }));
afterAll(() => {
  vi.doUnmock('../../src/ask.js');
  vi.resetModules();
});

const COMMANDS = { rehearse, status, journal, plan: planCommand };

beforeEach(() => {
  vi.mocked(ask).mockReset().mockResolvedValue(true);
  vi.mocked(choose).mockReset().mockResolvedValue('stop');
});

type Body = Record<string, unknown>;

/** A folder and a service. `onRequest` is called after each response. */
function stage(onRequest: (body: string, api: ReturnType<typeof createMockApi>) => unknown = () => {}) {
  const api = createMockApi();
  vi.stubEnv('MULTILOCAL_API_KEY', api.keys.sphere);
  vi.stubEnv('MULTILOCAL_BASE_URL', api.baseUrl);
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    const body = request.method === 'POST' ? await request.clone().text() : '';
    const response = await api.handle(request);
    await onRequest(body, api);
    return response;
  });
  const cwd = folder();
  const stop = new AbortController();
  const at = (name: string) => join(cwd, name);
  const write = (name: string, ...actions: object[]) => writeFileSync(at(name), JSON.stringify({ actions }));
  /** Runs a command: its exit code, or that of its error, its document, and all that it printed, in order. */
  const run = async (command: keyof typeof COMMANDS, ...words: string[]) => {
    let shown = '';
    let data = '{}';
    const isTerminal = words.includes('--no-json');
    const stream = (isData: boolean) => {
      const write = (text: string) => {
        shown += text;
        if (isData) data = text;
        return true;
      };
      return { write, on: () => {}, isTTY: isTerminal, columns: 100 } as never;
    };
    Object.assign(process.stdin, { isTTY: isTerminal });
    const output = new Output(!isTerminal, stream(true), stream(false));
    const [name = '', ...rest] = words;
    const limits = command === 'journal' ? [] : ['--per-minute', '9999', '--per-day', '9999'];
    const raw = [command === 'journal' ? name : at(name), ...rest.filter((word) => word !== '--no-json'), ...limits];
    const given = { ...readWords(command, COMMANDS[command], raw), output, signal: AbortSignal.any([stop.signal]) };
    const {
      exitCode: code = 0,
      message = '',
      cause,
      details,
    } = await COMMANDS[command].run(given).then(
      (exitCode) => ({ exitCode }) as Body,
      (error) => error,
    );
    const { hint = '', outcome } = Object(cause);
    const document: Body = details ?? (isTerminal ? {} : JSON.parse(data));
    return { code, message: String(message), hint: String(hint), outcome, document, shown };
  };
  const made = () => api.posts.all().flatMap(({ id, content }) => (id > 1000 ? [content] : []));
  return { api, run, stop, write, at, made };
}

const dated = (key: string, content: string, day: number, more: object = {}) => ({
  key,
  ...post(content, { scheduled_at: `2035-12-${day}T09:00:00+01:00`, ...more }),
});

it('a twin that was made after the rehearsal stops a run with `--yes`, unless `--again` is set', async () => {
  let isMade = false;
  const { run, write, made } = stage(async (body, api) => {
    if (isMade || !body.includes('dry_run')) return;
    isMade = true;
    const headers = { 'x-api-key': api.keys.sphere, 'content-type': 'application/json' };
    await api.handle(
      new Request(`${api.baseUrl}/api/v2/posts`, { method: 'POST', headers, body: JSON.stringify(post('Un').params) }),
    );
  });
  write('plan.json', post('Un'));
  expect(await run('rehearse', 'plan.json', '--run', '--yes')).toMatchObject({ code: 1 });
  expect(made()).toEqual(['Un']);
  expect(await run('rehearse', 'plan.json', '--run', '--yes', '--again')).toMatchObject({ code: 0 });
  expect(made()).toEqual(['Un', 'Un']);
});

it('Ctrl-C with `--keep-going` says that something may have happened, wherever that is', async () => {
  const { run, stop, write } = stage((body, api) => {
    if (!body.includes('Trois')) return;
    if (!body.includes('dry_run')) stop.abort();
    api.fail({ operation: 'posts.create', status: 422, times: 1 });
    api.fail({ operation: 'social.publish', network: true });
  });
  write('plan.json', post('Un'), social, post('Trois'));
  const found = await run('rehearse', 'plan.json', '--run', '--yes', '--keep-going');
  expect(found).toMatchObject({ code: 130, outcome: 'unknown' });
});

it.each([0, 1])('what nothing can look up is to be settled: lost after %i previews', async (previews) => {
  const { run, write, api, at } = stage();
  write('plan.json', social, post('Un'));
  if (previews > 0) api.fail({ operation: 'social.publish', delay: 0 });
  api.fail({ operation: 'social.publish', network: true, applied: true });
  let said = '';
  for (const flags of [['--run', '--yes'], [], ['--run', '--yes']]) {
    const { code, message, hint, outcome, document } = await run('rehearse', 'plan.json', ...flags);
    expect([code, outcome, document.unresolved]).toEqual([5, 'unknown', [0]]);
    expect(`${message} ${hint}`).not.toMatch(/nothing was|a run looks first/i);
    said = message;
  }
  expect(api.requests.filter(({ operation }) => operation === 'social.publish')).toHaveLength(previews + 1);
  expect(said).toContain(`\`npx multilocal journal settle --journal ${at('multilocal.journal.json')} `);
});

it.each(['rehearse', 'status'] as const)('`%s` writes no report over its plan or its journal', async (command) => {
  const { run, write, at } = stage();
  write('noel.json', dated('a', 'Marché', 14));
  await run('rehearse', 'noel.json', '--run', '--yes');
  const files = ['noel.json', 'multilocal.journal.json'].map(at);
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  for (const file of files)
    await expect(run(command, 'noel.json', '--report', `markdown=${file}`)).resolves.toMatchObject({
      message: expect.stringContaining('named twice'),
    });
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(texts);
});

it('a plan has the name of its file in one Unicode form, and a deletion is done', async () => {
  const { run, write, api, made } = stage();
  for (const [form, content] of [
    ['NFD', 'Un'],
    ['NFC', 'Deux'],
  ] as const) {
    write('décembre.json'.normalize(form), dated('a', content, 14));
    await run('rehearse', 'décembre.json'.normalize(form), '--run', '--yes');
  }
  expect(made()).toEqual(['Deux']);
  write('plan.json', { operation: 'posts.delete', params: { post_id: api.posts.all().at(-1)?.id } });
  await run('rehearse', 'plan.json', '--run', '--yes');
  expect((await run('status', 'plan.json')).document).toMatchObject({ summary: '1 done' });
});

it('a publication that the plan no longer has is not to be pruned', async () => {
  const { run, write } = stage();
  const later = { ...social.params, scheduled_at: '2035-12-14T09:00:00Z' };
  write('noel.json', { key: 'a', ...social, params: later });
  await run('rehearse', 'noel.json', '--run', '--yes');
  write('noel.json', { key: 'b', ...social, params: { ...later, text: 'Autre' } });
  const { message, hint } = await run('rehearse', 'noel.json');
  expect([message, hint]).toEqual([
    expect.stringContaining('No plan changes or deletes it'),
    expect.not.stringContaining('--prune'),
  ]);
});

describe('posts that the plan no longer has', () => {
  const FIRST = [dated('a', 'Marché de Noël', 14), dated('b', 'Brioche', 15)];
  const staged = async (...second: object[]) => {
    const all = stage();
    all.write('noel.json', ...FIRST);
    await all.run('rehearse', 'noel.json', '--run', '--yes');
    all.write('noel.json', ...second);
    return all;
  };

  it('stop a run off a terminal, which names each one whole and the three flags', async () => {
    const { run, made } = await staged(dated('a', 'Marché de Noël', 14));
    for (const flags of [[], ['--run', '--yes'], ['--run', '--yes', '--keep-going']]) {
      const { code, message, hint, document } = await run('rehearse', 'noel.json', ...flags);
      expect([code, message]).toEqual([1, expect.stringContaining('b: The plan no longer has this post (id 1002)')]);
      expect(hint).toMatch(/`--prune`.*`--keep-left-overs`.*`--allow-mass-deletion`/);
      const summary = expect.stringMatching(
        /Lyon Croix-Rousse: post on Facebook for 2035-12-15 09:00 \(UTC\+1\)\nBrioche/,
      );
      expect(document).toMatchObject({ hash: '', leftOvers: [{ key: 'b', ids: [1002], step: 'refuse', summary }] });
    }
    expect(made()).toEqual(['Marché de Noël', 'Brioche']);
  });

  const MOVED = [dated('a', 'Marché de Noël', 14), dated('c', 'Brioche', 16)];
  it.each<[what: string, flags: string[], second: object[], texts: string[], steps: string[]]>([
    ['--prune deletes', ['--prune'], FIRST.slice(0, 1), ['Marché de Noël'], ['applied', 'applied']],
    ['--prune moves', ['--prune'], MOVED, ['Marché de Noël', 'Brioche'], ['applied', 'applied']],
    ['--keep-left-overs', ['--keep-left-overs'], FIRST.slice(0, 1), ['Marché de Noël', 'Brioche'], ['applied']],
  ])('%s them: rehearsal, approval and run agree', async (_, flags, second, texts, steps) => {
    const { run, made, api } = await staged(...second);
    const { code, document } = await run('rehearse', 'noel.json', ...flags);
    expect(code).toBe(0);
    const ran = await run('rehearse', 'noel.json', ...flags, '--run', '--yes', '--approved', String(document.hash));
    expect(ran).toMatchObject({ code: 0, document: { state: 'done' } });
    expect((ran.document.steps as Body[]).map(({ outcome }) => outcome)).toEqual(steps);
    expect(made()).toEqual(texts);
    expect(api.requests.filter(({ method, path }) => method === 'POST' && path === '/api/v2/posts').length).toBe(4);
  });

  it.each([
    ['prune', 0, 'Carry out 1 action and delete 1 post?', ['Marché corrigé']],
    ['keep', 0, 'Carry out 1 action?', ['Marché corrigé', 'Brioche']],
    ['stop', 1, undefined, ['Marché de Noël', 'Brioche']],
  ])('are asked about on a terminal, and stand whole above the question: %s', async (answer, exit, question, texts) => {
    const { run, made } = await staged(dated('a', 'Marché corrigé', 14));
    vi.mocked(choose).mockResolvedValue(answer);
    const { code, shown } = await run('rehearse', 'noel.json', '--run', '--no-json');
    expect([code, made()]).toEqual([exit, texts]);
    expect(vi.mocked(ask).mock.calls.map(([said]) => said)).toEqual(question ? [question] : []);
    expect(vi.mocked(choose).mock.calls.map(([, , choices]) => choices[0]?.[1])).toEqual(['Delete 1 post (--prune)']);
    expect(shown).toMatch(
      /(delete|left over|keep) .*b \(id 1002\)\.\n +Les Fournils.*Lyon.*Facebook for 2035-12-15\s+09:00 \(UTC\+1\)\n +Brioche/,
    );
  });

  it('are counted with those that an action deletes, which stand whole above the question, too', async () => {
    const { run, write, api } = stage();
    const { id } = api.posts.add({ content: 'Ne pas supprimer !', scheduled_at: '2035-12-15T09:00:00Z' });
    write('noel.json', FIRST[0] as object, { operation: 'posts.delete', params: { post_id: id } });
    const { shown } = await run('rehearse', 'noel.json', '--run', '--no-json');
    expect(vi.mocked(ask).mock.calls.map(([said]) => said)).toEqual(['Carry out 1 action and delete 1 post?']);
    expect(shown).toContain('Ne pas supprimer !');
  });

  it('are deleted by the half only with a flag of their own', async () => {
    const { run, write, made } = stage();
    const all = Array.from({ length: 12 }, (_, index) => dated(`k${index}`, `Texte ${index}`, 10 + index));
    write('noel.json', ...all);
    await run('rehearse', 'noel.json', '--run', '--yes');
    write('noel.json', ...all.slice(0, 3));
    const refused = await run('rehearse', 'noel.json', '--run', '--yes', '--prune');
    expect(refused).toMatchObject({ code: 1, message: expect.stringContaining('pass `--allow-mass-deletion`') });
    expect(made()).toHaveLength(12);
    const flags = ['--run', '--yes', '--prune', '--allow-mass-deletion'];
    expect(await run('rehearse', 'noel.json', ...flags)).toMatchObject({ code: 0 });
    expect(made()).toHaveLength(3);
  });
});

it('two plans of a folder have the names of their files: neither overwrites what the other has made', async () => {
  const { run, write, made } = stage();
  write('s49.json', dated('lundi', 'Semaine 49', 14));
  write('s50.json', dated('lundi', 'Semaine 50', 21));
  await run('rehearse', 's49.json', '--run', '--yes');
  const second = await run('rehearse', 's50.json', '--run', '--yes');
  expect(second).toMatchObject({ code: 1, message: expect.stringContaining('belongs to the plan s49') });
  expect(made()).toEqual(['Semaine 49']);
});

it('a journal of a single plan stops every command that would pass it by', async () => {
  const { run, write, at, api } = stage();
  write('noel.json', social);
  writeFileSync(at('noel.json.journal.json'), JSON.stringify({ version: 1, entries: [] }));
  for (const words of [['--run', '--yes'], []])
    expect(await run('rehearse', 'noel.json', ...words)).toMatchObject({
      message: expect.stringMatching(/noel\.json\.journal\.json is a journal of this plan alone/),
    });
  expect(await run('status', 'noel.json')).toMatchObject({ message: expect.stringContaining('Nothing was sent') });
  expect(api.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('what failed on a platform is no success: the rehearsal says where and why, and `--retry-failed` publishes it there alone', async () => {
  const { run, write, api, made } = stage();
  write('noel.json', { key: 'a', ...post('Brioche', { platforms: ['facebook', 'gmb'] }) });
  await run('rehearse', 'noel.json', '--run', '--yes');
  api.posts.failPlatform('facebook', { message: 'jeton expiré' });
  api.advance(2 * 3_600_000);
  const failed = await run('rehearse', 'noel.json', '--run', '--yes');
  expect(failed).toMatchObject({ code: 1, hint: expect.stringContaining('`--retry-failed`') });
  expect(failed.message).toContain('has failed on Facebook: jeton expiré. `--retry-failed` publishes it again there');
  expect(await run('status', 'noel.json')).toMatchObject({ code: 1, hint: expect.stringContaining('--retry-failed') });
  expect(await run('rehearse', 'noel.json', '--run', '--yes', '--retry-failed')).toMatchObject({ code: 0 });
  expect(made()).toEqual(['Brioche', 'Brioche']);
  expect(api.posts.all().at(-1)?.platforms ?? []).toEqual(['facebook']);
});

it('an account that blocks one action names `--keep-going`, whose hash carries out the others', async () => {
  const { run, write, api, made } = stage();
  api.connections.change(BULLE, 'instagram', { connected: false });
  const picture = { platforms: ['instagram'], image_url: 'https://example.com/a.jpg' };
  write('noel.json', dated('a', 'Brioche', 14), dated('b', 'Photo', 15, picture));
  const refused = await run('rehearse', 'noel.json');
  expect(refused).toMatchObject({ code: 1, hint: expect.stringContaining('`--keep-going`'), document: { hash: '' } });
  const { document } = await run('rehearse', 'noel.json', '--keep-going');
  const flags = ['--run', '--yes', '--keep-going', '--approved', String(document.hash)];
  // What is missing is named once more at the end.
  const message = expect.stringMatching(/^Done: 1 of 2 actions\. Left: 1\.\n\S*noel\.json:\d+:\d+: .*Instagram/);
  expect(await run('rehearse', 'noel.json', ...flags)).toMatchObject({
    code: 1,
    message,
    document: { state: 'partly' },
  });
  expect(made()).toEqual(['Brioche']);
});

it('the problems of a table name its rows: in the table, at the end, and where CI shows them', async () => {
  const { run, at } = stage();
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  vi.stubEnv('GITHUB_WORKSPACE', at('.'));
  const action = { ...dated('a', 'x'.repeat(4000), 14, { platforms: ['instagram'] }), source: 'semaine.csv:81' };
  writeFileSync(at('noel.json'), JSON.stringify({ actions: [action] }));
  const first = await run('rehearse', 'noel.json');
  expect([first.message, first.shown]).toEqual([
    expect.stringMatching(/^semaine\.csv:81: /m),
    expect.stringMatching(/::error file=noel\.json,line=1,.*::semaine\.csv:81: /s),
  ]);
  writeFileSync(at('semaine.csv'), '');
  const { shown } = await run('rehearse', 'noel.json', '--no-json');
  expect(shown).toMatch(/^ +source +operation/m);
  expect(shown).toMatch(/::error file=semaine\.csv,line=81,title=/);
});

it('what a run finds out and its rehearsal had not shown is said: to people, in JSON, and where CI shows it', async () => {
  let isMoved = false;
  const { run, write, api, at } = stage(async (body, { posts }) => {
    if (isMoved || !body.includes('dry_run')) return;
    isMoved = true;
    posts.add({ bulle_id: BULLE, content: 'Autre', platforms: ['facebook'], scheduled_at: '2035-12-14T08:30:00Z' });
  });
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  write('noel.json', dated('a', 'Brioche', 14));
  const reports = ['comment.md', 'again.md'].map((file) => `--report=markdown=${at(file)}`);
  const { code, document, shown } = await run('rehearse', 'noel.json', '--run', '--yes', ...reports);
  expect([code, document]).toMatchObject([
    0,
    { warnings: expect.arrayContaining([expect.objectContaining({ code: 'same_account' })]) },
  ]);
  expect(shown).toMatch(/warning.* the service has another post/);
  expect(shown.match(/::warning .*title=same_account/g)).toHaveLength(1);
  for (const file of ['comment.md', 'again.md'])
    expect(readFileSync(at(file), 'utf8')).toMatch(/- warning: .*the service has another post/);
  expect([api.posts.all().length > 0, existsSync(at('noel.json'))]).toEqual([true, true]);
});

it('`plan --prune` gives the hash of the rehearsal with the same choices, and a calendar that shows what is deleted', async () => {
  const { run, at } = stage();
  const table = (...rows: string[]) =>
    writeFileSync(at('noel.csv'), `Lieu;Date;Heure;Réseaux;Texte\n${rows.map((row) => `${BULLE};${row}\n`).join('')}`);
  const make = (...flags: string[]) =>
    run('plan', 'noel.csv', '--zone', 'Europe/Paris', '--out', at('plan.json'), ...flags);
  const [first, other] = ['2035-12-14;09:00;facebook;Marché', '2035-12-15;09:00;facebook;Brioche'];
  table(first, other);
  await make();
  await run('rehearse', 'plan.json', '--run', '--yes');
  table(first);
  const { document } = await make('--prune', '--calendar', at('noel.html'));
  expect(document).toMatchObject({ leftOvers: [{ step: 'delete', ids: [1002] }] });
  const rehearsal = await run('rehearse', 'plan.json', '--prune');
  expect([rehearsal.code, rehearsal.document.hash]).toEqual([0, document.hash]);
  expect(readFileSync(at('noel.html'), 'utf8')).toMatch(new RegExp(`Brioche[\\s\\S]*${document.hash}`));
});

it('the journal is a table with the plan of each key, and a person settles an unknown post with its id', async () => {
  const { run, write, api, at } = stage();
  write('noel.json', { key: 'info', ...social });
  api.fail({ operation: 'social.publish', delay: 0 });
  api.fail({ operation: 'social.publish', status: 503 });
  expect(await run('rehearse', 'noel.json', '--run', '--yes')).toMatchObject({ code: 5 });
  const flags = ['--journal', at('multilocal.journal.json')];
  expect((await run('journal', ...flags)).document).toMatchObject({
    entries: [{ key: 'info', outcome: 'unknown', plan: 'noel' }],
  });
  const shown = await run('journal', ...flags, '--no-json');
  expect(shown.shown).toMatch(
    /^outcome {6}what is known\nunknown {6}info\n {13}social\.publish, noel, [\dT:.-]{23}Z\n/,
  );
  expect(shown.shown).not.toMatch(/.{81}/);
  const settle = (...words: string[]) => run('journal', 'settle', 'info', ...words, ...flags);
  await expect(settle('not_applied', '--id', '7')).resolves.toMatchObject({
    message: expect.stringContaining('`--id`'),
  });
  expect(await settle('applied', '--id', 'soc_9', '--by', 'Lea')).toMatchObject({ code: 0 });
  const { entries } = (await run('journal', ...flags)).document;
  expect(entries).toMatchObject([{ outcome: 'applied', settled_by: 'Lea', made: { ids: ['soc_9'] } }]);
});
