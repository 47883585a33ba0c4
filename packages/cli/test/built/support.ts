import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '@multilocal/test/docs/blocks';
import { type MockServer, type MockServerOptions, startMockServer } from 'multilocal/mock/server';
import { onTestFinished, vi } from 'vitest';
import { program } from '../../src/program.js';

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
  /** Columns of the terminal. Default 80. */
  readonly columns?: number;
  /** What stdin holds. */
  readonly input?: string;
}

/** What a command printed, and its exit code. */
export interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/**
 * Runs `multilocal` with these arguments until it ends. The first run of each command is a process of what was built, and so
 * is each that differs in one: on a terminal, with an input, with variables that Node reads, two at once. The others run
 * here, since Node takes longer to start than they do.
 */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Result> {
  const { tty, input, env = {} } = options;
  const isPlain = Object.keys(env).every((name) => name.startsWith('MULTILOCAL_'));
  const isHere = isPlain && !tty && input === undefined && !args.includes('--key-stdin') && hasRun.has(args[0]);
  hasRun.add(args[0]);
  return isHere && !isRunning ? runHere(args, options) : start(args, options).result;
}

const hasRun = new Set<string | undefined>();
let isRunning = false;

async function runHere(args: readonly string[], { env, cwd = root }: RunOptions): Promise<Result> {
  isRunning = true;
  const before = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode };
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text;
      return true;
    });
  }
  try {
    process.env = { PATH: process.env.PATH, HOME: process.env.HOME, ...env };
    process.chdir(cwd);
    const code = await program(args);
    return { ...printed, code };
  } finally {
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
  const { env, cwd, tty = false, columns = 80, input } = options;
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
  if (!tty) child.stdin.end();
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
