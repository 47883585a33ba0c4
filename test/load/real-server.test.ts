import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ARTICLE } from '../support/fixtures.js';
import { sendJson, serve } from '../support/server.js';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
const PACE = 40;
const WINDOW = 60_000 / PACE;

it('200 calls at once, and a process that is stopped for a while: a real server never sees more than 60 in a minute', {
  timeout: 600_000,
}, async () => {
  const arrivals: number[] = [];
  const { url, arrived } = await serve((_, response) => {
    arrivals.push(performance.now());
    sendJson(response, ARTICLE);
  });
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, url, String(PACE)], { env: { PATH, HOME } });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  let warned = '';
  child.stderr.on('data', (chunk) => {
    warned += chunk;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  // In the second minute it sleeps until the fourth: what came free meanwhile must not come at once.
  while (arrivals.length <= 60) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 2.5 * WINDOW));
  child.kill('SIGCONT');
  expect({ code: await ended, said }).toEqual({ code: 0, said: 'done' });
  // Only the announcements of the limiter.
  expect(warned.replaceAll(/^multilocal: .+ waits \d+ s .+\n/gm, '')).toBe('');

  // A read whose connection ended while the process slept was sent again: it counts like any other.
  expect(arrivals.length).toBeGreaterThanOrEqual(200);
  // In any window, wherever it begins: a lower bound for the time that 61 requests take. A busy machine only makes this time
  // longer, but for an arrival that the server notes a moment late: hence 0.9.
  const window = 0.9 * WINDOW;
  const most = Math.max(...arrivals.map((start) => arrivals.filter((at) => at >= start && at < start + window).length));
  expect(most).toBeLessThanOrEqual(60);
  expect(new Set(arrived.map(({ target }) => target)).size).toBe(200);
});
