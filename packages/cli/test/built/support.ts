import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { root } from '@multilocal/test/docs/blocks';
import { type MockServer, type MockServerOptions, startMockServer } from 'multilocal/mock/server';
import { expect, onTestFinished, vi } from 'vitest';
import * as z from 'zod/mini';
import { COMMANDS } from '../../src/commands/index.js';
import { program } from '../../src/program.js';
import { plural } from '../../src/words.js';

export const CLI = join(root, 'dist', 'cli.js');

/** An empty folder that is removed with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface RunOptions {
  /** Variables of the environment. Nothing else is inherited, except what a process needs to start. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The current folder. Default: the repository. */
  readonly cwd?: string;
  /** Whether the command has a terminal. Everything that it prints is then in `stdout`. */
  readonly tty?: boolean;
  /** Columns of the terminal. Without `tty`, it only shows: it has no keyboard, and the command needs no process for it. */
  readonly columns?: number;
  /** What stdin holds. */
  readonly input?: string;
  /** Whether stdin stays open behind `input`, as on a terminal. */
  readonly isOpen?: boolean;
}

/** What a command printed, and its exit code. */
export interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/**
 * Runs `multilocal` with these arguments until it ends. The first run of each command is a process of what was built, and so
 * is each that differs in one: on a terminal with a keyboard, with an input, with variables that Node reads when it starts,
 * two at once. The others run here, since Node takes longer to start than they do.
 */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Result> {
  const { tty, columns, input, env = {} } = options;
  const [name = '', ...rest] = args;
  const needsProcess = tty || input !== undefined || args.includes('--key-stdin') || 'NODE_EXTRA_CA_CERTS' in env;
  const isCommand = name.startsWith('--') || (Object.hasOwn(COMMANDS, name) && !rest.includes('--help'));
  const isFirst = isCommand && !columns && !hasRun.has(name);
  if (isFirst) hasRun.add(name);
  return needsProcess || isFirst || isRunning ? start(args, options).result : runHere(args, options);
}

const hasRun = new Set<string>();
let isRunning = false;

async function runHere(args: readonly string[], { env, cwd = root, columns }: RunOptions): Promise<Result> {
  isRunning = true;
  const before = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode };
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((...[text, done]: unknown[]) => {
      printed[columns ? 'stdout' : name] += text;
      if (typeof done === 'function') done();
      return true;
    });
  }
  const terminal = { isTTY: true, columns, hasColors: WriteStream.prototype.hasColors };
  const streams = columns ? [process.stdin, process.stdout, process.stderr] : [];
  try {
    process.env = { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm-256color', ...env };
    process.chdir(cwd);
    for (const stream of streams) Object.assign(stream, terminal);
    const code = await program(args);
    return { ...printed, code };
  } finally {
    for (const stream of streams) Object.assign(stream, { isTTY: undefined, columns: undefined, hasColors: undefined });
    for (const stream of [process.stdout, process.stderr]) {
      vi.mocked(stream.write).mockRestore();
      stream.removeAllListeners('error');
    }
    process.env = before.env;
    process.chdir(before.cwd);
    process.exitCode = before.exitCode;
    isRunning = false;
  }
}

type Mock = Awaited<ReturnType<typeof startMock>>;

/** What a command finds. */
interface Given {
  /** Options of the mock. */
  readonly mock?: MockServerOptions;
  readonly key?: keyof Mock['api']['keys'];
  /** How the service responds, instead of as usual. */
  readonly fault?: Parameters<Mock['api']['fail']>[0];
  readonly env?: RunOptions['env'];
  readonly cwd?: string;
}

/** A command line, and what it finds. Words in single quotes may have spaces. */
export type Line = readonly [words: string, given?: Given];

/** Every failure off a terminal. */
const failure = z.object({
  error: z.strictObject({
    code: z.string().check(z.regex(/^[a-z_]+$/)),
    message: z.string().check(z.minLength(10)),
    outcome: z.enum(['applied', 'not_applied', 'unknown']),
    hint: z.string().check(z.minLength(10)),
  }),
});

/** How these commands fail, each with a mock of its own: what was given, the exit code, the error, and how much was sent. */
export async function refusals(lines: readonly Line[]): Promise<string> {
  let shown = '';
  for (const [words, given = {}] of lines) {
    const { api, env, url } = await startMock({ now: '2026-11-22T09:00:00Z', ...given.mock });
    if (given.fault) api.fail(given.fault);
    const MULTILOCAL_API_KEY = api.keys[given.key ?? 'sphere'];
    const cwd = given.cwd ?? temporaryFolder();
    const args = [...words.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const { stdout, stderr, code } = await run(args, { env: { ...env, MULTILOCAL_API_KEY, ...given.env }, cwd });
    expect(JSON.parse(stdout), words).toHaveProperty('error');
    const { code: kind, message, outcome, hint } = failure.parse(JSON.parse(stdout)).error;
    const { cwd: _, ...what } = given;
    shown += `$ multilocal ${words}\n${Object.keys(what).length > 0 ? `# ${JSON.stringify(what, (_, value) => value ?? null)}\n` : ''}`;
    shown +=
      `exit ${code}: ${kind}, ${outcome}, after ${plural(api.requests.length, 'request')}\n${stderr}${message}\n${hint}\n\n`
        .replaceAll(url, 'http://127.0.0.1:4010')
        .replaceAll(cwd, '/folder')
        .replace(/in \d+ s,/, 'in … s,')
        .replace(/(connection failed:) .+(?= \()/, '$1 …');
    expect(shown).not.toContain(MULTILOCAL_API_KEY);
  }
  return shown;
}

/** A command that is running. It is ended with the test. */
export interface Running {
  readonly child: ChildProcess;
  /** What was printed so far: stdout, then stderr. */
  printed(): string;
  /** Waits until this text was printed. */
  shows(text: string | RegExp): Promise<void>;
  /** Presses Ctrl-C. */
  interrupt(): void;
  readonly result: Promise<Result>;
}

/** Starts `multilocal` with these arguments. */
export function start(args: readonly string[], options: RunOptions = {}): Running {
  const { env, cwd, tty = false, columns = 80, input, isOpen = tty } = options;
  const command = [process.execPath, CLI, ...args];
  const [file = '', ...rest] = tty ? inTerminal(command, columns) : command;
  const child = spawn(file, rest, {
    cwd: cwd ?? root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The terminal hangs up when `script` ends, which ends the command in it.
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  // The command may end before it has read its input.
  child.stdin.on('error', () => {});
  if (input !== undefined) child.stdin.write(input);
  // The end of the input would end the terminal too.
  if (!isOpen) child.stdin.end();
  const printed = () => plainBreaks(stdout + stderr);
  return {
    child,
    printed,
    shows: (text) =>
      vi.waitFor(
        () => {
          const shown = stripVTControlCharacters(printed());
          if (typeof text === 'string' ? !shown.includes(text) : !text.test(shown))
            throw new Error(`\`${text}\` was not printed:\n${shown}`);
        },
        { timeout: 60_000, interval: 20 },
      ),
    interrupt: () => void (tty ? child.stdin.write('\u0003') : child.kill('SIGINT')),
    result: new Promise((resolve) => {
      child.once('close', (code) => resolve({ stdout: plainBreaks(stdout), stderr: plainBreaks(stderr), code }));
    }),
  };
}

/** Starts the mock server, which ends with the test. Returns it with the variables of its sphere key. */
export async function startMock(
  options: MockServerOptions = {},
): Promise<MockServer & { env: { MULTILOCAL_API_KEY: string; MULTILOCAL_BASE_URL: string } }> {
  const server = await startMockServer(options);
  onTestFinished(() => server.close());
  return { ...server, env: { MULTILOCAL_API_KEY: server.api.keys.sphere, MULTILOCAL_BASE_URL: server.url } };
}

/** Debian's `script` runs a command in a pseudo-terminal. */
function inTerminal(command: readonly string[], columns: number): string[] {
  const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return ['script', '--quiet', '--return', '--command', `stty cols ${columns} rows 40; exec ${line}`, '/dev/null'];
}

/** A terminal ends its lines with CR LF. */
function plainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
