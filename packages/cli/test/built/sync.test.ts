import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { MockControl } from '@multilocal/mock/control';
import { Client } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Result, run, start, startMock, temporaryFolder } from './support.js';

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

  it('refuses a folder with files of others that are named like articles', async () => {
    const { env, api } = await startMock();
    const folder = temporaryFolder();
    for (const year of [2023, 2024]) writeFileSync(join(folder, `${year}.json`), `{"year":${year}}`);
    const refused = await run(['sync', folder], { env });
    expect([refused.code, errorOf(refused).code]).toEqual([1, 'folder']);
    expect(errorOf(refused).message).toContain('2023.json');
    expect(readdirSync(folder)).toEqual(['2023.json', '2024.json']);
    expect(api.requests).toEqual([]);
  });

  it('replaces no file of others in a folder that was synchronised before', async () => {
    const { env, api } = await startMock();
    const folder = temporaryFolder();
    await run(['sync', folder], { env });
    const { id } = api.articles.add({ status: 'published' });
    writeFileSync(join(folder, `${id}.json`), 'my notes');
    const refused = await run(['sync', folder], { env });
    expect([refused.code, errorOf(refused).code]).toEqual([1, 'folder']);
    expect(errorOf(refused).message).toMatch(`${id}.json is not the article ${id}, but the store needs this name`);
    expect(readFileSync(join(folder, `${id}.json`), 'utf8')).toBe('my notes');
  });

  it('syncs one location with --bulle', async () => {
    const { env, api } = await startMock();
    await run(['sync', temporaryFolder(), '--bulle', api.ids.bulle], { env });
    const listed = api.requests.filter(({ path }) => path.endsWith('/articles'));
    expect(new Set(listed.map(({ query }) => query.bulle_id))).toEqual(new Set([api.ids.bulle]));
  });

  it('shows a bar and a sentence on a terminal', async () => {
    const { env } = await startMock();
    const cwd = temporaryFolder();
    const options = { env: { ...env, NO_COLOR: '1' }, tty: true, cwd };
    const first = await run(['sync', 'content'], options);
    const steps = stripVTControlCharacters(first.stdout).split('\r');
    expect(first.code).toBe(0);
    expect(steps[1]).toMatch(/^━{24} {2}1 of \d+ articles$/);
    expect(steps.at(-1)).toMatch(/^content: stored \d+ articles \(\d requests\)\.\n$/);
    const { stdout } = await run(['sync', 'content'], options);
    expect(stripVTControlCharacters(stdout).split('\r').at(-1)).toBe('content is up to date (1 request).\n');
  });

  it('animates nothing with --json on a terminal', async () => {
    const { env } = await startMock();
    const { stdout } = await run(['sync', temporaryFolder(), '--json'], { env, tty: true });
    expect(stdout).not.toContain('\u001b');
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

  it('ends at Ctrl-C on a terminal', async () => {
    const { env, api } = await startMock();
    api.fail({ operation: 'articles.list', delay: 600_000, status: 503, times: 1 });
    const running = start(['sync', temporaryFolder()], { env, tty: true });
    await expect.poll(() => listings(api), { timeout: 60_000 }).toBe(1);
    running.interrupt();
    expect(await running.result).toMatchObject({ code: 130, stdout: expect.stringContaining('Interrupted before') });
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

describe('two runs in one folder', () => {
  it('are refused, and nothing of the first one is lost', async () => {
    const { env, api } = await startMock({ latency: 300, articlesPageSize: 20 });
    const folder = temporaryFolder();
    const first = start(['sync', folder], { env });
    await first.shows(/\d+ of \d+ articles/);
    const second = await run(['sync', folder], { env });
    expect([second.code, errorOf(second).code]).toEqual([3, 'folder']);
    expect(errorOf(second).message).toBe(`Another sync runs in the folder ${folder}. Nothing was changed.`);
    expect(errorOf(second).hint).toContain('delete');
    const { code, stdout } = await first.result;
    expect([code, articlesIn(folder)]).toEqual([0, JSON.parse(stdout).upserted]);
    expect(readdirSync(folder).filter((name) => name.includes('lock') || name.endsWith('.tmp'))).toEqual([]);
    expect(api.requests.every(({ status }) => status === 200)).toBe(true);
  });

  it('may follow a killed one', async () => {
    const { env } = await startMock({ latency: 300, articlesPageSize: 20 });
    const folder = temporaryFolder();
    const killed = start(['sync', folder], { env });
    await killed.shows(/\d+ of \d+ articles/);
    killed.child.kill('SIGKILL');
    await killed.result;
    expect(await run(['sync', folder], { env })).toMatchObject({ code: 0 });
  });
});

it('needs few open files', async () => {
  const { env, api } = await startMock({ articlesPageSize: 200 });
  for (let more = 0; more < 200; more++) api.articles.add({ status: 'published' });
  const folder = temporaryFolder();
  const line = 'ulimit -n 40 && exec "$0" dist/cli.js sync "$1"';
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', line, process.execPath, folder], {
    env: { PATH: process.env.PATH, ...env },
  });
  expect(JSON.parse(stdout).upserted).toBeGreaterThan(200);
});

describe('sync that cannot work', () => {
  it('removes nothing if most articles are missing', async () => {
    const { env, api } = await startMock();
    const folder = temporaryFolder();
    const { upserted } = resultOf(await run(['sync', folder], { env }));
    api.fail({ operation: 'articles.list', status: 200, body: { articles: [], total: 0, limit: 50, offset: 0 } });
    const result = await run(['sync', folder, '--reconcile'], { env });
    const { code, message = '', hint = '' } = errorOf(result);
    expect([result.code, code]).toEqual([1, 'mass_deletion']);
    expect(message).toContain(`${upserted} of the ${upserted} articles`);
    expect(hint).toContain('move');
    expect(message + hint).not.toContain('allowMassDeletion');
    expect(articlesIn(folder)).toBe(upserted);
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, ''), 'A file has this name'],
    ['a damaged cursor', undefined, 'run the command again'],
  ])('refuses %s', async (kind, make, hint) => {
    const { env, api } = await startMock();
    const folder = temporaryFolder();
    const path = kind === 'a file' ? join(folder, 'taken') : folder;
    make?.(path);
    if (kind !== 'a file') writeFileSync(join(folder, 'cursor.json'), '{');
    const result = await run(['sync', path], { env });
    expect([result.code, errorOf(result).code, api.requests]).toEqual([1, 'folder', []]);
    expect(errorOf(result).hint).toContain(hint);
  });

  // Root may write everywhere.
  it.skipIf(process.getuid?.() === 0)('refuses a folder without rights', async () => {
    const { env, api } = await startMock();
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    const result = await run(['sync', folder], { env });
    expect([result.code, errorOf(result).code, api.requests]).toEqual([1, 'folder', []]);
  });

  it.each([
    [401, 4],
    [503, 3],
  ])('exits after a %i with %i', async (status, exit) => {
    const { env, api } = await startMock();
    api.fail({ operation: 'articles.list', status, headers: { 'retry-after': '0' }, times: 3 });
    expect(await run(['sync', temporaryFolder()], { env })).toMatchObject({ code: exit });
  });
});

describe('the owner of a folder', () => {
  /** Everything in a folder, with the content of the files. */
  const contentOf = (folder: string) =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

  /** A folder after its first run, with the mock that it belongs to. */
  async function synced(...flags: string[]) {
    const mock = await startMock();
    const folder = temporaryFolder();
    expect(await run(['sync', folder, ...flags], { env: mock.env })).toMatchObject({ code: 0 });
    return { ...mock, folder, ownerFile: join(folder, 'owner.json') };
  }

  it('is in owner.json, without the key', async () => {
    const { folder, ownerFile, env, api } = await synced('--bulle', 'bul_lille_wazemmes');
    const owner = JSON.parse(readFileSync(ownerFile, 'utf8'));
    expect(owner).toEqual({
      version: 1,
      service: env.MULTILOCAL_BASE_URL,
      sphere_id: api.ids.sphere,
      scope: null,
      bulle: 'bul_lille_wazemmes',
      key: expect.stringMatching(/^[\da-f]{16}$/),
    });
    expect(contentOf(folder).join()).not.toContain(env.MULTILOCAL_API_KEY);
  });

  interface Change {
    readonly key?: 'sphere' | 'bulle' | 'readOnly';
    readonly sphere_id?: string;
  }

  it.each([
    ['another --bulle', ['--bulle', 'bul_lille_wazemmes'], {}, '`--bulle` is empty, not bul_lille_wazemmes', 0],
    ['a key of one location', [], { key: 'bulle' }, 'key scope is the whole brand, not bul_', 1],
    [
      'another brand',
      [],
      { key: 'readOnly', sphere_id: 'sph_other' },
      'brand is sph_fournils_augustine, not sph_other',
      1,
    ],
  ] as const)('is not %s', async (_, flags, { key = 'sphere', sphere_id }: Change, words, requests) => {
    const { folder, env, api } = await synced();
    const before = contentOf(folder);
    if (sphere_id) {
      const me = await new Client({ apiKey: api.keys[key], baseUrl: env.MULTILOCAL_BASE_URL }).me();
      api.fail({ operation: 'me', status: 200, body: { ...me, sphere: { ...me.sphere, id: sphere_id } } });
    }
    const sent = api.requests.length;
    const result = await run(['sync', folder, ...flags], { env: { ...env, MULTILOCAL_API_KEY: api.keys[key] } });
    expect([result.code, errorOf(result).code]).toEqual([1, 'folder_of_another_sync']);
    expect(errorOf(result).message).toContain(words);
    expect(errorOf(result).hint).toContain('another folder');
    expect([contentOf(folder), api.requests.length - sent]).toEqual([before, requests]);
  });

  it('is not another service', async () => {
    const { folder, ownerFile } = await synced();
    const before = contentOf(folder);
    const { env, api } = await startMock();
    const result = await run(['sync', folder], { env });
    expect([result.code, errorOf(result).code, api.requests]).toEqual([1, 'folder_of_another_sync', []]);
    expect(errorOf(result).message).toContain(`not ${env.MULTILOCAL_BASE_URL}`);
    expect(errorOf(result).hint).toContain(`delete ${ownerFile}`);
    expect(contentOf(folder)).toEqual(before);
  });

  it('is cut and put on one line in the message, whatever the file says', async () => {
    const { folder, ownerFile, env } = await synced();
    const owner = JSON.parse(readFileSync(ownerFile, 'utf8'));
    writeFileSync(ownerFile, JSON.stringify({ ...owner, service: `x\n${'y'.repeat(100_000)}` }));
    const { message } = errorOf(await run(['sync', folder], { env }));
    expect(message).toContain(`its service is x ${'y'.repeat(77)}…, not ${env.MULTILOCAL_BASE_URL}. `);
  });

  it('may have a new key: only the first run with it reads the scope', async () => {
    const {
      folder,
      env: { MULTILOCAL_BASE_URL },
      api,
    } = await synced();
    const env = { MULTILOCAL_BASE_URL: `${MULTILOCAL_BASE_URL}/api/v2/`, MULTILOCAL_API_KEY: api.keys.readOnly };
    expect(resultOf(await run(['sync', folder], { env }))).toMatchObject({ upserted: 0, requests: 2 });
    expect(resultOf(await run(['sync', folder], { env }))).toMatchObject({ upserted: 0, requests: 1 });
  });

  it('is the first sync of a folder that a program has filled', async () => {
    const { folder, ownerFile, env } = await synced();
    const before = contentOf(folder);
    rmSync(ownerFile);
    expect(resultOf(await run(['sync', folder], { env }))).toMatchObject({ upserted: 0, requests: 2 });
    expect(contentOf(folder)).toEqual(before);
  });

  it('is not guessed if the file is damaged', async () => {
    const { folder, ownerFile, env, api } = await synced();
    writeFileSync(ownerFile, '{"version":2}');
    const sent = api.requests.length;
    const result = await run(['sync', folder], { env });
    expect([result.code, errorOf(result).code, api.requests.length]).toEqual([1, 'folder', sent]);
    expect(errorOf(result).message).toContain('owner.json is damaged');
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

  it('ends if the key is refused', async () => {
    const { env, api } = await startMock();
    const refused = { ...env, MULTILOCAL_API_KEY: api.keys.expired };
    const result = await run(['sync', temporaryFolder(), '--watch'], { env: refused });
    expect([result.code, errorOf(result).code]).toEqual([4, 'authentication']);
  });

  it.each([
    ['the daily limit of the key', [], 173],
    ['--per-day', ['--per-day', '100'], 1728],
  ])('shows when the next run is, by %s', async (_, flags, seconds) => {
    const { env } = await startMock();
    const running = start(['sync', 'content', '--watch', ...flags], { env, tty: true, cwd: temporaryFolder() });
    await running.shows(`Next run in ${seconds} s. Ctrl-C ends.`);
    running.interrupt();
    expect(await running.result).toMatchObject({ code: 130, stdout: expect.stringContaining('Ended after 1 run') });
  });
});
