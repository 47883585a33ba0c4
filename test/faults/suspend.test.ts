import { spawn } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { childProgram } from '../support/child.js';
import { ARTICLE, PUBLICATION } from '../support/fixtures.js';
import { type Handler, sendJson, serve } from '../support/server.js';
import { sleep } from './fault-server.js';
import { PER_MINUTE, SPEED } from './suspend-child.js';

const { program } = childProgram(new URL('suspend-child.ts', import.meta.url));
/** Longer than the timeouts, the backoffs and the minutes of the child. */
const STOPPED = 1100;

const answer: Handler = ({ method }, response) => sendJson(response, method === 'GET' ? ARTICLE : PUBLICATION);

interface Stop {
  /** What the child says when it is to be stopped; else the parent tells. */
  at?: string;
  now?: Promise<unknown>;
  /** Happens while the child is stopped. */
  meanwhile?: () => void;
}

/** Runs a scenario in a process that is stopped once. Resolves to what came of it. */
async function suspended(
  scenario: string,
  baseUrl: string,
  { at, now, meanwhile = () => {} }: Stop,
  options: object = {},
): Promise<string> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, scenario, baseUrl, JSON.stringify(options)], {
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let going: NodeJS.Timeout | undefined;
  onTestFinished(() => {
    clearInterval(going);
    child.kill('SIGKILL');
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    child.kill('SIGSTOP');
    await sleep(STOPPED / 2);
    meanwhile();
    await sleep(STOPPED / 2);
    // One that stops itself may do so only now.
    going = setInterval(() => child.kill('SIGCONT'), 50);
  };
  now?.then(() => {
    stopped = stop();
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as string | { ended: string };
    if (said === at) stopped ??= stop();
    if (typeof said === 'string') continue;
    expect(stopped).toBeDefined();
    await stopped;
    return said.ended;
  }
  return 'it ended without a word';
}

/** A service that holds the first request until it is told to answer. */
async function later() {
  let reach: (response: ServerResponse) => void;
  const reached = new Promise<ServerResponse>((resolve) => (reach = resolve));
  const server = await serve((request, response, index) => {
    if (index === 0) reach(response);
    else answer(request, response, index);
  });
  const meanwhile = () => void reached.then((response) => sendJson(response, PUBLICATION));
  return { ...server, stop: { now: reached, meanwhile } };
}

// No signal stops a process on Windows.
describe.skipIf(process.platform === 'win32')('a process that is stopped and continued', () => {
  it('in a costly write whose timeout runs out meanwhile: sent once, never not_applied', async () => {
    const { url, arrived, stop } = await later();
    const ended = await suspended('publish', url, stop, { timeout: 500 });
    // Whether the timer or the response is seen first is the event loop's choice.
    expect(['ok', 'timeout unknown 1']).toContain(ended);
    expect(arrived).toHaveLength(1);
  });

  it('in the hold of a 429: retried once', async () => {
    const { url, arrived } = await serve((request, response, index) => {
      if (index === 0) sendJson(response, {}, 429, { 'retry-after': '1' });
      else answer(request, response, index);
    });
    expect(await suspended('publish', url, { at: 'retry' })).toBe('ok');
    expect(arrived).toHaveLength(2);
  });

  it('while the service closes the idle connection: a costly write goes out over another, once', async () => {
    const idle: ServerResponse[] = [];
    const { url, arrived, connections } = await serve((request, response, index) => {
      idle.push(response);
      answer(request, response, index);
    });
    const meanwhile = () => void idle[0]?.req.socket.end();
    expect(await suspended('get, then publish', url, { at: 'idle', meanwhile })).toBe('ok');
    expect(arrived.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(connections()).toBe(2);
  });

  it('in the queue of the limiter: nothing is doubled, and no minute has more than its share', async () => {
    const times: number[] = [];
    const { url } = await serve((request, response, index) => {
      times.push(performance.now());
      answer(request, response, index);
    });
    const options = { rateLimit: { perMinute: PER_MINUTE } };
    expect(await suspended('many, through the limiter', url, { at: 'wait' }, options)).toBe('ok');
    expect(times).toHaveLength(3 * PER_MINUTE);
    const minute = 60_000 / SPEED;
    for (const [index, time] of times.entries()) {
      const next = times[index + PER_MINUTE];
      // A lower bound: the client counts from the response, which comes after the arrival, so a busy machine only makes the
      // distance longer.
      if (next !== undefined) expect(next - time).toBeGreaterThanOrEqual(minute);
    }
  });
});
