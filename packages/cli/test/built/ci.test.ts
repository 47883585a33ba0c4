// The GitHub Action and the GitLab template, run with the packed package.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installed } from '@multilocal/scripts/matrix';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startMock, temporaryFolder } from './support.js';

const root = process.cwd();
const version = `file:${inject('packed').filename}`;

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
  const post = { bulle_id: 'bul_lyon_croix_rousse', platforms: ['facebook'], content: 'Lundi, les brioches.' };
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify({ actions: [{ operation: 'posts.create', params: post }] }));
});

/** Runs a job. Only what a runner provides is in its environment. */
function job(command: string, args: readonly string[], env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    const child = execFile(command, args, { cwd, env: { PATH, HOME, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
    onTestFinished(() => void child.kill('SIGKILL'));
  });
}

const created = ({ api }: Awaited<ReturnType<typeof startMock>>) =>
  api.requests.filter(({ method, body }) => method === 'POST' && Object(body).dry_run !== true).length;

describe('the GitHub Action', () => {
  const { inputs, outputs, runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'));

  /** Runs a step as a runner does. Only the inputs that differ from their defaults are given. */
  async function step(name: string, given: Record<string, string>, more: Record<string, string> = {}) {
    const { env: names, run } = runs.steps.find((one: { name: string }) => one.name === name);
    const values = Object.entries<string>(names).map(([variable, expression]) => {
      const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? [];
      return [variable, given[input] ?? given[variable] ?? inputs[input]?.default ?? ''];
    });
    const GITHUB_OUTPUT = join(cwd, 'outputs');
    writeFileSync(GITHUB_OUTPUT, '');
    const env = { ...Object.fromEntries(values), GITHUB_OUTPUT, RUNNER_TEMP: cwd, GITHUB_WORKSPACE: cwd };
    Object.assign(env, { GITHUB_ACTIONS: 'true', ...more });
    const result = await job('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], env);
    const lines = readFileSync(GITHUB_OUTPUT, 'utf8').split('\n').filter(Boolean);
    return { ...result, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/))) };
  }

  const rehearse = (mock: Awaited<ReturnType<typeof startMock>>, given: Record<string, string> = {}) => {
    const { MULTILOCAL_API_KEY: key, MULTILOCAL_BASE_URL: url } = mock.env;
    return step('Rehearse', { plan: 'plan.json', 'api-key': key, 'base-url': url, VERSION: version, ...given });
  };

  it('rehearses, and carries out with `run: true`, once', async () => {
    const mock = await startMock();
    const { code, output, outputs } = await rehearse(mock);
    expect([code, created(mock)]).toEqual([0, 0]);
    expect(output).toMatch(/^ready {2}posts\.create {2}Would schedule a post on Facebook/m);
    expect(outputs).toMatchObject({ ready: '1', refused: '0', unknown: '0' });
    for (let round = 0; round < 2; round++) {
      expect([(await rehearse(mock, { run: 'true' })).code, created(mock)]).toEqual([0, 1]);
    }
  });

  /** Puts an npx in the path that notes its arguments, prints a document and ends with this code. */
  function fakeNpx(document: string, exit = 0) {
    writeFileSync(join(cwd, 'document'), document);
    const script = `#!/bin/bash\nprintf '%s\\n' "$@" > arguments\ncat document\nexit ${exit}\n`;
    writeFileSync(join(cwd, 'npx'), script, { mode: 0o755 });
    return { PATH: `${cwd}:${process.env.PATH}` };
  }

  it.each([
    ['no flags', {}, []],
    [
      'every flag',
      { run: 'true', approved: 'abc', strict: 'true', offline: 'true', report: 'markdown=plan.md' },
      ['--run', '--yes', '--approved=abc', '--strict', '--offline', '--report=markdown=plan.md'],
    ],
    // A variable that is not set must not approve every plan.
    ['an empty `approved`', { approved: '' }, ['--approved=']],
    ['an input that a shell would run', { approved: '$(touch evaluated) `touch evaluated`' }, [expect.anything()]],
  ])('passes on %s', async (_, given, flags) => {
    const { code } = await step('Rehearse', { plan: 'my plan.json', VERSION: '1.2.3', ...given }, fakeNpx('{}'));
    const passed = readFileSync(join(cwd, 'arguments'), 'utf8').trim().split('\n');
    expect([code, passed]).toEqual([0, ['--yes', 'multilocal@1.2.3', 'rehearse', 'my plan.json', '--json', ...flags]]);
    expect(existsSync(join(cwd, 'evaluated'))).toBe(false);
  });

  it('counts the actions in its outputs, and ends as the command does', async () => {
    const actions = ['ready', 'unpreviewed', 'refused', 'refused', 'failed', 'done'].map((state) => ({ state }));
    const steps = ['unknown', 'applied', 'unknown'].map((outcome) => ({ outcome }));
    const error = { code: 'plan_unresolved', message: '::error::A text of the service', hint: 'Look.' };
    const npx = fakeNpx(JSON.stringify({ error, actions, steps, hash: '0f3c' }), 5);
    const result = await step('Rehearse', { plan: 'plan.json', VERSION: '1.2.3' }, npx);
    expect([result.code, result.outputs]).toEqual([
      5,
      { ready: '2', refused: '2', failed: '1', unknown: '2', hash: '0f3c' },
    ]);
    expect(Object.keys(outputs)).toEqual(Object.keys(result.outputs));
    expect(result.output).toMatch(/^::stop-commands::([\w-]+)\n[\s\S]*::error::A text[\s\S]*\n::\1::\n/);
  });

  it('says nothing about a plan if npm cannot run the command', async () => {
    const { code, outputs } = await step('Rehearse', { plan: 'plan.json', VERSION: '1.2.3' }, fakeNpx('', 1));
    expect([code, outputs]).toEqual([1, {}]);
  });

  it.each<[string, given: Record<string, string>, isInstalled: boolean, version: string | undefined]>([
    ['of its input', { version: '0.9.0', REF: 'v1.2.3' }, true, '0.9.0'],
    ['of the installed package', { REF: 'v1.2.3' }, true, '0.4.2'],
    ['of its own tag', { REF: 'v1.2.3' }, false, '1.2.3'],
    ['of its own tag before a release', { REF: 'v1.2.3-beta.1' }, false, '1.2.3-beta.1'],
    ...['', 'main', 'v1', 'v1.2.3 || latest', '8f3c2a1'].map((REF): [string, { REF: string }, false, undefined] => [
      `from nowhere at \`${REF}\``,
      { REF },
      false,
      undefined,
    ]),
  ])('takes the version %s', async (_, given, isInstalled, expected) => {
    const own = join(cwd, 'node_modules', 'multilocal');
    if (isInstalled) mkdirSync(own, { recursive: true });
    if (isInstalled) writeFileSync(join(own, 'package.json'), '{"version":"0.4.2"}');
    const { code, output, outputs } = await step('Prepare', { plan: 'plan.json', ...given });
    expect([code, outputs.version]).toEqual([expected ? 0 : 1, expected]);
    if (!expected) expect(output).toMatch(/^::error::.* set the input `version`\. Nothing was sent\.$/m);
  });

  it.each([
    ['run', 'yes'],
    ['strict', 'on'],
    ['offline', '1'],
    ['run', ' true'],
    ['run', 'TRUE'],
    ['plan', '/plans/plan.json'],
    ['plan', 'D:\\plans\\plan.json'],
    ['plan', '../plan.json'],
    ['plan', 'posts [noel]/plan.json'],
    ['plan', ' plans/plan.json'],
    ['plan', 'plans\nversion=npm:other@1.0.0\nx/plan.json'],
    ['version', '1.0.0\npath=other.json'],
  ])('refuses the input `%s` if it is %j', async (input, value) => {
    const { code, output, outputs } = await step('Prepare', { run: 'true', version: '1.2.3', [input]: value });
    expect([code, outputs]).toEqual([1, {}]);
    expect(output).toMatch(new RegExp(`^::error::.* input \`${input}\` must be .* Nothing was sent\\.$`, 'm'));
  });

  const JOURNAL = 'multilocal.journal.json';

  it.each<[plan: string, folder: string, cached: string]>([
    ['plan.json', '.', JOURNAL],
    ['./plans/plan.json', './', `plans/${JOURNAL}`],
    ['plan.json', 'marketing', `marketing/${JOURNAL}`],
    ['../plans/plan.json', './marketing/', `plans/${JOURNAL}`],
  ])('keeps the journal of %j in %j where the cache finds it', async (plan, folder, expected) => {
    const given = { plan, 'working-directory': folder, version: '1.2.3', run: 'true' };
    const { cached = '' } = (await step('Prepare', given)).outputs;
    expect(cached).toBe(expected);
    mkdirSync(join(cwd, dirname(cached)), { recursive: true });
    writeFileSync(join(cwd, cached), '{}');
    // What actions/cache looks for files with.
    const glob = join(await installed('actionsGlob'), '@actions', 'glob');
    const find = `require(${JSON.stringify(glob)}).create(${JSON.stringify(cached)}).then((all) => all.glob()).then(console.log)`;
    expect(await job(process.execPath, ['-e', find], {})).toMatchObject({ output: expect.stringContaining(expected) });
  });

  it('finds the journal of a plan with backslashes, as on Windows', async () => {
    const folder = 'D:\\a\\site\\shop';
    const given = { plan: 'plans\\december.json', 'working-directory': folder, version: '1.2.3', run: 'true' };
    const GITHUB_WORKSPACE = 'D:\\a\\site';
    const cached = `shop/plans/${JOURNAL}`;
    expect((await step('Prepare', given, { GITHUB_WORKSPACE })).outputs).toMatchObject({
      path: `plans/${JOURNAL}`,
      cached,
    });
  });

  it('finds a committed journal', async () => {
    const given = { plan: 'plan.json', version: '1.2.3' };
    expect((await step('Prepare', given)).outputs).toEqual({ version: '1.2.3', path: JOURNAL, cached: JOURNAL });
    writeFileSync(join(cwd, JOURNAL), '{}');
    expect((await step('Prepare', given)).outputs).toMatchObject({ path: JOURNAL, journal: 'found' });
  });

  const old = { key: { saves: 2, at: 'monday' } };
  const late = { key: { saves: 10, at: 'friday' } };
  it.each<[string, committed: object, cached: object | undefined, joined: object | undefined]>([
    ['an old one, which was committed once', old, late, late],
    ['a newer one', late, old, late],
    ['one that knows another key', { a: old.key }, { b: late.key }, { b: late.key, a: old.key }],
    ['the only one', old, undefined, old],
    ['one that contradicts the cache', old, { key: { saves: 2, at: 'friday' } }, undefined],
  ])('joins with the cache %s', async (_, committed, cached, joined) => {
    const write = (entries: object) =>
      writeFileSync(join(cwd, JOURNAL), JSON.stringify({ version: 2, service: 'https://one.example', entries }));
    write(committed);
    await step('Prepare', { plan: 'plan.json', version: '1.2.3' });
    if (cached) write(cached);
    const { code, output } = await step('Join the journals', { JOURNAL });
    expect([code, output]).toEqual(joined ? [0, ''] : [1, expect.stringMatching(/^::error::The journal in the repo/)]);
    expect(JSON.parse(readFileSync(join(cwd, JOURNAL), 'utf8')).entries).toEqual(joined ?? cached);
  });

  it('saves, restores and joins the journal only for a run, and fails if it was not saved', () => {
    const steps = runs.steps.filter(({ name }: { name: string }) => name.includes('journal'));
    const isRun = "inputs.run == 'true'";
    const path = 'steps.prepare.outputs.cached';
    const isThere = `always() && ${isRun} && ${path} != '' && hashFiles(${path}) != ''`;
    expect(steps.map((one: { if: string }) => one.if)).toEqual([
      isRun,
      `${isRun} && steps.prepare.outputs.journal == 'found'`,
      isThere,
      isThere,
    ]);
    const caches = runs.steps.filter(({ uses = '' }) => uses.startsWith('actions/cache/'));
    for (const { with: given } of caches) expect(given.path).toBe(`\${{ ${path} }}`);
    expect(caches.at(-1).with).toEqual({ ...caches[1].with, 'lookup-only': true, 'fail-on-cache-miss': true });
  });
});

it('workflows name actions by commit, because a tag can be moved', () => {
  const folder = join(root, '.github', 'workflows');
  const files = [join(root, 'action.yml'), ...readdirSync(folder).map((name) => join(folder, name))];
  const used = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/uses: (?!\.\/)(.*)/g)].map(([, name]) => name),
  );
  expect(used.length).toBeGreaterThan(8);
  expect(used.filter((name = '') => !/@[0-9a-f]{40} # v\d/.test(name))).toEqual([]);
});

describe('the GitLab template', () => {
  /** Runs the job as GitLab does: with its inputs filled in. */
  const pipeline = (mock: Awaited<ReturnType<typeof startMock>>, isRun: boolean) => {
    const inputs: Record<string, unknown> = { plan: 'plan.json', run: isRun, version };
    const [head = '', body = ''] = readFileSync(join(root, 'packages', 'cli', 'rehearse.gitlab.yml'), 'utf8').split(
      '\n---\n',
    );
    const { spec } = parse(head);
    const own: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(spec.inputs.version.default).toBe(own.version);
    const filled = body.replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) =>
      String(inputs[name] ?? spec.inputs[name].default),
    );
    const { rehearse } = parse(filled);
    return job('bash', ['--norc', '-eo', 'pipefail', '-c', rehearse.script.join('\n')], {
      ...mock.env,
      ...rehearse.variables,
    });
  };

  it('rehearses, leaves a code-quality report, and carries out with `run: true`', async () => {
    const mock = await startMock();
    const { code, output } = await pipeline(mock, false);
    expect([code, output]).toEqual([0, expect.stringContaining('1 action: 1 ready. Nothing was executed.')]);
    expect(JSON.parse(readFileSync(join(cwd, 'gl-code-quality-report.json'), 'utf8'))).toEqual([]);
    expect(created(mock)).toBe(0);
    expect([(await pipeline(mock, true)).code, created(mock)]).toEqual([0, 1]);
  });
});
