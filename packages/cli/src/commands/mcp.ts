import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writes } from '@multilocal/plans/inside';
import { CONNECTION_ARGS, command, flag, option } from '../command.js';
import { optionsOf } from '../connection.js';
import { EXIT, UsageError } from '../failure.js';
import { Lines } from '../mcp/lines.js';
import { PlanFolder } from '../mcp/plan-folder.js';
import { serverFactory } from '../mcp/server.js';
import { Session } from '../mcp/session.js';
import { suggestion } from '../words.js';

const ALL = 'all';

export const mcp = command({
  description: 'Serve MCP on stdio: agents prepare plans, a person decides',
  args: {
    'allow-writes': option(
      'Let agents carry plans out that a person confirms; with names, only these operations',
      'operations',
    ),
    unattended: flag('Carry plans out without a confirmation (needs --allow-writes)'),
    expect: option('Work only with the key of this brand or location', 'id'),
    plans: option('Folder for plans (default: .multilocal/plans)', 'folder'),
    contract: option('File of `doctor --contract` (default: multilocal.contract.json)', 'file'),
    ...CONNECTION_ARGS,
  },
  bare: { 'allow-writes': ALL },
  ownsStdout: true,
  async run({ args, output, signal }) {
    // A signal may come while the server starts.
    const interrupted = once(signal, 'abort');
    const { unattended: isUnattended = false, expect: expected, contract } = args;
    const allowed = writesOf(args['allow-writes']);
    if (isUnattended && !allowed) {
      throw new UsageError('`--unattended` needs `--allow-writes`.', 'Without it, the server carries nothing out.');
    }
    if (contract !== undefined && !existsSync(contract)) {
      throw new UsageError(
        'There is no file at `--contract`.',
        'Write it with `npx multilocal doctor --contract --out <file>`.',
      );
    }
    if (args['key-stdin']) {
      throw new UsageError(
        '`--key-stdin` cannot be used: stdin is the protocol.',
        'Set MULTILOCAL_API_KEY, or use `--key-file`.',
      );
    }
    const settings = { writes: allowed, isUnattended, expected, contract };
    const session = new Session(settings, output, new PlanFolder(args.plans), await optionsOf(args, output));
    const protocol = await import('../mcp/protocol.js');
    if (process.stdin.isTTY) output.note('This server is for programs that speak MCP. Ctrl-C ends it.');
    const { stdin, stdout } = process;
    // A program that reads slowly lets many responses wait for the pipe, each with a listener.
    stdout.setMaxListeners(0);
    const lines = new Lines(isMessageOf(protocol), (line) => stdout.write(line));
    const transport = new protocol.StdioServerTransport(stdin.pipe(lines), stdout);
    const closed = new Promise<void>((resolve) => {
      const close = transport.close.bind(transport);
      // It also closes by itself, if the program no longer reads.
      transport.close = async () => {
        resolve();
        await close();
      };
    });
    const handle = protocol.serveStdio(serverFactory(session, protocol), {
      transport,
      onerror: ({ message }) => output.note(message),
    });
    try {
      await Promise.race([closed, once(stdin, 'end'), once(stdin, 'close'), interrupted]);
      return EXIT.done;
    } finally {
      await handle.close();
      await session.close();
      // An open stdin would keep the process alive.
      stdin.unpipe(lines).destroy();
    }
  },
});

function isMessageOf({ parseJSONRPCMessage }: typeof import('../mcp/protocol.js')) {
  return (value: unknown): boolean => {
    try {
      parseJSONRPCMessage(value);
      return true;
    } catch {
      return false;
    }
  };
}

function writesOf(value: string | undefined): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  const known = writes.map(({ operation }) => operation);
  if (value === ALL) return new Set(known);
  const given = value.split(',').map((name) => name.trim());
  const wrong = given.find((name) => !known.includes(name));
  if (wrong === undefined) return new Set(given);
  const hint = 'Example: `--allow-writes=posts.create,reviews.reply`. Without names, every operation.';
  throw new UsageError(`\`--allow-writes\` names something that is not a write.${suggestion(wrong, known)}`, hint);
}
