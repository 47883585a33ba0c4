// Everything that a run needs, open as long as the run lasts: the service, the database, the queues, the workers.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { HonoAdapter } from '@bull-board/hono';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { QueueEvents } from 'bullmq';
import { Hono } from 'hono';
import type { Pool } from 'pg';
import type { BrandReport, Kind, Question } from './brands.js';
import { createTables, openDatabase, saveBrand } from './database.js';
import { connectionTo, type Fleet, openFleet, SYNC } from './fleet.js';

export interface Options {
  redisUrl: string;
  databaseUrl: string;
  brands: number;
  workers: number;
  /** All brands are of this kind. Default: a mixture. */
  kind?: Kind;
  say(text: string): void;
}

export interface Stage extends Options {
  /** The ids of the brands. */
  readonly ids: readonly string[];
  readonly db: Pool;
  readonly fleet: Fleet;
  readonly events: QueueEvents;
  readonly service: ChildProcess;
  /** The worker processes. None before `hire`. */
  readonly crew: ChildProcess[];
}

/** Longer than any run takes, so that a run that hangs ends. */
const TIME_LIMIT = 10 * 60_000;

export async function onStage<Result>(options: Options, run: (stage: Stage) => Promise<Result>): Promise<Result> {
  const { redisUrl, databaseUrl, brands, kind, say } = options;
  const stage: Stage = {
    ...options,
    ids: Array.from({ length: brands }, (_, brand) => `brand-${brand}`),
    db: openDatabase(databaseUrl),
    fleet: openFleet(redisUrl),
    events: new QueueEvents(SYNC, { connection: connectionTo(redisUrl) }),
    service: start('service', { BRANDS: String(brands), ...(kind && { KIND: kind }) }),
    crew: [],
  };
  const { ids, db, fleet, events, service, crew } = stage;
  const dashboard = await openDashboard(fleet);
  try {
    await message(service);
    await Promise.all([fleet.due, fleet.sync].map((queue) => queue.obliterate({ force: true })));
    await createTables(db);
    for (const id of ids) await enrol(stage, id);
    say(`${brands} brands, each with a key of its own. Dashboard: ${dashboard.url}`);
    return await run(stage);
  } finally {
    dashboard.close();
    await Promise.all(crew.map((worker) => end(worker, 'SIGTERM')));
    await end(service, 'SIGTERM');
    await Promise.all([events.close(), fleet.close(), db.end()]);
  }
}

export function hire({ redisUrl, databaseUrl, workers, crew }: Stage): void {
  while (crew.length < workers) crew.push(start('worker', { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl }));
}

/** Stores the address and the key of a brand. `renew`: a new key. */
export async function enrol({ ids, service, db }: Stage, id: string, renew = false): Promise<void> {
  const { url, key, perMinute } = await ask(service, { brand: ids.indexOf(id), renew });
  await saveBrand(db, { id, base_url: url, api_key: key, per_minute: perMinute });
}

/** Resolves when every brand's job is completed or failed. Rejects if a worker has ended, and after the time limit. */
export async function finished({ fleet, crew, brands, say }: Stage): Promise<void> {
  const deadline = performance.now() + TIME_LIMIT;
  let told = 0;
  for (;;) {
    const { completed = 0, failed = 0 } = await fleet.sync.getJobCounts('completed', 'failed');
    if (completed + failed === brands) return;
    if (!crew.every(isRunning)) throw new Error('A worker has ended.');
    if (performance.now() > deadline) throw new Error(`${completed} of ${brands} brands were synced in time.`);
    if (completed >= told + brands / 5) {
      told = completed;
      say(`${completed} of ${brands} brands are synced`);
    }
    await sleep(250);
  }
}

/**
 * The jobs in a browser, with their progress and their errors, on a free port of loopback. The dashboard has no password:
 * everybody who reaches the port may retry and delete jobs.
 */
async function openDashboard({ due, sync }: Fleet): Promise<{ url: string; close(): void }> {
  const adapter = new HonoAdapter(serveStatic);
  createBullBoard({ queues: [new BullMQAdapter(sync), new BullMQAdapter(due)], serverAdapter: adapter });
  const app = new Hono().route('/', adapter.registerPlugin());
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}

/** Starts a child process. It ends when this process ends, because it notices the end. */
function start(name: 'service' | 'worker', env: Record<string, string>): ChildProcess {
  const { dirname: cwd } = import.meta;
  return fork(`${cwd}/${name}.ts`, { cwd, execArgv: ['--import', 'tsx'], env: { ...process.env, ...env } });
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Asks the service about a brand. One question at a time. */
export async function ask(service: ChildProcess, question: Question): Promise<BrandReport> {
  const answered = message<BrandReport>(service);
  service.send(question);
  return answered;
}

/** The next message of a child. Rejects if the child ends instead. */
function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The service has ended.'));
    child.once('exit', onExit);
    child.once('message', (content) => {
      child.off('exit', onExit);
      resolve(content as T);
    });
  });
}
