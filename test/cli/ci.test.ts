// The GitHub Action and the GitLab template, run with the packed package.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startMock } from './support.js';

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'multilocal-ci-'));
let version: string;

beforeAll(() => {
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = spawnSync('npm', pack, { cwd: root, encoding: 'utf8' });
  version = `file:${join(folder, stdout.trim())}`;
  return () => rmSync(folder, { recursive: true, force: true });
});

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'multilocal-job-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const post = { bulle_id: 'bul_lyon_croix_rousse', platforms: ['facebook'], content: 'Lundi, les brioches.' };
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify({ actions: [{ operation: 'posts.create', params: post }] }));
});

/** Runs a job. Only what a runner provides is in its environment. */
function job(command: string, args: readonly string[], env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const child = spawn(command, [...args], { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
}

const created = ({ api }: Awaited<ReturnType<typeof startMock>>) =>
  api.requests.filter(({ method, body }) => method === 'POST' && Object(body).dry_run !== true).length;

describe('the GitHub Action', () => {
  const { runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const step = runs.steps.find(({ name }: { name: string }) => name === 'Rehearse');
  const names = Object.keys(step.env);
  const rehearse = (mock: Awaited<ReturnType<typeof startMock>>, RUN: string) => {
    const env = { ...mock.env, PLAN: 'plan.json', RUN, VERSION: version };
    expect(names.sort()).toEqual(Object.keys(env).sort());
    return job('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      ...env,
      GITHUB_ACTIONS: 'true',
    });
  };

  it('rehearses', async () => {
    const mock = await startMock();
    const { code, output } = await rehearse(mock, 'false');
    expect([code, created(mock)]).toEqual([0, 0]);
    expect(output).toContain('1 action: 1 ready. Nothing was executed.');
  });

  it('carries out with `run: true`, once', async () => {
    const mock = await startMock();
    for (let round = 0; round < 2; round++) {
      const { code, output } = await rehearse(mock, 'true');
      expect([code, output]).toEqual([0, expect.stringContaining('The plan is carried out: 1 done')]);
      expect(created(mock)).toBe(1);
    }
  });

  it('saves and restores the journal only for a run', () => {
    const caches = runs.steps.filter(({ uses = '' }) => uses.startsWith('actions/cache/'));
    expect(caches.map((one: { if: string }) => one.if)).toEqual([
      "inputs.run == 'true'",
      "always() && inputs.run == 'true'",
    ]);
    for (const { with: given } of caches) expect(given.path).toMatch(/inputs\.plan \}\}\.journal\.json$/);
  });
});

describe('the GitLab template', () => {
  /** Runs the job as GitLab does: with its inputs filled in. */
  const pipeline = (mock: Awaited<ReturnType<typeof startMock>>, isRun: boolean) => {
    const inputs: Record<string, unknown> = { plan: 'plan.json', run: isRun, version };
    const [head = '', body = ''] = readFileSync(join(root, 'templates', 'rehearse.yml'), 'utf8').split('\n---\n');
    const { spec } = parse(head);
    const filled = body.replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) =>
      String(inputs[name] ?? spec.inputs[name].default),
    );
    const { rehearse } = parse(filled);
    return job('bash', ['--norc', '-eo', 'pipefail', '-c', rehearse.script.join('\n')], {
      ...mock.env,
      ...rehearse.variables,
    });
  };

  it('rehearses, and leaves a code-quality report', async () => {
    const mock = await startMock();
    const { code, output } = await pipeline(mock, false);
    expect([code, output]).toEqual([0, expect.stringContaining('1 action: 1 ready. Nothing was executed.')]);
    expect(JSON.parse(readFileSync(join(cwd, 'gl-code-quality-report.json'), 'utf8'))).toEqual([]);
    expect(created(mock)).toBe(0);
  });

  it('carries out with `run: true`', async () => {
    const mock = await startMock();
    const { code } = await pipeline(mock, true);
    expect([code, created(mock)]).toEqual([0, 1]);
  });
});
