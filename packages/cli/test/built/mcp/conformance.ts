// Runs the conformance suite of MCP and its Inspector, for the nightly workflow: both need Node 22.
// The suite speaks HTTP, so it gets the same server through the handler of the SDK.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMockApi } from 'multilocal/mock/server';
import { PlanFolder } from '../../../src/mcp/plan-folder.js';
import * as protocol from '../../../src/mcp/protocol.js';
import { serverFactory } from '../../../src/mcp/server.js';
import { Session } from '../../../src/mcp/session.js';
import { Output } from '../../../src/output.js';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

/** The others want diagnostic tools with fixed names, or headers of HTTP. */
const SCENARIOS = [
  'tools-list',
  'resources-list',
  'prompts-list',
  'caching',
  'sep-2164-resource-not-found',
  'input-required-result-unsupported-methods',
];

const api = createMockApi();
const settings = { writes: new Set(['posts.create']), isUnattended: false, expected: undefined, contract: undefined };
const options = { apiKey: api.keys.sphere, baseUrl: api.baseUrl, fetch: api.handle };
const plans = new PlanFolder(join(mkdtempSync(join(tmpdir(), 'mcp-')), 'plans'));
const session = new Session(settings, new Output(true), plans, options);
const handler = createMcpHandler(serverFactory(session, protocol));

const server = createServer(async (incoming, outgoing) => {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]);
  const { method = 'GET', url = '/' } = incoming;
  const body = method === 'POST' ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' as const } : {};
  const response = await handler.fetch(new Request(new URL(url, 'http://127.0.0.1'), { method, headers, ...body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]).pipe(outgoing);
  else outgoing.end();
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;

for (const scenario of SCENARIOS) {
  await run(SUITE, 'server', '--url', url, '--spec-version', '2026-07-28', '--scenario', scenario);
}
for (const era of ['legacy', 'modern']) {
  const flags = [
    '--cli',
    process.execPath,
    'dist/cli.js',
    'mcp',
    '--method',
    'tools/list',
    '--strict',
    '--protocol-era',
    era,
  ];
  await run(INSPECTOR, ...flags);
}
server.close();

async function run(name: string, ...args: string[]): Promise<void> {
  const child = spawn('npx', ['--yes', name, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
