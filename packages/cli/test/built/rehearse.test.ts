// `multilocal rehearse` as a person, a script, GitHub and GitLab see it. packages/plans/test has the rules of the engine.
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Line, refusals, run, start, startMock, temporaryFolder } from './support.js';

const NOW = '2026-11-22T09:00:00Z';
const POST = {
  operation: 'posts.create',
  params: { bulle_id: 'bul_lyon_croix_rousse', platforms: ['facebook', 'gmb'], content: 'Lundi, les brioches.' },
};
const SOCIAL = {
  operation: 'social.publish',
  params: { bulle_id: 'bul_nantes_talensac', platforms: ['facebook'], text: 'Jeudi, atelier levain.' },
};
const ARTICLE = { operation: 'articles.publish', params: { article_id: 8 } };
const QR_CODE = {
  operation: 'qrCodes.create',
  params: { name: 'Comptoir', target_url: 'https://www.example.com/avis' },
};
const PLAN = [POST, SOCIAL, ARTICLE, QR_CODE];

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

function write(actions: readonly object[], file = 'plan.json'): void {
  writeFileSync(join(cwd, file), JSON.stringify({ actions }, null, 2));
}

const read = (file: string) => readFileSync(join(cwd, file), 'utf8');

/** The clock of the mock runs on: what is due in an hour has other seconds. */
const settled = (text: string) => text.replaceAll(/(2026-11-22[ T]10):\d\d/g, '$1:00');

/** The writes that were no dry runs. */
const writesOf = ({ api }: Awaited<ReturnType<typeof startMock>>) =>
  api.requests
    .filter(({ method, body }) => method !== 'GET' && Object(body).dry_run !== true)
    .map(({ method, path }) => `${method} ${path}`);

describe('a rehearsal', () => {
  it('says for each action what would happen, and executes nothing', async () => {
    const mock = await startMock({ now: NOW });
    write(PLAN);
    const before = mock.api.snapshot();
    const { stdout, code } = await run(['rehearse', 'plan.json'], { env: mock.env, cwd });
    expect([code, writesOf(mock), mock.api.snapshot(), readdirSync(cwd)]).toEqual([0, [], before, ['plan.json']]);
    const document = JSON.stringify(JSON.parse(stdout), null, 2);
    await expect(settled(document)).toMatchFileSnapshot('snapshots/rehearse-json.txt');
  });

  it('as a table', async () => {
    const { env } = await startMock({ now: NOW });
    write([...PLAN, { operation: 'posts.publish', params: { post_id: 99_999 } }]);
    const { stdout, code } = await run(['rehearse', 'plan.json'], { env: { ...env, NO_COLOR: '1' }, cwd, tty: true });
    expect(code).toBe(1);
    // The bar is removed before anything else is printed.
    const shown = stdout.split('\r\u001b[K').filter((part) => !part.startsWith('━'));
    await expect(settled(shown.join(''))).toMatchFileSnapshot('snapshots/rehearse.txt');
  });

  it('of a plan that is wrong or may not be carried out: the place of each problem, and what to do', async () => {
    const plans = {
      good: [POST],
      wrong: [...PLAN, { ...POST, params: { ...POST.params, platforms: ['facebok'] } }],
      unknown: [...PLAN, { operation: 'posts.creat', params: {} }],
      missing: [...PLAN, { operation: 'articles.publish', params: {} }],
      refused: [POST, { operation: 'articles.publish', params: { article_id: 99_999 } }],
    };
    for (const [name, actions] of Object.entries(plans)) write(actions, `${name}.json`);
    writeFileSync(join(cwd, 'no.json'), '{\n  "actions": [\n    {,}\n  ]\n}');
    const files = readdirSync(cwd);
    const words = [
      ...['wrong', 'unknown', 'missing', 'refused'].map((name) => `rehearse ${name}.json --run --yes`),
      'rehearse no.json',
      'rehearse good.json --run',
      'rehearse good.json --run --offline',
      'rehearse good.json --report github',
      'rehearse good.json --run --yes --approved abc',
      'rehearse good.json --per-day 4',
      'journal settle nobody applied',
      'journal settle -- --help applied',
    ];
    const lines = words.map((one): Line => [one, { cwd }]);
    const keys = ['readOnly', 'expired'] as const;
    const text = await refusals([...lines, ...keys.map((key): Line => ['rehearse good.json', { cwd, key }])]);
    await expect(settled(text)).toMatchFileSnapshot('snapshots/refused-rehearse.txt');
    expect(readdirSync(cwd)).toEqual(files);

    const mock = await startMock();
    expect((await run(['rehearse', 'refused.json', '--run', '--yes'], { env: mock.env, cwd })).code).toBe(1);
    expect(writesOf(mock)).toEqual([]);
  });
});

describe('the journal', () => {
  it('is one for the plans of a folder: an action that two of them have happens once, also at the same moment', async () => {
    const mock = await startMock();
    write([POST]);
    write([POST, SOCIAL], 'other.json');
    const go = (file: string) => run(['rehearse', file, '--run', '--yes'], { env: mock.env, cwd });
    const both = await Promise.all([go('plan.json'), go('other.json')]);
    // One of them may be asked to come back.
    expect(both.map(({ code }) => code).sort()).not.toContain(1);
    for (const file of ['plan.json', 'other.json']) expect((await go(file)).code).toBe(0);
    expect(writesOf(mock).sort()).toEqual(['POST /api/v2/posts', 'POST /api/v2/social/publish']);
  });
});

describe('--run', () => {
  it.each([
    ['what is not refused', undefined, { code: 1, error: { code: 'plan_invalid' }, applied: [0, 2], left: [1] }],
    [
      'the others after one that may have happened',
      { operation: 'social.publish', network: true, applied: true },
      { code: 5, error: { code: 'plan_unresolved', outcome: 'unknown' }, applied: [0], unresolved: [2], left: [1] },
    ],
  ])('--keep-going carries out %s, with the same hash', async (_, fault, expected) => {
    const mock = await startMock();
    write([POST, { operation: 'articles.publish', params: { article_id: 99_999 } }, SOCIAL]);
    const { hash } = JSON.parse((await run(['rehearse', 'plan.json', '--keep-going'], { env: mock.env, cwd })).stdout);
    mock.api.fail({ operation: 'social.publish', delay: 0 });
    if (fault) mock.api.fail(fault);
    const flags = ['--run', '--yes', '--keep-going', '--approved', hash];
    const { stdout, code } = await run(['rehearse', 'plan.json', ...flags], { env: mock.env, cwd });
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ state: 'partly', ...expected });
  });

  it('carries the plan out once, however often it is run', async () => {
    const mock = await startMock();
    write(PLAN);
    const first = await run(['rehearse', 'plan.json', '--run', '--yes'], { env: mock.env, cwd });
    expect([first.code, JSON.parse(first.stdout)]).toMatchObject([0, { ok: true, applied: [0, 1, 2, 3], left: [] }]);
    const writes = writesOf(mock);
    expect(writes).toHaveLength(4);
    const second = await run(['rehearse', 'plan.json', '--run', '--yes'], { env: mock.env, cwd });
    expect([second.code, writesOf(mock)]).toEqual([0, writes]);
    expect(read('multilocal.journal.json')).not.toContain(mock.env.MULTILOCAL_API_KEY);
  });

  it.each([
    ['y', 0, 4],
    ['\u0003', 130, 0],
  ])('on a terminal it asks: %j', async (key, exit, count) => {
    const mock = await startMock();
    write(PLAN);
    const command = start(['rehearse', 'plan.json', '--run'], { env: mock.env, cwd, tty: true });
    await command.shows('Carry out 4 actions?');
    command.child.stdin?.write(key);
    expect([(await command.result).code, writesOf(mock).length]).toEqual([exit, count]);
  });

  it('discards what was typed before the question', async () => {
    const mock = await startMock({ latency: 300 });
    write(PLAN);
    const command = start(['rehearse', 'plan.json', '--run'], { env: mock.env, cwd, tty: true, input: 'y\ry' });
    await command.shows('Carry out 4 actions?');
    command.child.stdin?.write('n');
    expect([(await command.result).code, writesOf(mock)]).toEqual([1, []]);
  });

  it('a Ctrl-C of the second before the question ends the command', async () => {
    const mock = await startMock();
    write(PLAN);
    const command = start(['rehearse', 'plan.json', '--run'], { env: mock.env, cwd, tty: true });
    await command.shows('qrCodes.create');
    command.interrupt();
    expect([(await command.result).code, writesOf(mock)]).toEqual([130, []]);
  });

  it('shows a warning if a 2xx response says that the action failed', async () => {
    const mock = await startMock();
    for (const format of ['--json', '--no-json']) {
      const update = { operation: 'posts.update', params: { post_id: 131, content: format } };
      mock.api.fail({ operation: 'posts.update', status: 200, body: { success: false } });
      write([update], `${format}.json`);
      const words = ['rehearse', `./${format}.json`, '--run', '--yes', format];
      const { stdout, stderr, code } = await run(words, { env: mock.env, cwd });
      expect([code, stderr]).toEqual([0, expect.stringContaining('`success: false`')]);
      if (format === '--json')
        expect(JSON.parse(stdout).steps).toMatchObject([
          { warning: { code: 'failure_in_response' }, result: { success: false } },
        ]);
      else expect(stdout).toContain('1 action has a warning');
    }
  });

  it('Ctrl-C: the action in flight is finished, and the rest is said', async () => {
    const mock = await startMock({ latency: 300 });
    write(PLAN);
    const command = start(['rehearse', 'plan.json', '--run', '--yes'], { env: mock.env, cwd });
    await expect.poll(() => writesOf(mock).length, { timeout: 60_000, interval: 10 }).toBe(1);
    command.interrupt();
    const { stdout, stderr, code } = await command.result;
    expect(stderr).toContain('Interrupted. Finishing the request that is on its way. Press Ctrl-C again to stop.');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      130,
      { error: { code: 'interrupted' }, applied: [0], left: [1, 2, 3] },
    ]);
    expect((await run(['rehearse', 'plan.json', '--run', '--yes'], { env: mock.env, cwd })).code).toBe(0);
    expect(writesOf(mock)).toHaveLength(4);
  });
});

describe('CI', () => {
  it('GitHub Actions gets annotations on stderr and a job summary, GitLab a code-quality report', async () => {
    const { env } = await startMock();
    const summary = (file: string) => ({ ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, file) });
    const words = ['rehearse', 'plan.json', '--report', 'gitlab'];
    write([POST, { operation: 'articles.publish', params: { article_id: 99_999 } }]);
    const bad = await run(words, { env: { ...summary('summary.md'), GITHUB_WORKSPACE: cwd }, cwd });
    expect(bad.stderr).toMatch(/^::error file=plan\.json,line=14,col=\d+,title=not_found::articles\.publish: .+$/m);
    expect(read('summary.md')).toContain('| **refused** |');
    const report = () => JSON.parse(read('gl-code-quality-report.json'));
    expect(report()).toMatchObject([{ severity: 'major', location: { path: 'plan.json', lines: { begin: 14 } } }]);

    // A report without findings is empty. It replaces a symbolic link, and a summary that cannot be written is a remark.
    write([POST]);
    rmSync(join(cwd, 'gl-code-quality-report.json'));
    writeFileSync(join(cwd, 'elsewhere.json'), 'mine');
    symlinkSync(join(cwd, 'elsewhere.json'), join(cwd, 'gl-code-quality-report.json'));
    const { stdout, stderr, code } = await run(words, { env: summary('nowhere/summary.md'), cwd });
    expect([code, JSON.parse(stdout).ok, report(), read('elsewhere.json')]).toEqual([0, true, [], 'mine']);
    expect(stderr).toContain('The job summary cannot be written (ENOENT)');
  });

  it('a key or a contact that the service repeats is nowhere: terminal, JSON, annotations, summary, report, journal', async () => {
    const { env, api } = await startMock();
    const key = env.MULTILOCAL_API_KEY;
    const said = `by ${key} for +33612345678`;
    const contact = { customer_name: 'Ada', channel: 'sms', customer_phone: '+33612345678' };
    const fiche_id = 'accounts/104829175630284517/locations/8837120495561027345';
    write([SOCIAL, { operation: 'acquisition.requestReviews', params: { contacts: [contact], fiche_id } }]);
    const more = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const preview = { dry_run: true, would_post: said, would_queue: 1, would_warn: [said] };
    for (const [flags, columns] of [
      [['--no-json'], 80],
      [[], 0],
      [['--run', '--yes'], 0],
    ] as const) {
      for (const { operation } of [SOCIAL, { operation: 'acquisition.requestReviews' }]) {
        api.fail({ operation, status: 200, body: preview });
        if (flags.includes('--run' as never))
          api.fail({ operation, status: 200, body: { post_id: said, batch_id: said } });
      }
      const words = ['rehearse', 'plan.json', '--report', 'gitlab', ...flags];
      const { stdout, stderr } = await run(words, { env: { ...env, ...more }, cwd, columns });
      const files = readdirSync(cwd).map((file) => (file === 'plan.json' ? '' : read(file)));
      const seen = [stdout, stderr, ...files].join('\n');
      expect(seen).toContain('[redacted]');
      // Markdown writes `_` as `&#95;`.
      expect(seen.replaceAll('&#95;', '_')).not.toContain(key);
      expect(seen).not.toContain('612345678');
    }
    expect(read('multilocal.journal.json')).toContain('by [redacted]');
  });
});
