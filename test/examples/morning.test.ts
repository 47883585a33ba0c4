import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkPackages } from '@multilocal/stores/test/services/sqlite';
import { Client, zonedTime } from 'multilocal';
import { createMockApi, type MockControl } from 'multilocal/mock';
import { startMockServer } from 'multilocal/mock/server';
import { type Campaign, memoryJournal } from 'multilocal/plans';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { publishMorning } from '../../examples/morning/morning.js';
import { blocksOf } from '../docs/blocks.js';
import { environmentOf, example, run } from './run.js';

/** A day whose nine o'clock is ahead in every zone. */
const DAY = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
const NAME = `Matin du ${DAY}`;
const LOCATIONS = 40;

/** The seed has one account that refuses posts. */
const reconnect = (api: MockControl) =>
  api.connections.change(api.ids.otherBulle, 'facebook', { needs_reconnect: false });

const publishedBy = (api: MockControl) => api.posts.all().filter(({ content }) => content.includes('au fournil'));
const isDryRun = (body: unknown): boolean => Reflect.get(Object(body), 'dry_run') === true;
const writesOf = (api: MockControl, wanted: string) =>
  api.requests.filter(({ operation, body }) => operation === wanted && !isDryRun(body));

describe('publishMorning', () => {
  const zones = { bul_annecy_vieille_ville: 'Indian/Reunion' };
  const post: Campaign['post'] = { platforms: ['facebook'], content: '{{city}}, au fournil : {{special|le pain}}' };
  const campaign: Campaign = { campaign: NAME, at: `${DAY}T09:00`, zone: 'Europe/Paris', zones, for: 'all', post };
  const rows = [{ bulle_id: 'bul_lyon_croix_rousse', special: 'la brioche' }];

  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: Date.now() }),
  );

  let services = 0;
  /** A service with an address of its own, because the clients of one address and key share their limits. */
  async function connected() {
    const baseUrl = `https://morning-${++services}.example.com`;
    const api = createMockApi({ baseUrl, bulles: LOCATIONS, rateLimit: { perMinute: 60, perDay: 1000 } });
    return { api, client: await Client.connect({ apiKey: api.keys.sphere, baseUrl, fetch: api.handle }) };
  }

  it('publishes a post for each location at its nine o’clock, within the limits, and returns the report', async () => {
    const { api, client } = await connected();
    reconnect(api);
    const journal = memoryJournal();
    const report = await hurried(publishMorning(client, journal, campaign, rows));
    expect(report).toMatchObject({ report_name: NAME, pdf_url: expect.any(String) });
    const posts = publishedBy(api);
    expect(new Set(posts.map(({ bulle_id }) => bulle_id)).size).toBe(LOCATIONS);
    expect(posts).toHaveLength(LOCATIONS);
    for (const { bulle_id, content, scheduled_facebook } of posts) {
      const zone = bulle_id === 'bul_annecy_vieille_ville' ? 'Indian/Reunion' : 'Europe/Paris';
      expect(Date.parse(`${scheduled_facebook}`)).toBe(Date.parse(zonedTime(`${DAY}T09:00`, zone)));
      expect(content).toContain(bulle_id === 'bul_lyon_croix_rousse' ? 'la brioche' : 'le pain');
    }
    expect(api.requests.filter(({ status }) => status === 429)).toEqual([]);
    // As the guide says: 4 for each location, and some more.
    expect(api.requests.length - 4 * LOCATIONS).toBeLessThanOrEqual(20);

    // Again: no write, and the same report.
    const before = api.requests.length;
    expect(await hurried(publishMorning(client, journal, campaign, rows))).toEqual(report);
    expect(api.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
  });

  it('publishes nothing if one location refuses its post, and names it', async () => {
    const { api, client } = await connected();
    await expect(hurried(publishMorning(client, memoryJournal(), campaign, rows))).rejects.toThrow('reconnect');
    expect(publishedBy(api)).toEqual([]);
  });
});

/** Waits for work whose waits are skipped. */
async function hurried<Result>(work: Promise<Result>): Promise<Result> {
  let isSettled = false;
  work.finally(() => (isSettled = true)).catch(() => {});
  while (!isSettled) await vi.advanceTimersByTimeAsync(1_000);
  return work;
}

describe('the program', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'multilocal-morning-'));
    await cp(example('morning'), folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
    await linkPackages(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // The operation, and how many of its requests have arrived in this run when the process is killed. In a first run, the
  // previews of the posts come before the posts.
  const KILLS: readonly (readonly [operation: string, arrived: number])[] = [
    ['bulles.list', 1],
    ['posts.create', 6],
    ['posts.create', LOCATIONS + 1],
    ['posts.create', LOCATIONS + 3],
    ['posts.list', 4],
    ['posts.create', LOCATIONS - 1],
    ['reports.list', 1],
  ];

  it('is killed again and again, and publishes each post once', async () => {
    // The limits of the service are not the subject: with 60 a minute, the runs would wait in real time.
    const server = await startMockServer({
      bulles: LOCATIONS,
      rateLimit: { perMinute: 10_000, perDay: 100_000 },
    });
    const { api, close } = server;
    const env = { ...environmentOf(server), DATABASE_FILE: 'morning.db' };
    try {
      reconnect(api);
      for (const [operation, arrived] of KILLS) {
        const child = spawn(process.execPath, ['--import', 'tsx', 'main.ts', DAY], {
          cwd: folder,
          env: { ...process.env, ...env },
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        let left = arrived;
        whenArrived(api, (request) => {
          if (request === operation && --left === 0) child.kill('SIGKILL');
        });
        const signal = await new Promise((resolve) => child.on('close', (_, reason) => resolve(reason)));
        expect([operation, arrived, signal]).toEqual([operation, arrived, 'SIGKILL']);
      }
      whenArrived(api, () => {});
      // The service needs more than a minute for a report.
      api.advance(120_000);
      const { code, output } = await run(process.execPath, ['--import', 'tsx', 'main.ts', DAY], { cwd: folder, env });
      expect(output).toMatch(new RegExp(`^Published. ${NAME}: http://127.0.0.1:`));
      expect(code).toBe(0);
      const locations = publishedBy(api).map(({ bulle_id }) => bulle_id);
      expect([locations.length, new Set(locations).size]).toEqual([LOCATIONS, LOCATIONS]);
      expect(writesOf(api, 'posts.create')).toHaveLength(LOCATIONS);
      expect(writesOf(api, 'reports.create')).toHaveLength(1);
    } finally {
      await close();
    }
  });
});

/** Calls back when a request is complete, before the service handles it. */
function whenArrived(api: MockControl, arrived: (operation: string | undefined) => void): void {
  const requests = api.requests as MockControl['requests'][number][];
  requests.push = (...items) => {
    for (const item of items) {
      let body: unknown;
      const set = (value: unknown) => {
        body = value;
        arrived(item.operation);
      };
      Object.defineProperty(item, 'body', { get: () => body, set, enumerable: true });
    }
    return Array.prototype.push.apply(requests, items);
  };
}

it('is the code of the guide, and has at most 60 lines', async () => {
  const files = ['morning.ts', 'main.ts'].map((name) => readFile(join(example('morning'), name), 'utf8'));
  const code = await Promise.all(files);
  expect(blocksOf('docs/guides/publish-every-morning.md').map((block) => block.code)).toEqual(code);
  expect(code.join('').match(/\n/g)?.length).toBeLessThanOrEqual(60);
});
