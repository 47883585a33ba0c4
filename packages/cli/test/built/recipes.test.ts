// The workflows of the guides: their commands run in a clone, as on a runner.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startMock, temporaryFolder } from './support.js';

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
}

const CLI = join(process.cwd(), 'dist', 'cli.js');
const guides = ['doctor', 'plans-in-ci'].map((name) => readFileSync(`docs/guides/${name}.md`, 'utf8')).join('\n');

/** Returns the steps of a workflow. Its file name is in its first line. */
function stepsOf(name: string): readonly Step[] {
  const [, code = ''] =
    new RegExp(`^\`\`\`yml\\n(# \\.github/workflows/${name}\\.yml\\n[^]*?)^\`\`\`$`, 'm').exec(guides) ?? [];
  const { on, jobs } = parse(code);
  expect(on).toBeTypeOf('object');
  const [{ env, steps }] = Object.values<{ env: Record<string, string>; steps: Step[] }>(jobs) as [
    { env: Record<string, string>; steps: Step[] },
  ];
  expect(Object.keys(env)).toEqual(['MULTILOCAL_API_KEY', 'MULTILOCAL_BASE_URL']);
  return steps;
}

/** A repository with one commit, and what a runner has. `job` runs the steps in a new clone. */
async function repository(files: Readonly<Record<string, string>>, key: 'sphere' | 'bulle' = 'sphere') {
  const mock = await startMock();
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${CLI}" "$@"\n`, { mode: 0o755 });
  const env = {
    ...mock.env,
    MULTILOCAL_API_KEY: mock.api.keys[key],
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
  git('init', '--quiet', '--bare', '--initial-branch=main', 'origin');
  git('clone', '--quiet', 'origin', 'first');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'first', name), text);
  const author = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.com'];
  git('-C', 'first', 'add', '.');
  git('-C', 'first', ...author, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  git('-C', 'first', 'push', '--quiet', 'origin', 'HEAD:main');
  let jobs = 0;
  return {
    ...mock,
    /** The subjects of the commits that were pushed, the last one first. */
    commits: () => git('-C', 'origin', 'log', '--format=%s', 'main').trim().split('\n'),
    async job(steps: readonly Step[]): Promise<number> {
      const cwd = join(folder, `job-${++jobs}`);
      git('clone', '--quiet', '--branch', 'main', 'origin', cwd);
      let exit = 0;
      for (const { if: condition, run } of steps) {
        if (run === undefined || (exit !== 0 && condition !== 'always()')) continue;
        const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
          cwd,
          env,
          stdio: 'ignore',
        });
        onTestFinished(() => void child.kill('SIGKILL'));
        const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
        exit ||= code ?? 1;
      }
      return exit;
    },
  };
}

it.each([
  ['fails on warnings', 'sphere', 1],
  ['succeeds without', 'bulle', 0],
] as const)('a nightly doctor %s', async (_, key, exit) => {
  const { job } = await repository({}, key);
  expect(await job(stepsOf('doctor'))).toBe(exit);
});
