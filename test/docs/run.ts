import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'node:util';
import * as astro from 'multilocal/astro';
import * as mock from 'multilocal/mock';
import * as server from 'multilocal/mock/server';
import * as node from 'multilocal/node';
import * as plans from 'multilocal/plans';
import * as proxy from 'multilocal/proxy';
import * as redis from 'multilocal/redis';
import * as site from 'multilocal/site';
import * as sql from 'multilocal/sql';
import ts from 'typescript';
import * as vitest from 'vitest';
import * as articles from '../../src/articles.js';
import * as multilocal from '../../src/index.js';
import * as otel from '../../src/otel/index.js';
import * as schemas from '../../src/schemas.js';
import { type Block, root } from './blocks.js';
import { prelude } from './prelude.js';

const { vi } = vitest;
const require = createRequire(import.meta.url);

/** How many blocks have run: each has a service of its own, and with it a request budget of its own. */
let count = 0;

type Step = () => unknown;

/**
 * Run a block as its reader would: with the environment's key and address, and the mock where the service would be.
 * `more`: names that it need not declare, beside those of the prelude.
 * Resolves to the lines that it printed, and rejects with whatever it throws.
 */
export async function run(
  { code, isRecipe }: Pick<Block, 'code' | 'isRecipe'>,
  more: (api: mock.MockApi) => object = () => ({}),
): Promise<string[]> {
  const service = `https://service-${++count}.example.com`;
  const api = mock.createMockApi({ baseUrl: service });
  const { fetch } = globalThis;
  const { exitCode } = process;
  vi.stubEnv('MULTILOCAL_API_KEY', api.keys.sphere);
  vi.stubEnv('MULTILOCAL_BASE_URL', service);
  vi.stubEnv('BULLE_ID', api.ids.bulle);
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    return request.url.startsWith(service) ? api.handle(request) : fetch(request);
  });
  // Waits for reports and texts take minutes: both clocks hurry, unless the block moves the mock's itself.
  const waits = /createAndWait|waitUntilWritten|reports\.wait/.test(code) && !code.includes('api.advance(');
  if (waits) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const hurry = setInterval(() => {
    if (!waits) return;
    api.advance(1_000);
    vi.advanceTimersByTime(1_000);
  }, 1);
  try {
    // Without the limiter, which would count its requests among the block's own.
    const client = await multilocal.Client.connect({ rateLimit: false });
    const declared = isRecipe ? {} : { ...prelude(client, api), ...more(api) };
    api.reset();
    return await execute(code, declared);
  } finally {
    clearInterval(hurry);
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    process.exitCode = exitCode;
  }
}

/** Run code as it stands, with the names that it need not declare. Resolves to the lines that it printed. */
export async function execute(code: string, declared: Record<string, unknown> = {}): Promise<string[]> {
  const printed: string[] = [];
  const print = (...values: unknown[]) => printed.push(format(...values));
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-docs-'));
  const suite = { before: [] as Step[], after: [] as Step[], afterEach: [] as Step[], tests: [] as Step[] };
  const modules = modulesOf(folder, suite);
  try {
    const around = {
      ...declared,
      exports: {},
      require: (name: string) => modules[name] ?? require(name),
      console: { log: print, warn: print, error: print },
    };
    const body = ts.transpile(code, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS });
    // One function within another: the block may declare a name that it is also given.
    const start = new Function(...Object.keys(around), `return (async () => {\n${body}\n})()`);
    await start(...Object.values(around));
    for (const step of suite.before) await step();
    for (const test of suite.tests) {
      await test();
      for (const step of suite.afterEach) await step();
    }
    return printed;
  } finally {
    for (const step of suite.after) await step();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a block imports. Within a test there can be no other: the block's own are collected in `suite`. */
function modulesOf(
  folder: string,
  suite: Record<'before' | 'after' | 'afterEach' | 'tests', Step[]>,
): Record<string, unknown> {
  return {
    multilocal,
    'multilocal/articles': articles,
    'multilocal/astro': astro,
    'multilocal/mock': mock,
    'multilocal/mock/server': server,
    'multilocal/node': {
      directoryStore: (path: string) => node.directoryStore(join(folder, path)),
      fileJournal: (path: string) => node.fileJournal(join(folder, path)),
    },
    // Only the build has it.
    get 'multilocal/openapi.json'() {
      const text = readFileSync(join(root, 'dist', 'openapi.json'), 'utf8');
      return { __esModule: true, default: JSON.parse(text) as unknown };
    },
    'multilocal/otel': otel,
    'multilocal/plans': plans,
    'multilocal/proxy': proxy,
    'multilocal/redis': redis,
    'multilocal/schemas': schemas,
    'multilocal/site': site,
    'multilocal/sql': sql,
    'cloudflare:workers': { env: process.env },
    vitest: {
      ...vitest,
      beforeAll: (step: Step) => suite.before.push(step),
      afterAll: (step: Step) => suite.after.push(step),
      afterEach: (step: Step) => suite.afterEach.push(step),
      onTestFinished: (step: Step) => suite.after.push(step),
      test: (_name: string, step: Step) => suite.tests.push(step),
    },
  };
}
