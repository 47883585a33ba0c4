import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type ClientEvent } from 'multilocal';
import { directoryStore } from 'multilocal/node';
import { describe, expect, it, vi } from 'vitest';
import { Interrupted } from '../../src/failure.js';
import { Output } from '../../src/output.js';
import { sourceOf } from '../../src/sync/owner.js';
import { pauseFor, watch } from '../../src/sync/watch.js';
import { changesInWords } from '../../src/sync/words.js';
import { startMock, temporaryFolder } from './support.js';

const DAY = 86_400_000;

describe('pauseFor', () => {
  it.each([
    [1, 1_000],
    [5, 1_000],
    [1, 50],
    [1, 100_000],
  ])('keeps runs of %i requests within half of %i a day, a minute apart', (requests, perDay) => {
    const pause = pauseFor(requests, perDay);
    expect(pause).toBeGreaterThanOrEqual(60_000);
    expect((DAY / pause) * requests).toBeLessThanOrEqual(perDay / 2);
  });

  it('is not endless if the service reports no limit', () => {
    expect(pauseFor(1, 0)).toBeLessThanOrEqual(2 * DAY);
  });
});

describe('changesInWords', () => {
  it.each([
    [{ upserted: 1, unpublished: 0, deleted: 0 }, 'stored 1 article'],
    [{ upserted: 2, unpublished: 1, deleted: 0 }, 'stored 2 articles and removed 1 article that went offline'],
    [
      { upserted: 2, unpublished: 1, deleted: 1 },
      'stored 2 articles, removed 1 article that went offline and removed 1 article that no longer exists',
    ],
    [{ upserted: 0, unpublished: 0, deleted: 0 }, ''],
  ])('describes %o', (counts, words) => {
    expect(changesInWords(counts)).toBe(words);
  });
});

describe('watch', () => {
  async function begin({ bulle_id, maxRetries = 0 }: { bulle_id?: string; maxRetries?: number } = {}) {
    const { url, api } = await startMock();
    const folder = temporaryFolder();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stdout: string[] = [];
    const stderr: string[] = [];
    const stream = (lines: string[]) => ({ isTTY: false, write: (text: string) => lines.push(text) > 0, on: vi.fn() });
    const output = new Output(true, stream(stdout) as never, stream(stderr) as never);
    const controller = new AbortController();
    let sent = 0;
    const onEvent = ({ type }: ClientEvent) => {
      if (type === 'request') sent++;
    };
    const options = { apiKey: api.keys.sphere, baseUrl: url };
    const client = new Client({ ...options, maxRetries, onEvent });
    const source = sourceOf(client, options.apiKey, bulle_id, 'json');
    const { signal } = controller;
    const store = directoryStore(folder);
    const rest = { lock: { check: async () => {}, release: async () => {} }, reconcile: undefined, output, signal };
    const task = { client, sent: () => sent, folder, store, source, bulle_id, ...rest };
    return { api, folder, stdout, stderr, end: () => controller.abort(new Interrupted()), code: watch(task) };
  }

  /** `vi.waitFor` would move the virtual time. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  it('waits out an outage as long as the service asks, and goes on', async () => {
    const { api, stdout, stderr, end, code } = await begin();
    await until(() => stdout.length === 1 && vi.getTimerCount() > 0);
    api.fail({ operation: 'articles.list', status: 503, headers: { 'retry-after': '500' }, times: 1 });
    await vi.advanceTimersByTimeAsync(172_800);
    await until(() => stdout.length === 2 && stderr.length > 0 && vi.getTimerCount() > 0);
    expect(JSON.parse(stdout[1] ?? '')).toMatchObject({ error: { code: 'service_unavailable' } });
    expect(stderr.join('')).toContain('The next run is in 500 s.');
    const sent = api.requests.length;
    await vi.advanceTimersByTimeAsync(499_000);
    expect(api.requests).toHaveLength(sent);
    await vi.advanceTimersByTimeAsync(1_000);
    await until(() => stdout.length === 3);
    expect(JSON.parse(stdout[2] ?? '')).toMatchObject({ upserted: 0, requests: 1 });
    end();
    expect(await code).toBe(130);
    expect(stderr.at(-1)).toMatch(/^Ended after 3 runs: stored \d+ articles/);
  });

  it('counts the retries of a failed run, so an outage stays within half of the daily limit', async () => {
    const { api, stderr, stdout, end, code } = await begin({ maxRetries: 2 });
    await until(() => stdout.length === 1 && vi.getTimerCount() > 0);
    const sent = api.requests.length;
    api.fail({ operation: 'articles.list', status: 503, headers: { 'retry-after': '0' }, times: 3 });
    await vi.advanceTimersByTimeAsync(172_800);
    // The waits before the retries are virtual too.
    while (!stderr.join('').includes('The next run')) {
      await vi.advanceTimersByTimeAsync(1);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(api.requests.length - sent).toBe(3);
    expect(stderr.join('')).toContain('The next run is in 518 s.');
    end();
    expect(await code).toBe(130);
  });

  it('ends for a location that does not exist', async () => {
    const { code } = await begin({ bulle_id: 'bul_nowhere' });
    await expect(code).rejects.toMatchObject({ code: 'bulle_not_found' });
  });

  it.each<[string, (scene: Awaited<ReturnType<typeof begin>>) => void, string]>([
    [
      'the folder belongs to another sync',
      ({ folder }) => {
        const file = join(folder, 'owner.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"bulle": null', '"bulle": "bul_other"'));
      },
      'folder_of_another_sync',
    ],
    ['the key is revoked', ({ api }) => api.fail({ operation: 'articles.list', status: 401 }), 'authentication'],
  ])('ends when %s', async (_, change, code) => {
    const scene = await begin();
    await until(() => scene.stdout.length === 1 && vi.getTimerCount() > 0);
    change(scene);
    await Promise.all([expect(scene.code).rejects.toMatchObject({ code }), vi.advanceTimersByTimeAsync(172_800)]);
    expect(scene.stdout).toHaveLength(1);
  });
});
