import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { ClientOptions } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { ConfigurationError } from 'multilocal/internal/errors';
import { UsageError } from './failure.js';
import { say } from './front.js';
import type { Output } from './output.js';
import { type LimitFlags, rateLimitOf } from './rate-limit.js';

/** The flags of {@link CONNECTION_ARGS}, as they were parsed. */
export interface ConnectionFlags extends LimitFlags {
  readonly 'base-url'?: string | undefined;
  readonly 'key-file'?: string | undefined;
  readonly 'key-stdin'?: boolean | undefined;
  readonly 'allow-http'?: boolean | undefined;
}

/** Creates the client of a command. Sends nothing. */
export async function clientOf(flags: ConnectionFlags, output: Output, more?: ClientOptions): Promise<Client> {
  const options = await optionsOf(flags, output);
  refuseMissing(options);
  return new Client({ ...options, ...more });
}

/** @throws a {@link ConfigurationError} in the words of the command line. */
export function refuseMissing({ apiKey, baseUrl }: ClientOptions): void {
  if (!apiKey && !process.env.MULTILOCAL_API_KEY?.trim()) {
    throw new ConfigurationError('There is no key. Set MULTILOCAL_API_KEY, or use `--key-file` or `--key-stdin`.');
  }
  if (!addressOf({ 'base-url': baseUrl })) {
    throw new ConfigurationError('There is no address. Set MULTILOCAL_BASE_URL, or use `--base-url`.');
  }
}

/** Creates the client of a command and reads the identity of its key: one request. */
export async function connect(
  flags: ConnectionFlags,
  output: Output,
  signal: AbortSignal,
  more?: ClientOptions,
): Promise<Client> {
  const client = await clientOf(flags, output, more);
  await client.me({ signal });
  return client;
}

/** Returns the address that a command uses, as it was given. */
export function addressOf(flags: ConnectionFlags): string {
  return flags['base-url'] ?? process.env.MULTILOCAL_BASE_URL ?? '';
}

/** Returns the client options of a command, and keeps the key out of everything that is printed. */
export async function optionsOf(flags: ConnectionFlags, output: Output): Promise<ClientOptions> {
  const rateLimit = rateLimitOf(flags);
  const apiKey = await readKey(flags);
  if (apiKey !== undefined) output.protect(apiKey);
  // The console writes debug lines to stdout, which holds the data.
  const note = (line: string) => output.note(say(line));
  const logger = { error: note, warn: note, info: note, debug: note };
  return { apiKey, baseUrl: flags['base-url'], allowHttp: flags['allow-http'], rateLimit, logger };
}

async function readKey({ 'key-file': file, 'key-stdin': isStdin }: ConnectionFlags): Promise<string | undefined> {
  if (file !== undefined && isStdin) {
    throw new UsageError('`--key-file` and `--key-stdin` cannot be combined.', 'Pass only one of them.');
  }
  if (isStdin) {
    const hint = 'Send the key to the command, for example from a secret manager: `secret-tool … | npx multilocal …`.';
    if (process.stdin.isTTY)
      throw new UsageError('`--key-stdin` reads the key from a pipe, not from a terminal.', hint);
    return required(await text(process.stdin), '`--key-stdin` received no key.', hint);
  }
  if (file === undefined) return undefined;
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `The file of \`--key-file\` cannot be read (${error.code}).`,
      'Check its path and its rights.',
    );
  });
  // PowerShell 5 writes UTF-16 with `>`.
  if (bytes.includes(0)) throw new UsageError('The file of `--key-file` is not UTF-8.', 'Save it as UTF-8.');
  return required(bytes.toString(), 'The file of `--key-file` is empty.', 'It must contain the key only.');
}

function required(key: string, problem: string, hint: string): string {
  if (key.trim() === '') throw new UsageError(problem, hint);
  return key.trim();
}
