import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions, type Identity } from 'multilocal';
import type { MockApiOptions, MockControl } from 'multilocal/mock';
import { createMockApi } from 'multilocal/mock/server';
import { fileJournal } from 'multilocal/node';
import { onTestFinished } from 'vitest';
import type { Timer } from '../src/clock.js';
import type { PlanJournal } from '../src/index.js';
import { type Plan, type PlanRun, type PlanStep, type RunOptions, runPlan } from '../src/index.js';
import { type Entry, type JournalContent, outcomeOf } from '../src/journal-content.js';

export interface Action {
  operation: string;
  key?: string;
  params?: Record<string, unknown> | undefined;
}

/** A folder that the test may fill. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'multilocal-plan-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** An entry of a journal, with what it says in one word, the ids of what was made, and the error of its request. */
function viewOf(entry: Entry) {
  const error = entry.sent?.error ?? entry.error;
  const ids = entry.made?.ids;
  return { ...entry, outcome: outcomeOf(entry), ...(ids && { ids }), ...(error && { error }) };
}

/** The first entry of the text of a journal. */
export function firstIn(text: string) {
  const { entries }: JournalContent = JSON.parse(text);
  return Object.values(entries).map(viewOf)[0];
}

type Given = [
  options?: MockApiOptions,
  key?: (api: MockControl) => string,
  more?: ClientOptions | ((api: MockControl) => ClientOptions),
  ahead?: number,
];

/** A mocked service, a client of it, and a plan with a journal in memory. */
export function stage(...given: Given) {
  let stored: string | null = null;
  const save: PlanJournal['save'] = async (next, previous) => {
    if (stored !== previous) return false;
    stored = next;
    return true;
  };
  const put = (text: string) => {
    stored = text;
  };
  return stageWith({ load: async () => stored, save }, () => stored ?? '', put, ...given);
}

/** The same with a journal that is a file in a folder of its own. */
export async function stageOnDisk(...given: Given) {
  const file = join(folder(), 'plan.json.journal.json');
  const put = (text: string) => writeFileSync(file, text);
  return { file, ...(await stageWith(fileJournal(file), () => readFileSync(file, 'utf8'), put, ...given)) };
}

async function stageWith(
  journal: PlanJournal,
  text: () => string,
  put: (text: string) => void,
  options: MockApiOptions = {},
  key?: (api: MockControl) => string,
  more: ClientOptions | ((api: MockControl) => ClientOptions) = {},
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
    ...(typeof more === 'function' ? more(api) : more),
  });
  const identity = { ...client.identity, permissions: ['read', 'schedule'] } as Identity;
  /** A client whose key may neither publish nor delete. */
  const few = new Client({ apiKey, baseUrl: api.baseUrl, fetch: api.handle, rateLimit: false, identity });
  const timer = virtualTimer(api, ahead);

  /** One run, and the steps that it has told. */
  async function run(actions: readonly Action[], more: Partial<RunOptions> = {}) {
    const steps: PlanStep[] = [];
    const onStep = (step: PlanStep) => void steps.push(step);
    const result = await runPlan(client, planOf(actions), { journal, timer, onStep, ...more });
    return { result, steps };
  }

  const content = () => JSON.parse(text()) as JournalContent;
  /** The journal, with its entries as a list. */
  const read = () => ({ ...content(), entries: Object.values(content().entries).map(viewOf) });
  /** Changes the entries of the journal, and the fields around them. */
  const write = (change: (entry: Entry) => object, head: object = {}) => {
    const { entries, ...known } = content();
    const all = Object.entries(entries).map(([key, entry]) => [key, change(entry)]);
    put(JSON.stringify({ ...known, ...head, entries: Object.fromEntries(all) }));
  };
  const sent = (operation: string) => api.requests.filter((request) => request.operation === operation);
  /** Returns a function that lists the requests from now on. */
  const watch = () => {
    const { length } = api.requests;
    return () => api.requests.slice(length).map((request) => request.operation);
  };
  /** When the last read of a lookup arrived, by the clock of the service. */
  const lastLook = () =>
    api.requests.findLast(({ method, operation }) => method === 'GET' && operation !== 'health')?.at ?? 0;
  return { watch, lastLook, api, client, few, journal, run, read, write, sent, timer };
}

/** A run that was killed while its request was on the way. In ms: `age` of the cached GET /health, `wait` of the call for its turn. */
export async function killed(
  { api, journal, timer }: Awaited<ReturnType<typeof stage>>,
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
  const { load, save } = journal;
  // Without its lock, as if the process were gone. After the timeout of the client, the run finds no folder any more.
  void runPlan(client, planOf([action]), { journal: { load, save }, timer, again: true }).catch(() => {});
  await isOnItsWay;
}

/** A plan of actions that a test makes up, valid or not. */
export function planOf(actions: readonly Action[]): Plan {
  return { actions } as Plan;
}

/** The outcome of each action. */
export function outcomesOf({ steps }: Pick<PlanRun, 'steps'>): string[] {
  return steps.map(({ outcome }) => outcome);
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
export const AT = '2035-01-01T09:00:00Z';
/** A post with a key and a moment. */
export const keyed = (key: string, content: string, more: object = {}): Action & { key: string } => ({
  key,
  ...post(content, { scheduled_at: AT, ...more }),
});
/** A social publication. */
export const social: Action = {
  operation: 'social.publish',
  params: { text: 'Ouvert', platforms: ['facebook'], bulle_id: BULLE },
};
