import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { directoryStore } from 'multilocal/node';
import { describe, expect, it } from 'vitest';
import { type Article, Client } from '../../src/index.js';
import { childProgram } from '../support/child.js';
import { DISORDERLY, HostileService, ORDERLY, Random } from './hostile-service.js';

const ARTICLES = 2_000;
/** How many seeds, and the first of them: `FUZZ_SEEDS=1 FUZZ_FIRST_SEED=17` runs the seed 17 again. */
const SEEDS = Number(process.env.FUZZ_SEEDS ?? 3);
const FIRST = Number(process.env.FUZZ_FIRST_SEED ?? 1);
/** Seeds at a time. */
const LANES = 3;

const { folder: base, program } = childProgram(new URL('sync-child.ts', import.meta.url));

interface End {
  code: number | null;
  stderr: string;
}

/** Start a run; `stop` kills it, as nothing can be caught. */
function start(url: string, folder: string, reconcile: boolean): { stop: () => void; ended: Promise<End> } {
  const run = spawn(process.execPath, [program, url, folder, reconcile ? 'reconcile' : ''], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  run.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<End>((resolve) => run.on('close', (code) => resolve({ code, stderr })));
  return { stop: () => void run.kill('SIGKILL'), ended };
}

/** What the folder holds: every name, and every `step`th file. @throws where a file is not whole. */
function contents(folder: string, step = 1) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const ids = new Set<number>();
  const articles = new Map<number, Article>();
  for (const [index, name] of names.entries()) {
    const id = /^(\d+)\.json$/.exec(name)?.[1];
    if (id === undefined) continue;
    ids.add(Number(id));
    if (index % step === 0) articles.set(Number(id), JSON.parse(readFileSync(join(folder, name), 'utf8')));
  }
  const cursor = names.includes('cursor.json')
    ? (JSON.parse(readFileSync(join(folder, 'cursor.json'), 'utf8')) as { cursor: string }).cursor
    : undefined;
  return { ids, articles, cursor, other: names.filter((name) => !/^(\d+|cursor)\.json$/.test(name)) };
}

/** Whatever happened: all that the saved cursor covers is stored, and is as the service has it. */
function lossesUpToCursor({ ids, articles, cursor }: ReturnType<typeof contents>, service: HostileService): string[] {
  if (cursor === undefined) return [];
  const losses: string[] = [];
  for (const { id, status, updated_at } of service.articles.values()) {
    if (updated_at > cursor || service.restored.has(id)) continue;
    if (ids.has(id) !== (status === 'published')) losses.push(`${id} is ${status}, stored: ${ids.has(id)}`);
    const stored = articles.get(id)?.updated_at ?? updated_at;
    if (stored !== updated_at) losses.push(`${id}: ${stored} in place of ${updated_at}`);
  }
  return losses;
}

interface Tally {
  kills: number;
  failures: number;
  requests: number;
  faults: Record<string, number>;
}

async function oneSeed(seed: number, tally: Tally): Promise<void> {
  const random = new Random(seed);
  const service = new HostileService(random, ARTICLES, seed % 2 === 0 ? DISORDERLY : ORDERLY);
  const folder = join(base, `seed-${seed}`);
  const url = await service.listen();
  const unexpected: string[] = [];
  let stored = new Set<number>();
  const run = async (killed: boolean) => {
    const { stop, ended } = start(url, folder, random.chance(0.15));
    let left = random.int(1, 25);
    const delay = random.next() < 0.3 ? 0 : random.int(0, 120);
    service.onRequest = () => {
      if (killed && --left === 0) setTimeout(stop, delay);
    };
    const { code, stderr } = await ended;
    if (code === null) tally.kills++;
    else if (code !== 0) {
      tally.failures++;
      // A malformed response ends a run, and so does an order that never stands still.
      if (!/^(invalid_response|sync_stalled) /.test(stderr)) unexpected.push(`exit ${code}: ${stderr.slice(0, 400)}`);
    }
    const held = contents(folder, 16);
    expect(lossesUpToCursor(held, service), 'lost although the cursor covers it').toEqual([]);
    const isOnline = (id: number) => service.articles.has(id) && !service.everOffline.has(id);
    const removed = [...stored].filter((id) => isOnline(id) && !held.ids.has(id));
    expect(removed, 'removed although they exist').toEqual([]);
    stored = held.ids;
    return code;
  };
  try {
    for (let kills = random.int(2, 4); kills > 0; kills--) await run(true);
    for (let starts = 0; (await run(false)) !== 0; starts++)
      expect(starts, 'starts until a run ended').toBeLessThan(10);
    service.isQuiet = true;
    const client = new Client({ apiKey: 'fuzz-key', baseUrl: url, rateLimit: false, maxRetries: 0 });
    await client.articles.syncTo(directoryStore(folder), { reconcile: true, allowMassDeletion: true });
    const { articles, other } = contents(folder);
    const online = [...service.articles.values()].filter(({ status }) => status === 'published');
    const listed = (all: Iterable<Article>) => [...all].map(({ id, updated_at }) => `${id}@${updated_at}`).sort();
    expect(listed(articles.values())).toEqual(listed(online));
    expect([...articles].filter(([id, article]) => article.id !== id)).toEqual([]);
    expect(other, 'files that are neither articles nor the cursor').toEqual([]);
    expect(unexpected.join('\n'), 'runs that failed for no reason').toBe('');
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
    tally.requests += service.requests;
    for (const [fault, times] of Object.entries(service.faults)) {
      tally.faults[fault] = (tally.faults[fault] ?? 0) + times;
    }
  }
}

describe(`a sync of ${ARTICLES} articles, killed at random against a service that fails at random`, () => {
  it(`ends with the service's list: ${SEEDS} seeds from ${FIRST}`, async () => {
    const tally: Tally = { kills: 0, failures: 0, requests: 0, faults: {} };
    const failed: string[] = [];
    const queue = Array.from({ length: SEEDS }, (_, index) => FIRST + index);
    const lane = async () => {
      for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) {
        await oneSeed(seed, tally).catch((error: Error) =>
          failed.push(`seed ${seed}: ${error.message.slice(0, 1_500)}`),
        );
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    if (process.env.FUZZ_SEEDS) console.log(`${SEEDS} seeds:`, tally);
    expect(failed).toEqual([]);
    expect(tally.kills, 'runs that were killed in their midst').toBeGreaterThanOrEqual(SEEDS);
  });
});
