import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type MockServer, startMockServer } from '../../src/mock/server.js';
import { blockOf } from '../services/guide.js';
import { installed, runtimes } from './install.js';
import { environmentOf, example, type Run, run } from './run.js';

const TIMEOUT = 120_000;

let node: string;
beforeAll(async () => {
  node = await nodeWithSqlite();
}, 300_000);

let server: MockServer;
let folder: string;
beforeEach(async () => {
  server = await startMockServer({ articlesPageSize: 20 });
  folder = await mkdtemp(join(tmpdir(), 'multilocal-sqlite-'));
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
});

/** This process's Node if it has SQLite, else Node 22: that of the runtimes suite, or one from npm. */
async function nodeWithSqlite(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 16)) return process.execPath;
  const windows = process.platform === 'win32';
  const path = ['node22', 'bin', windows ? 'node.exe' : 'node'];
  const known = join(runtimes() ?? '', ...path);
  if (existsSync(known)) return known;
  const spec = `npm:node-${windows ? 'win' : process.platform}-${process.arch}@22.23.3`;
  return join(await installed({ node22: spec }), 'node_modules', ...path);
}

const database = () => join(folder, 'articles.db');

/** `npm run sync`; `killAt`: which statement that writes is the one that SIGKILL comes before. */
function sync(args: string[] = [], killAt = 0): Promise<Run> {
  const preload = `
    import { StatementSync } from 'node:sqlite';
    const { all } = StatementSync.prototype;
    let left = ${killAt};
    StatementSync.prototype.all = function (...values) {
      if (!/^SELECT/.test(this.sourceSQL) && --left === 0) process.kill(process.pid, 'SIGKILL');
      return all.apply(this, values);
    };`;
  const imported = `data:text/javascript,${encodeURIComponent(preload)}`;
  return run(node, ['--no-warnings', '--import', imported, 'sync.mjs', '--database', database(), ...args], {
    cwd: example('sqlite-store'),
    env: environmentOf(server),
  });
}

interface Content {
  cursor: string | null;
  /** The stored articles by id, each as the service sent it. */
  articles: { id: number; updated_at: string }[];
  integrity: string;
}

/** What another process reads of the database. */
async function content(): Promise<Content> {
  const script = `
    import { DatabaseSync } from 'node:sqlite';
    const db = new DatabaseSync(${JSON.stringify(database())});
    const [check] = db.prepare('PRAGMA integrity_check').all();
    // The reservation of a killed run expires after 30 s.
    db.exec('UPDATE multilocal_articles_sync SET lease_until = 0');
    console.log(JSON.stringify({
      cursor: db.prepare('SELECT cursor FROM multilocal_articles_sync').get()?.cursor ?? null,
      articles: db.prepare('SELECT article FROM multilocal_articles ORDER BY id').all().map(({ article }) => JSON.parse(article)),
      integrity: check.integrity_check,
    }));`;
  const { output } = await run(node, ['--no-warnings', '--input-type=module', '-e', script], { cwd: folder });
  return JSON.parse(output);
}

const online = () => server.api.articles.all().filter(({ status }) => status === 'published');

it('stores what is online, then asks once where nothing is new', { timeout: TIMEOUT }, async () => {
  const { code, output } = await sync();
  expect(output).toContain(`${online().length} stored, 0 removed`);
  expect(code).toBe(0);
  expect((await content()).articles).toEqual(online());
  expect((await sync()).output).toBe('0 stored, 0 removed, 1 requests\n');
});

it('killed at any instant, it goes on and ends equal to the service', { timeout: TIMEOUT }, async () => {
  const { articles } = server.api;
  // The statements of a run are a reservation and, for each page of at most 20 articles, a claim, the articles and the
  // cursor. The first page has one more. Killed before the first, within the first page, before the second, some pages later.
  for (const [killAt, least] of [
    [1, 0],
    [4, 0],
    [6, 10],
    [11, 40],
  ] as const) {
    const { signal } = await sync([], killAt);
    expect(signal).toBe('SIGKILL');

    const { integrity, cursor, articles: rows } = await content();
    expect(integrity).toBe('ok');
    expect(rows.length).toBeGreaterThanOrEqual(least);
    // Of a page that was not completed nothing is there. A cursor is one timestamp behind the page that it follows.
    const ahead = rows.filter(({ updated_at }) => cursor === null || updated_at > cursor);
    expect(new Set(ahead.map(({ updated_at }) => updated_at)).size).toBe(cursor === null ? 0 : 1);
    // What the cursor covers is there, all of it.
    const ids = new Set(rows.map(({ id }) => id));
    const covered = online().filter(({ updated_at }) => cursor !== null && updated_at <= cursor);
    expect(covered.filter(({ id }) => !ids.has(id))).toEqual([]);

    // The service does not stand still meanwhile.
    const [changed, offline, deleted] = rows.filter((row) => online().some(({ id }) => id === row.id));
    if (changed) articles.touch(changed.id, { title: 'Nouveau titre' });
    if (offline) articles.unpublish(offline.id);
    if (deleted) articles.remove(deleted.id);
  }

  const { code, output } = await sync(['--reconcile']);
  expect(output).toMatch(/^\d+ stored, 4 removed/);
  expect(code).toBe(0);
  expect((await content()).articles).toEqual(online());
});

it('keeps deletions, which move no cursor', { timeout: TIMEOUT }, async () => {
  await sync();
  const { cursor } = await content();
  const [gone] = online();
  server.api.articles.remove(gone?.id ?? 0);
  expect((await sync(['--reconcile'])).output).toContain('0 stored, 1 removed');
  const after = await content();
  expect(after.cursor).toBe(cursor);
  expect(after.articles).toEqual(online());
});

it('keeps what it has when the service fails, and says why', { timeout: TIMEOUT }, async () => {
  await sync();
  server.api.revokeKey(server.api.keys.sphere);
  const { code, output } = await sync();
  expect(output).toContain('authentication: ');
  expect(code).toBe(1);
  expect((await content()).articles).toEqual(online());
});

it('the lines of the guide are an article store', { timeout: TIMEOUT }, async () => {
  const { code } = blockOf("from 'node:sqlite'");
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const script = `${outputText}
    import { testArticleStore } from 'multilocal/mock';
    let brands = 0;
    await testArticleStore(() => storeOf(\`brand \${brands++}\`));
    console.log('accepted');`;
  const { output } = await run(node, ['--no-warnings', '--input-type=module', '-e', script], {
    cwd: example('sqlite-store'),
    env: { DATABASE_FILE: database() },
  });
  expect(output).toBe('accepted\n');
});
