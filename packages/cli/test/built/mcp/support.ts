import { join } from 'node:path';
import { Client, type ElicitResult, type InMemoryTransport as Pipe } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { writes } from '@multilocal/plans/actions';
import type { ClientOptions } from 'multilocal';
import { createMockApi, type MockControl } from 'multilocal/mock/server';
import { expect, onTestFinished } from 'vitest';
import { PlanFolder } from '../../../src/mcp/plan-folder.js';
import * as protocol from '../../../src/mcp/protocol.js';
import { serverFactory } from '../../../src/mcp/server.js';
import { type McpSettings, Session } from '../../../src/mcp/session.js';
import { Output } from '../../../src/output.js';
import { temporaryFolder } from '../support.js';

/** Both eras of the protocol: with a handshake, and without. */
export const ERAS = ['2025', '2026-07-28'] as const;

export type Era = (typeof ERAS)[number];

export const EVERY_WRITE: ReadonlySet<string> = new Set(writes.map(({ operation }) => operation));

/** What the person does with a form. `undefined`: the program of the person cannot show one. */
export type Person = ((message: string) => ElicitResult | Promise<ElicitResult>) | undefined;

export const CONFIRMS: Person = () => ({ action: 'accept', content: { confirm: true } });

interface Setup extends Partial<McpSettings> {
  readonly era?: Era;
  readonly person?: Person;
  readonly api?: MockControl;
  readonly options?: ClientOptions;
  /** The folder of the plans, as `--plans` gives it. */
  readonly plans?: string;
}

export const LYON = 'bul_lyon_croix_rousse';

/** Actions of a plan. */
export const postOf = (content: string, more: object = {}) => ({
  operation: 'posts.create',
  params: { bulle_id: LYON, content, platforms: ['facebook'], scheduled_at: '2027-06-20T09:00:00+02:00', ...more },
});
export const publishOf = (text: string) => ({
  operation: 'social.publish',
  params: { bulle_id: LYON, text, platforms: ['facebook'] },
});
export const codeOf = (name: string) => ({
  operation: 'qrCodes.create',
  params: { bulle_id: LYON, target_url: 'https://pain.test', name },
});

/** Connects a client to a server in this process. Every answer is checked for keys, paths and length. */
export async function connect(setup: Setup = {}) {
  const { era = '2025', person, api = createMockApi(), plans = join(temporaryFolder(), 'plans') } = setup;
  const { writes: allowed, isUnattended = false, expected, contract } = setup;
  const options = {
    apiKey: api.keys.sphere,
    baseUrl: api.baseUrl,
    fetch: api.handle,
    rateLimit: false,
    ...setup.options,
  };
  const settings = { writes: allowed, isUnattended, expected, contract };
  const output = new Output(true, SILENT, SILENT);
  for (const key of Object.values(api.keys)) output.protect(key);
  const session = new Session(settings, output, new PlanFolder(plans), options as ClientOptions);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const handle = protocol.serveStdio(serverFactory(session, protocol), { transport: ours });
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: person ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === '2025' ? 'legacy' : { pin: era } },
    },
  );
  const forms: string[] = [];
  if (person) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      forms.push(params.message);
      return person(params.message);
    });
  }
  await client.connect(theirs as unknown as Pipe);
  onTestFinished(async () => {
    await client.close();
    await handle.close();
  });
  /** Calls a tool, and returns its JSON. */
  const call = async (name: string, args: object = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
    expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
    const { text } = content[0] as { text: string };
    expectSafe(text, api, plans);
    // biome-ignore lint/suspicious/noExplicitAny: each test reads other fields.
    return { isError, ...(JSON.parse(text) as Record<string, any>) } as Record<string, any>;
  };
  return { api, call, client, forms, plans, session };
}

type Call = Awaited<ReturnType<typeof connect>>['call'];

/** All parts of a reading, from the first one on. */
export async function readAll(call: Call, operation: string, first: Awaited<ReturnType<Call>>, limit?: number) {
  const parts = [first];
  for (let { next } = first; next; next = parts.at(-1)?.next) {
    parts.push(await call('read', { operation, next, limit }));
    expect(parts.length).toBeLessThan(500);
  }
  return parts;
}

/** The ids of the items of a list. */
export function idsOf(parts: Awaited<ReturnType<typeof readAll>>): number[] {
  return parts.flatMap(({ data }) => (data as { id: number }[]).map(({ id }) => id));
}

/** No answer is too long, and none has a key or an absolute path. */
export function expectSafe(text: string, api: MockControl, ...paths: string[]): void {
  expect(text.length).toBeLessThanOrEqual(24_000);
  const secrets = [...Object.values(api.keys), ...paths, process.cwd()];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

/** The server prints nothing here, and the streams of this process have listeners enough. */
const SILENT = { write: () => true, on: () => SILENT, isTTY: false } as unknown as NodeJS.WriteStream;

/** The requests that changed something: no reads and no previews. */
export function writesOf(api: MockControl) {
  return api.requests.filter(
    ({ method, body }) => method !== 'GET' && (body as { dry_run?: boolean } | undefined)?.dry_run !== true,
  );
}
