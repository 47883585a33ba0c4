// A process of its own that uses the client. It fails if a timer or a connection then keeps it alive.
import { getEventListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ArticlesClient } from '../../src/articles.js';
import { Client } from '../../src/client.js';
import { KEY } from '../support/fixtures.js';

type Options = ConstructorParameters<typeof ArticlesClient>[0];
type Reads = Pick<ArticlesClient, 'get'>;
type Api = Pick<Client['articles'], 'get' | 'publish'>;

/** What the child does with a client, by name; the parent's server plays along. abort.test.ts has more phases of an abort. */
export const SCENARIOS = {
  'a call that succeeds': async (api: Api) => void (await api.get(42)),
  'ten calls at once': async (api: Api) => void (await Promise.all(Array.from({ length: 10 }, () => api.get(42)))),
  'a refusal': (api: Api) => failing(api.get(404)),
  'failures until no attempt is left': (api: Api) => failing(api.get(503)),
  'connections that break': (api: Api) => failing(api.publish(1)),
  'a time-out': (api: Api) => failing(api.get(1000, { timeout: 50, maxRetries: 0 })),
  'a total time-out in the backoff': (api: Api) => failing(api.get(503, { totalTimeout: 50 })),
  'an abort in flight': (api: Api) => aborted(50, (signal) => api.get(1000, { signal })),
  'an abort in the backoff': (api: Api) => aborted(100, (signal) => api.get(503, { signal })),
  'a wait in the limiter’s queue': async (api: Api) => {
    await api.get(42);
    // So much later that the minute is nearly over, and not so much that a busy machine would get to its end.
    const now = performance.now.bind(performance);
    performance.now = () => now() + 58_000;
    const called = now();
    await api.get(42);
    performance.now = now;
    if (now() - called < 200) throw new Error('there was no wait');
  },
} as const;

export type Scenario = keyof typeof SCENARIOS;

/** What the measurement of many calls on one signal prints. */
export interface Growth {
  listeners: number;
  /** Bytes of heap a call, by round. */
  perCall: number[];
}

const CALLS = 1000;
const ROUNDS = 3;

/** Many calls on one signal that never aborts: those that succeed, are refused, fail and cannot be read. */
async function growth(make: (options: Options) => Reads): Promise<Growth> {
  const { signal } = new AbortController();
  const answers: [status: number, body: string][] = [
    [200, '{"id":42}'],
    [404, '{"detail":"introuvable"}'],
    [503, '<html>'],
    [200, 'x'],
  ];
  let count = 0;
  const fetch = async () => {
    const [status, body] = answers[count++ % answers.length] as [number, string];
    return new Response(body, { status });
  };
  const api = make({ apiKey: KEY, baseUrl: 'https://api.test', fetch, maxRetries: 0, validation: 'off' });
  const perCall: number[] = [];
  // The first round warms up.
  for (let round = 0, before = 0; round <= ROUNDS; round++) {
    for (let call = 0; call < CALLS; call += 50) {
      await Promise.all(Array.from({ length: 50 }, () => failing(api.get(42, { signal }))));
    }
    const after = await heap();
    if (round > 0) perCall.push((after - before) / CALLS);
    before = after;
  }
  return { listeners: getEventListeners(signal, 'abort').length, perCall };
}

async function heap(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

const failing = (work: PromiseLike<unknown>) => Promise.resolve(work).catch(() => {});

async function aborted(ms: number, call: (signal: AbortSignal) => PromiseLike<unknown>): Promise<void> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  await failing(call(controller.signal));
}

/** The scenarios with a write or a limiter, which only `Client` has. */
const ONLY_CLIENT: readonly string[] = ['connections that break', 'a wait in the limiter’s queue'] satisfies Scenario[];

const ofClient = (options: Options, perMinute = 1e9) =>
  new Client({ ...options, rateLimit: { perMinute, perDay: 1e9 } }).articles;
const ofPage = (options: Options) => new ArticlesClient(options);

async function main(work: string, baseUrl: string): Promise<void> {
  if (work === 'growth') {
    const all: Growth[] = [];
    for (const make of [ofClient, ofPage]) all.push(await growth(make));
    return void process.stdout.write(JSON.stringify(all));
  }
  const makers = ONLY_CLIENT.includes(work) ? [ofClient] : [ofClient, ofPage as unknown as typeof ofClient];
  for (const [index, make] of makers.entries()) {
    const perMinute = work.includes('queue') ? 1 : undefined;
    await SCENARIOS[work as Scenario](make({ apiKey: KEY, baseUrl: `${baseUrl}/${index}` }, perMinute));
  }
  const left = await leftOver();
  if (left.length > 0) throw new Error(`these resources keep the process alive: ${left.join(', ')}`);
  process.stdout.write('done');
}

/** Turns of the event loop in which sockets may close. Counted, because a busy machine takes longer for each of them. */
const TURNS = 400;

/** The timers and connections that keep this process alive. */
async function leftOver(): Promise<string[]> {
  const active = () => process.getActiveResourcesInfo().filter((type) => /^(Timeout|Immediate|TCP|TLS|DNS)/.test(type));
  for (let turn = 0; turn < TURNS && active().length > 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return active();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv[2] ?? '', process.argv[3] ?? '');
}
