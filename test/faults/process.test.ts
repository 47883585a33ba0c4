import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { childProgram } from '../support/child.js';
import { ARTICLE } from '../support/fixtures.js';
import { type Arrived, sendJson, serve } from '../support/server.js';
import { type Growth, SCENARIOS, type Scenario } from './child.js';

const { program } = childProgram(new URL('child.ts', import.meta.url));

describe('a process that used the client is kept alive by nothing and exits after', () => {
  it.each(Object.keys(SCENARIOS) as Scenario[])('%s', async (scenario) => {
    const { url } = await serve(answer);
    const { stdout, stderr, code } = await run([], scenario, url);
    // A long wait for the limiter is announced.
    const unexpected = stderr.replaceAll(/^multilocal: .+ waits \d+ s .+\n/gm, '');
    expect({ stdout, unexpected, code }).toEqual({ stdout: 'done', unexpected: '', code: 0 });
  });
});

describe('thousands of calls on one signal', () => {
  it('leave no listener, no warning and no heap behind', async () => {
    const { stdout, stderr, code } = await run(['--expose-gc'], 'growth', '');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const measured = JSON.parse(stdout) as Growth[];
    expect(measured).toHaveLength(2);
    for (const { listeners, perCall } of measured) {
      expect(listeners).toBe(0);
      const median = [...perCall].sort((a, b) => a - b)[Math.floor(perCall.length / 2)];
      // The limiter remembers the time of each request. A call that kept its response would keep thousands of bytes.
      expect(median, `bytes a call by round: ${perCall.join(', ')}`).toBeLessThan(500);
    }
  });
});

/** The number of the article says what becomes of the request. */
function answer({ target, method }: Arrived, response: Parameters<Parameters<typeof serve>[0]>[1]): void {
  const id = Number(/articles\/(\d+)/.exec(target)?.[1]);
  if (method === 'POST') response.socket?.resetAndDestroy();
  else if (id === 1000) return;
  else if (id === 404 || id === 503) sendJson(response, {}, id);
  else sendJson(response, ARTICLE);
}

interface Ran {
  stdout: string;
  stderr: string;
  code: number | null;
}

function run(flags: string[], ...args: string[]): Promise<Ran> {
  // Nothing of what the test runner tells its own processes.
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [...flags, program, ...args], { env: { PATH, HOME } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve, reject) => {
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      said.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said.stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...said, code }));
  });
}
