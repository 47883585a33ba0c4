import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { codeOf } from '@multilocal/stores/files';
import type { ClientOptions, RateLimitOptions } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { ConfigurationError } from 'multilocal/internal/errors';
import type { CONNECTION_ARGS } from './command.js';
import { EXIT, Failed, UsageError } from './failure.js';
import { say } from './front.js';
import type { Output } from './output.js';
import { durationOf, integerOf } from './values.js';

/** The flags of {@link CONNECTION_ARGS}, as they were parsed. */
export type ConnectionFlags = {
  readonly [Name in keyof typeof CONNECTION_ARGS]?:
    | ((typeof CONNECTION_ARGS)[Name]['type'] extends 'boolean' ? boolean : string)
    | undefined;
};

const OFFLINE =
  'Without a key, as in a pull request of a fork, `--offline` checks the plan with its schemas. It sends nothing.';

/** Creates the client of a command. Sends nothing. */
export async function clientOf(flags: ConnectionFlags, output: Output, more?: ClientOptions): Promise<Client> {
  const options = await optionsOf(flags, output);
  const missing = missingIn(options);
  if (missing && 'offline' in flags) throw new Failed(new ConfigurationError(missing), {}, EXIT.usage, OFFLINE);
  refuseMissing(options);
  return new Client({ ...options, ...more });
}

/** @throws a {@link ConfigurationError} in the words of the command line. */
export function refuseMissing(options: ClientOptions): void {
  const missing = missingIn(options);
  if (missing) throw new ConfigurationError(missing);
}

/** Says what a client needs and does not have: a key or an address. */
export function missingIn({ apiKey, baseUrl }: ClientOptions): string | undefined {
  if (!apiKey && !process.env.MULTILOCAL_API_KEY?.trim()) {
    return 'There is no key. Set MULTILOCAL_API_KEY, or use `--key-file` or `--key-stdin`.';
  }
  return (baseUrl ?? process.env.MULTILOCAL_BASE_URL)
    ? undefined
    : 'There is no address. Set MULTILOCAL_BASE_URL, or use `--base-url`.';
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

/** Reads the flags of the request limits. @throws {UsageError} if one of them has a wrong value. */
export function rateLimitOf(flags: ConnectionFlags): RateLimitOptions {
  return {
    perMinute: integerOf('per-minute', flags['per-minute'], 1),
    perDay: integerOf('per-day', flags['per-day'], 1),
    reserve: integerOf('reserve', flags.reserve, 0),
    maxWait: durationOf('max-wait', flags['max-wait']),
  };
}

const UTF16 = 'PowerShell 5 writes UTF-16 with `>`. Save it as UTF-8: `… | Set-Content -Encoding ascii <file>`.';

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
  const bytes = await bytesOf(file, '--key-file');
  if (bytes.includes(0)) throw new UsageError('The file of `--key-file` is UTF-16, not UTF-8.', UTF16);
  return required(bytes.toString(), 'The file of `--key-file` is empty.', 'It must contain the key only.');
}

/** Reads the file that a flag or a parameter names. @throws {UsageError} */
export async function bytesOf(file: string, name: string): Promise<Buffer> {
  return readFile(file).catch((error) => {
    const message = `The file of \`${name}\` cannot be read (${codeOf(error)}).`;
    throw new UsageError(message, 'Check its path and its rights.');
  });
}

function required(key: string, problem: string, hint: string): string {
  if (key.trim() === '') throw new UsageError(problem, hint);
  return key.trim();
}
