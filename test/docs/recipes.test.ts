// The plan of README.md, against what `npx multilocal mock` starts and with the line that it prints. The recipes run with
// the code of the guides.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { root } from './blocks.js';

/** The built command, which starts in a third of the time. */
const cli = join(root, 'dist', 'cli.js');

let mock: ChildProcess;
let output = '';
beforeAll(async () => {
  mock = spawn(process.execPath, [cli, 'mock', '--no-json', '--port', '0']);
  mock.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await vi.waitUntil(() => output.includes('Requests:'), { timeout: 60_000 });
  const [, line = ''] = /^ +export (.+)$/m.exec(output) ?? [];
  for (const assignment of line.split(' ')) {
    const [name = '', value = ''] = assignment.split('=');
    process.env[name] = value;
  }
});
afterAll(() => {
  mock.kill('SIGKILL');
  delete process.env.MULTILOCAL_API_KEY;
  delete process.env.MULTILOCAL_BASE_URL;
});

it('the plan can be rehearsed and carried out', () => {
  const plans = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```json\n([\s\S]*?)^```$/gm)];
  expect(plans).toHaveLength(1);
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-plan-'));
  const plan = join(folder, 'plan.json');
  writeFileSync(plan, plans[0]?.[1] ?? '');
  const rehearse = (...flags: string[]) =>
    spawnSync(process.execPath, [cli, 'rehearse', plan, ...flags], { cwd: folder, encoding: 'utf8' });
  const [preview, run] = [rehearse(), rehearse('--run', '--yes')];
  rmSync(folder, { recursive: true, force: true });
  expect(preview.status, preview.stdout).toBe(0);
  expect(run.status, run.stdout).toBe(0);
});
