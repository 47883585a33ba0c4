import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI, run, start, startMock, temporaryFolder } from '../support.js';
import { expectSafe, postOf, writesOf } from './support.js';

const POST = postOf('Ouvert dimanche');

type Env = Readonly<Record<string, string>>;

/** Connects the client of the SDK to the built command. */
async function spawnServer(cwd: string, env: Env, flags: readonly string[] = [], mode: 'legacy' | 'auto' = 'legacy') {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...flags],
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    stderr: 'ignore',
  });
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { confirm: true } }));
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, args: object = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } });
    const { text } = content[0] as { text: string };
    return {
      text,
      isError,
      json: JSON.parse(text) as { plan: string; state?: string; advice: string; error?: object },
    };
  };
  return { call, client, transport };
}

describe('npx multilocal mcp', () => {
  it.each(['legacy', 'auto'] as const)('serves a client of its own process (%s)', async (mode) => {
    const { api, env } = await startMock();
    const cwd = temporaryFolder();
    const { call, client } = await spawnServer(cwd, env, ['--allow-writes=posts.create'], mode);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['answer-reviews', 'week-of-posts', 'find-problems']);
    const { messages } = await client.getPrompt({ name: 'week-of-posts', arguments: { theme: 'la galette' } });
    expect(JSON.stringify(messages)).toContain('about: la galette.');
    // Neither a folder is made nor a request sent before it is asked.
    expect([readdirSync(cwd), api.requests]).toEqual([[], []]);

    const { json, text } = await call('rehearse', { actions: [POST] });
    expectSafe(text, api, cwd);
    expect(json.advice).toContain(`\`npx multilocal rehearse .multilocal/plans/`);
    const [, file = ''] = /rehearse (\S+) --run/.exec(json.advice) ?? [];
    expect(existsSync(join(cwd, file))).toBe(true);
    await expectResources(client, json.plan);
    expect((await call('carry_out', { plan: json.plan })).json.state).toBe('done');
    // The command for a person goes on with the same journal.
    const person = await run(['rehearse', file, '--run', '--yes'], { cwd, env });
    expect(person.code).toBe(0);
    expect(writesOf(api).map(({ path }) => path)).toEqual(['/api/v2/posts']);
  });

  it('starts without a key, and prints nothing but the protocol', async () => {
    const input = `no json\n[]\n\n{"jsonrpc":"2.0","id":7}\n${linesOf('overview')}`;
    const { stdout, code } = await start(['mcp'], { cwd: temporaryFolder(), input }).result;
    const answers = stdout.trim().split('\n');
    const expected = answers.map(() => expect.objectContaining({ jsonrpc: '2.0' }));
    expect(answers.map((line) => JSON.parse(line))).toEqual(expected);
    expect([stdout, code]).toEqual([expect.stringContaining('"id":1'), 0]);
    const errors = answers.map((line) => JSON.parse(line)).filter(({ error }) => error);
    expect(errors.map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32_700],
      [null, -32_600],
      [7, -32_600],
    ]);
  });

  it('answers 1 000 calls at once, and warns of nothing', async () => {
    const calls = Array.from({ length: 1_000 }, (_, index) => {
      return `${JSON.stringify({ jsonrpc: '2.0', id: 10 + index, method: 'tools/call', params: { name: 'operations', arguments: {} } })}\n`;
    });
    const input = `${linesOf('operations')}${calls.join('')}`;
    const { child, result } = start(['mcp'], { cwd: temporaryFolder(), input, isOpen: true });
    let answered = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      answered += String(chunk).split('\n').length - 1;
      if (answered >= 1_002) child.stdin?.end();
    });
    const { stderr, code } = await result;
    expect([code, stderr, answered]).toEqual([0, '', 1_002]);
  });

  it('ends when stdin ends while the first GET /me hangs, and goes on after a line of 12 MB', async () => {
    const { api, env } = await startMock();
    api.fail({ operation: 'me', delay: Number.POSITIVE_INFINITY, times: 9 });
    const cwd = temporaryFolder();
    const hanging = start(['mcp'], { cwd, env, input: linesOf('overview'), isOpen: true });
    await expect.poll(() => api.requests.length, { timeout: 60_000 }).toBe(1);
    hanging.child.stdin?.end();
    const actions = [{ operation: 'images.upload', params: { image_base64: 'A'.repeat(12_000_000) } }];
    const input = `${linesOf('rehearse', { actions })}{"jsonrpc":"2.0","id":3,"method":"ping"}\n`;
    const long = start(['mcp'], { cwd, env, input, isOpen: true });
    await long.shows(/longer than 10 MB.*"id":3/s);
    // Its stdin stays open.
    long.interrupt();
    expect([(await hanging.result).code, (await long.result).code]).toEqual([0, 0]);
  });

  it.each([
    ['--unattended alone', ['--unattended'], '`--unattended` needs `--allow-writes`'],
    ['an unknown write', ['--allow-writes=post.create'], 'Did you mean `posts.create`?'],
    ['a missing check', ['--contract', 'none.json'], 'There is no file at `--contract`'],
    ['an unknown flag', ['--allow-write'], '--allow-writes'],
  ])('%s is said on stderr, because stdout is the protocol', async (_, flags, text) => {
    const { stdout, stderr, code } = await run(['mcp', ...flags], { cwd: temporaryFolder() });
    expect([stdout, code]).toEqual(['', 2]);
    expect(stderr).toContain(text);
  });

  it('is described for registries as this version', () => {
    const read = (name: string) => JSON.parse(readFileSync(join(dirname(CLI), '..', name), 'utf8'));
    const { name, version, packages } = read('packages/cli/server.json');
    const own = read('package.json');
    expect([name, version, packages[0].identifier, packages[0].version]).toEqual([
      own.mcpName,
      own.version,
      own.name,
      own.version,
    ]);
  });
});

/** The client greets the server, and calls a tool. */
function linesOf(name: string, args: object = {}): string {
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const lines = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: args } },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Guides, operations, schemas and plans, and no paths in errors. */
async function expectResources(client: Client, planId: string): Promise<void> {
  const uris = (await client.listResources()).resources.map(({ uri }) => uri);
  expect(uris).toContain('multilocal://guides/publishing-safely');
  expect(uris).toContainEqual(expect.stringMatching(`multilocal://plans/.*${planId}$`));
  const read = async (uri: string) => ((await client.readResource({ uri })).contents[0] as { text: string }).text;
  expect(await read('multilocal://guides/publishing-safely')).toMatch(/^# /);
  expect(JSON.parse(await read('multilocal://operations/posts.create'))).toHaveProperty('parameters');
  expect(JSON.parse(await read('multilocal://schemas/plan.schema.json'))).toHaveProperty('$schema');
  const plan = uris.find((uri) => uri.endsWith(planId)) ?? '';
  expect(JSON.parse(await read(plan))).toMatchObject({ plan: planId, actions: [POST], steps: [] });
  for (const uri of [
    'multilocal://guides/publishing-safly',
    'multilocal://guides/..%2F..%2Fpackage',
    'multilocal://plans/x',
  ]) {
    const error = await client.readResource({ uri }).catch(String);
    expect(error).toContain('There is no such resource');
    expect(error).not.toContain(dirname(CLI));
  }
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'multilocal://operations/{name}' },
    argument: { name: 'name', value: 'posts.c' },
  });
  expect(completion.values).toEqual(['posts.create']);
}
