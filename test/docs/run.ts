import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import * as vitest from 'vitest';
import * as articles from '../../src/articles.js';
import * as multilocal from '../../src/index.js';
import * as mock from '../../src/mock/index.js';
import * as server from '../../src/mock/server.js';
import * as node from '../../src/node.js';
import * as proxy from '../../src/proxy.js';
import type { Block } from './blocks.js';
import { prelude } from './prelude.js';

const { vi } = vitest;
const require = createRequire(import.meta.url);

/** Where the blocks believe the service to be. */
const SERVICE = 'https://api.example.com';

type Step = () => unknown;

/**
 * Run a block as its reader would: with the environment's key and address, and the mock where the service would be.
 * @throws whatever the block throws.
 */
export async function run({ code }: Block): Promise<void> {
  const api = mock.createMockApi({ baseUrl: SERVICE });
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-docs-'));
  const { fetch } = globalThis;
  vi.stubEnv('MULTILOCAL_API_KEY', api.keys.sphere);
  vi.stubEnv('MULTILOCAL_BASE_URL', SERVICE);
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    return request.url.startsWith(SERVICE) ? api.handle(request) : fetch(request);
  });
  // Waits for reports and texts take minutes: both clocks hurry.
  const waits = /createAndWait|waitUntilWritten/.test(code);
  if (waits) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const hurry = setInterval(() => {
    if (!waits) return;
    api.advance(1_000);
    vi.advanceTimersByTime(1_000);
  }, 1);

  const suite = { before: [] as Step[], after: [] as Step[], afterEach: [] as Step[], tests: [] as Step[] };
  const modules: Record<string, unknown> = {
    multilocal,
    'multilocal/articles': articles,
    'multilocal/mock': mock,
    'multilocal/mock/server': server,
    'multilocal/node': { ...node, directoryStore: (path: string) => node.directoryStore(join(folder, path)) },
    'multilocal/proxy': proxy,
    'cloudflare:workers': { env: process.env },
    // Within a test there can be no other: the block's own are collected and run below.
    vitest: {
      ...vitest,
      beforeAll: (step: Step) => suite.before.push(step),
      afterAll: (step: Step) => suite.after.push(step),
      afterEach: (step: Step) => suite.afterEach.push(step),
      test: (_name: string, step: Step) => suite.tests.push(step),
    },
  };
  try {
    const around = {
      ...prelude(await multilocal.Client.connect(), api),
      exports: {},
      require: (name: string) => modules[name] ?? require(name),
      console: { log: () => {}, warn: () => {}, error: () => {} },
    };
    api.reset();
    const body = ts.transpile(code, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS });
    const names = Object.keys(around);
    // One function within another: the block may declare a name that it is also given.
    const start = new Function(...names, `return (async () => {\n${body}\n})()`);
    await start(...Object.values(around));
    for (const step of suite.before) await step();
    for (const test of suite.tests) {
      await test();
      for (const step of suite.afterEach) await step();
    }
  } finally {
    for (const step of suite.after) await step();
    clearInterval(hurry);
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  }
}
