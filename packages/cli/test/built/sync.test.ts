import { randomUUID } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { MockControl } from '@multilocal/mock/control';
import { Client } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { lockFolder } from '../../src/sync/folder.js';
import { plural } from '../../src/words.js';
import { type Result, refusals, run, start, startMock, temporaryFolder } from './support.js';

const resultSchema = z.strictObject({
  upserted: z.int(),
  unpublished: z.int(),
  deleted: z.int(),
  cursor: z.nullable(z.string()),
  requests: z.int(),
});

const NOW = '2026-11-21T09:30:00Z';

const resultOf = ({ stdout }: Result) => resultSchema.parse(JSON.parse(stdout));
const errorOf = ({ stdout }: Result) => (JSON.parse(stdout) as { error: Record<string, string> }).error;

const articlesIn = (folder: string) => readdirSync(folder).filter((name) => /^\d+\.json$/.test(name)).length;

/** Number of pages of articles that were requested. */
const listings = (api: MockControl) => api.requests.filter(({ path }) => path.endsWith('/articles')).length;

describe('sync', () => {
  it('stores every published article, then only what changed', async () => {
    const { env, api } = await startMock();
    const folder = join(temporaryFolder(), 'content', 'articles');
    const first = await run(['sync', folder], { env });
    const { upserted, requests } = resultOf(first);
    expect([articlesIn(folder), first.code]).toEqual([upserted, 0]);
    expect(api.requests).toHaveLength(requests);
    expect(first.stderr.trim().split('\n')).toHaveLength(requests - 2);
    expect(first.stderr).toMatch(/^47 of \d+ articles\n/);
    expect(resultOf(await run(['sync', folder], { env }))).toMatchObject({ upserted: 0, requests: 1 });
  });

  it('writes Markdown with --format md, and then only what changed', async () => {
    const { env } = await startMock();
    const folder = temporaryFolder();
    const { upserted } = resultOf(await run(['sync', folder, '--format', 'md'], { env }));
    const files = readdirSync(folder).filter((name) => /^\d+\.md$/.test(name));
    expect(files).toHaveLength(upserted);
    expect(readFileSync(join(folder, files[0] ?? ''), 'utf8')).toMatch(/^---\nid: \d+\ntitle: [\s\S]+\n---\n\n/);
    expect(resultOf(await run(['sync', folder, '--format', 'md'], { env }))).toMatchObject({
      upserted: 0,
      requests: 1,
    });
  });

  it('finds deletions with --reconcile', async () => {
    const { env, api } = await startMock();
    const folder = temporaryFolder();
    const { upserted } = resultOf(await run(['sync', folder], { env }));
    writeFileSync(join(folder, '999999.json'), '{"id":999999}');
    const again = await run(['sync', folder], { env });
    expect(resultOf(again).deleted).toBe(0);
    const reconciled = await run(['sync', folder, '--reconcile'], { env });
    expect(resultOf(reconciled)).toMatchObject({ upserted: 0, deleted: 1 });
    expect(reconciled.stderr).toMatch(/^Complete listing: about \d+ more requests\.\n/);
    expect(articlesIn(folder)).toBe(upserted);
    expect(api.requests.every(({ status }) => status === 200 || status === 404)).toBe(true);
  });

  it('syncs one location with --bulle', async () => {
    const { env, api } = await startMock();
    await run(['sync', temporaryFolder(), '--bulle', api.ids.bulle], { env });
    const listed = api.requests.filter(({ path }) => path.endsWith('/articles'));
    expect(new Set(listed.map(({ query }) => query.bulle_id))).toEqual(new Set([api.ids.bulle]));
  });

  it('shows a bar and a sentence on a terminal, and animates nothing with --json', async () => {
    const { env } = await startMock();
    const cwd = temporaryFolder();
    const options = { env: { ...env, NO_COLOR: '1' }, columns: 80, cwd };
    const first = await run(['sync', 'content'], options);
    const steps = stripVTControlCharacters(first.stdout).split('\r');
    expect(first.code).toBe(0);
    expect(steps[1]).toMatch(/^━{24} {2}1 of \d+ articles$/);
    expect(steps.at(-1)).toMatch(/^content: stored \d+ articles \(\d requests\)\.\n$/);
    const { stdout } = await run(['sync', 'content'], options);
    expect(stripVTControlCharacters(stdout).split('\r').at(-1)).toBe('content is up to date (1 request).\n');
    expect((await run(['sync', 'other', '--json'], options)).stdout).not.toContain('\u001b');
  });

  it('says what was stored after Ctrl-C, and goes on from there', async () => {
    const { env, api } = await startMock({ now: NOW });
    const folder = temporaryFolder();
    api.fail({ operation: 'articles.list', delay: 600_000, status: 503, times: 1 });
    const blocked = start(['sync', temporaryFolder()], { env });
    await expect.poll(() => listings(api), { timeout: 60_000 }).toBe(1);
    blocked.interrupt();
    const nothing = await blocked.result;
    expect([nothing.code, errorOf(nothing).message]).toEqual([130, 'Interrupted before anything changed.']);

    const whole = resultOf(await run(['sync', temporaryFolder()], { env }));
    const slow = await startMock({ now: NOW, latency: 1_000, articlesPageSize: 5 });
    const running = start(['sync', folder], { env: slow.env });
    await running.shows(/\d+ of \d+ articles/);
    running.interrupt();
    const result = await running.result;
    expect([result.code, errorOf(result).code]).toEqual([130, 'interrupted']);
    expect(errorOf(result).message).toMatch(/^Interrupted\. This run stored \d+ articles\.$/);
    // The same articles have another address now.
    rmSync(join(folder, 'owner.json'));
    const rest = resultOf(await run(['sync', folder], { env }));
    expect(articlesIn(folder)).toBe(whole.upserted);
    expect(rest.upserted).toBeLessThan(whole.upserted);
  });

  it('ends well if the reader of stdout and stderr is gone', async () => {
    const { env } = await startMock();
    const folder = temporaryFolder();
    const running = start(['sync', folder], { env });
    running.child.stdout?.destroy();
    running.child.stderr?.destroy();
    expect(await running.result).toMatchObject({ code: 0 });
    expect(articlesIn(folder)).toBeGreaterThan(0);
  });
});

it('a second run in one folder is refused, and nothing of the first one is lost', async () => {
  const { env, api } = await startMock({ latency: 300, articlesPageSize: 20 });
  const folder = temporaryFolder();
  const first = start(['sync', folder], { env });
  await first.shows(/\d+ of \d+ articles/);
  const second = await run(['sync', folder], { env });
  const message = `Another sync runs in the folder ${folder}. Nothing was changed.`;
  expect([second.code, errorOf(second)]).toMatchObject([3, { code: 'folder', message }]);
  expect(errorOf(second).hint).toContain('delete');
  const { code, stdout } = await first.result;
  expect([code, articlesIn(folder)]).toEqual([0, JSON.parse(stdout).upserted]);
  expect(readdirSync(folder).filter((name) => name.includes('lock') || name.endsWith('.tmp'))).toEqual([]);
  expect(api.requests.every(({ status }) => status === 200)).toBe(true);
});

it('the lock of a killed container expires, and a run whose lock has expired notices it', async () => {
  const folder = temporaryFolder();
  const other = (until: number) =>
    writeFileSync(join(folder, '.sync.lock'), JSON.stringify({ id: randomUUID(), pid: 1, host: 'web', until }));
  other(Date.now() + 25_000);
  await expect(lockFolder(folder)).rejects.toThrow('Another sync runs');
  other(Date.now() - 1);
  const lock = await lockFolder(folder);
  await lock.check();
  await expect(lockFolder(folder)).rejects.toThrow('Another sync runs');
  // While the machine was asleep.
  other(Date.now() + 25_000);
  await expect(lock.check()).rejects.toThrow('Another sync runs');
  rmSync(join(folder, '.sync.lock'));
  await lock.check();
  await lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

/** Everything in a folder, with the content of the files. */
const contentOf = (folder: string) =>
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

/** A folder after its first run, with the mock that it belongs to. */
async function synced(...flags: string[]) {
  const mock = await startMock({ now: NOW });
  const folder = temporaryFolder();
  expect(await run(['sync', folder, ...flags], { env: mock.env })).toMatchObject({ code: 0 });
  const ownerFile = join(folder, 'owner.json');
  const changeOwner = (change: object) =>
    writeFileSync(ownerFile, JSON.stringify({ ...JSON.parse(readFileSync(ownerFile, 'utf8')), ...change }));
  return { ...mock, folder, ownerFile, changeOwner };
}

it('a folder that cannot be that of this sync is refused, and nothing in it changes', async () => {
  const { folder, env, api, changeOwner } = await synced();
  const kept = contentOf(folder);
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const clear = () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  };
  const me = await new Client({ apiKey: api.keys.readOnly, baseUrl: env.MULTILOCAL_BASE_URL }).me();
  const otherBrand = { operation: 'me', status: 200, body: { ...me, sphere: { ...me.sphere, id: 'sph_other' } } };
  const empty = { articles: [], total: 0, limit: 50, offset: 0 };

  const scenes: [what: string, prepare: () => unknown, words?: string, key?: string][] = [
    ['it has files of others that are named like articles', () => [clear(), put('2024.json', '{"year":2024}')]],
    ['its cursor is damaged', () => put('cursor.json', '{')],
    ['its owner is damaged', () => put('owner.json', '{"version":2}')],
    [
      'most articles are missing',
      () => api.fail({ operation: 'articles.list', status: 200, body: empty }),
      '--reconcile',
    ],
    ['--bulle is another one', () => {}, '--bulle bul_x'],
    // Its cursor would leave out all that has not changed since.
    ['the format is another one', () => {}, '--format md'],
    ['the key is that of one location', () => {}, '', api.keys.bulle],
    ['the key is that of another brand', () => api.fail(otherBrand), '', api.keys.readOnly],
    // What the file says is cut and put on one line.
    ['the service is another one', () => changeOwner({ service: `x\n${'y'.repeat(100_000)}` })],
    [
      'a new article has the name of a file of others',
      () => put(`${api.articles.add({ status: 'published' }).id}.json`, 'mine'),
    ],
  ];
  let text = '';
  for (const [what, prepare, words = '', key = env.MULTILOCAL_API_KEY] of scenes) {
    prepare();
    const [before, sent] = [contentOf(folder), api.requests.length];
    const args = ['sync', folder, ...words.split(' ').filter(Boolean)];
    const result = await run(args, { env: { ...env, MULTILOCAL_API_KEY: key } });
    const { code, message, hint } = errorOf(result);
    text += `${what}\nexit ${result.code}: ${code}, after ${plural(api.requests.length - sent, 'request')}\n${message}\n${hint}\n\n`;
    expect(contentOf(folder)).toEqual(before);
    clear();
    for (const [name = '', content = ''] of kept) put(name, content);
  }
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'taken'), '');
  text += await refusals([['sync taken', { cwd }]]);
  const shown = text.replaceAll(folder, '/folder').replaceAll(env.MULTILOCAL_BASE_URL, 'http://127.0.0.1:4010');
  await expect(shown).toMatchFileSnapshot('snapshots/refused-sync.txt');
});

// Root may write everywhere.
it.skipIf(process.getuid?.() === 0)('a folder without rights is refused', async () => {
  const cwd = temporaryFolder();
  chmodSync(cwd, 0o500);
  expect(await refusals([['sync .', { cwd }]])).toContain('exit 1: folder, not_applied, after 0 requests');
});

describe('the owner of a folder', () => {
  it('is in owner.json, without the key', async () => {
    const { folder, ownerFile, env, api } = await synced('--bulle', 'bul_lille_wazemmes');
    const owner = JSON.parse(readFileSync(ownerFile, 'utf8'));
    expect(owner).toEqual({
      version: 1,
      service: env.MULTILOCAL_BASE_URL,
      sphere_id: api.ids.sphere,
      scope: null,
      bulle: 'bul_lille_wazemmes',
      format: 'json',
      key: expect.stringMatching(/^[\da-f]{16}$/),
    });
    expect(contentOf(folder).join()).not.toContain(env.MULTILOCAL_API_KEY);
  });

  it('may have a new key, and comes with the first sync of a folder that a program has filled: only then the scope is read', async () => {
    const { folder, ownerFile, env: before, api } = await synced();
    const env = {
      MULTILOCAL_BASE_URL: `${before.MULTILOCAL_BASE_URL}/api/v2/`,
      MULTILOCAL_API_KEY: api.keys.readOnly,
    };
    const again = async () => resultOf(await run(['sync', folder], { env })).requests;
    expect([await again(), await again()]).toEqual([2, 1]);
    const kept = contentOf(folder);
    rmSync(ownerFile);
    expect([await again(), await again(), contentOf(folder)]).toEqual([2, 1, kept]);
  });
});

describe('sync --watch', () => {
  it('prints a line for each run and ends at Ctrl-C with the totals', async () => {
    const { env, api } = await startMock();
    const running = start(['sync', temporaryFolder(), '--watch'], { env });
    await running.shows('"requests"');
    running.interrupt();
    const result = await running.result;
    const { upserted, requests } = resultOf(result);
    expect(result.code).toBe(130);
    expect(result.stderr).toContain(`Ended after 1 run: stored ${upserted} articles (${requests} requests).\n`);
    expect(api.requests).toHaveLength(requests);
  });

  it('shows on a terminal when the next run is', async () => {
    const { env } = await startMock();
    const flags = ['--watch', '--per-day', '100'];
    const running = start(['sync', 'content', ...flags], { env, tty: true, cwd: temporaryFolder() });
    await running.shows('Next run in 1728 s. Ctrl-C ends.');
    running.interrupt();
    expect(await running.result).toMatchObject({ code: 130, stdout: expect.stringContaining('Ended after 1 run') });
  });
});
