import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Timer } from '../../../src/cli/plan/clock.js';
import { Journal, type Plan, parsePlan, resumePlan, runPlan, type Step } from '../../../src/cli/plan/index.js';
import type { JournalContent } from '../../../src/cli/plan/journal-file.js';
import { Client, type ClientOptions } from '../../../src/index.js';
import { createMockApi, type MockApiOptions, type MockControl } from '../../../src/mock/index.js';

export interface Action {
  operation: string;
  params?: Record<string, unknown>;
}

/** A folder that the test may fill. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'multilocal-plan-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A mocked service, a client of it, and a plan in a folder of its own. */
export async function stage(
  options: MockApiOptions = {},
  key?: (api: MockControl) => string,
  more: ClientOptions = {},
  ahead = 0,
) {
  const api = createMockApi(options);
  const apiKey = key?.(api) ?? api.keys.sphere;
  const client = await Client.connect({
    apiKey,
    baseUrl: api.baseUrl,
    fetch: api.handle,
    maxRetries: 0,
    rateLimit: false,
    ...more,
  });
  const file = join(folder(), 'plan.json');
  const timer = virtualTimer(api, ahead);
  const owner = () => ({ baseUrl: api.baseUrl, identity: client.identity as NonNullable<typeof client.identity> });

  /** One `--run`, without its rehearsal. */
  async function run(actions: readonly Action[], signal?: AbortSignal) {
    const plan = planOf(actions, file);
    const steps: Step[] = [];
    const options = { timer, signal, onStep: (step: Step) => void steps.push(step) };
    const journal = await Journal.open(plan, owner());
    try {
      const resumed = await resumePlan(client, plan, journal, options);
      const result = await runPlan(client, plan, journal, options);
      return { resumed, result, steps };
    } finally {
      await journal.close();
    }
  }

  /** Runs until nothing stops the run any more. */
  async function runs(actions: readonly Action[]) {
    for (;;) {
      const ran = await run(actions);
      if (ran.result.state !== 'stopped') return ran;
    }
  }
  const read = () => JSON.parse(readFileSync(`${file}.journal.json`, 'utf8')) as JournalContent;
  const write = (content: unknown) => writeFileSync(`${file}.journal.json`, JSON.stringify(content));
  const sent = (operation: string) => api.requests.filter((request) => request.operation === operation);
  /** Returns a function that lists the requests from now on. */
  const watch = () => {
    const { length } = api.requests;
    return () => api.requests.slice(length).map((request) => request.operation);
  };
  /** When the last read of a lookup arrived, by the clock of the service. */
  const lastLook = () =>
    api.requests.findLast(({ method, operation }) => method === 'GET' && operation !== 'health')?.at ?? 0;
  return { watch, lastLook, api, client, file, owner, run, runs, read, write, sent, timer };
}

/**
 * A run that was killed while its request was on the way. `age` of the cached GET /health that it read, and `wait` of the
 * call for its turn, both in ms.
 */
export async function killed(
  { api, file, owner, timer }: Awaited<ReturnType<typeof stage>>,
  action: Action,
  { age, wait }: { age: number; wait: number },
): Promise<void> {
  let left = () => {};
  const isOnItsWay = new Promise<void>((resolve) => {
    left = resolve;
  });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith('/health')) {
      const at = new Date(api.now().getTime() - age);
      const body = { status: 'ok', api_version: '2.0', timestamp: at.toISOString() };
      return Response.json(body, { headers: { date: at.toUTCString() } });
    }
    if (request.method === 'GET') return api.handle(request);
    await timer.wait(wait, undefined);
    left();
    return new Promise(() => {});
  };
  const { baseUrl, keys } = api;
  const client = await Client.connect({ apiKey: keys.sphere, baseUrl, fetch, maxRetries: 0, rateLimit: false });
  const plan = planOf([action], file);
  const journal = await Journal.open(plan, owner());
  void runPlan(client, plan, journal, { timer });
  await isOnItsWay;
  await journal.close();
}

export function planOf(actions: readonly Action[], file: string): Plan {
  const text = JSON.stringify({ actions }, null, 2);
  writeFileSync(file, text);
  return parsePlan(file, text);
}

/** Waits take no time: both clocks move on. The clock of the machine is `ahead` of that of the service, in ms. */
export function virtualTimer(api: MockControl, ahead = 0): Timer {
  let skipped = 0;
  return {
    now: () => performance.now() + skipped,
    date: () => api.now().getTime() + ahead,
    wait: async (ms) => {
      skipped += ms;
      api.advance(ms);
    },
  };
}

/** A location of the mock's brand. */
export const BULLE = 'bul_lyon_croix_rousse';
/** A listing of the mock's brand. */
export const FICHE = 'accounts/104829175630284517/locations/8837120495561027345';

/** A post with this text. */
export const post = (content: string, more: object = {}): Action => ({
  operation: 'posts.create',
  params: { content, platforms: ['facebook'], bulle_id: BULLE, ...more },
});
/** A social publication. */
export const social: Action = {
  operation: 'social.publish',
  params: { text: 'Ouvert', platforms: ['facebook'], bulle_id: BULLE },
};
