import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Both } from '@multilocal/plans/words';
import { codeOf } from '@multilocal/stores/files';
import type { ClientOptions, RateLimitOptions } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { ConfigurationError } from 'multilocal/internal/errors';
import { inside } from 'multilocal/internal/inspect';
import type { CONNECTION_ARGS } from './command.js';
import { HINTS } from './errors-said.js';
import { EXIT, Failed, UsageError } from './failure.js';
import { durationOf, integerOf } from './flags.js';
import { say } from './front.js';
import type { Output } from './output.js';
import { MISSING, USAGE } from './usage-said.js';
import { WORDING } from './wording.js';

/** The flags of {@link CONNECTION_ARGS}, as they were parsed. */
export type ConnectionFlags = {
  readonly [Name in keyof typeof CONNECTION_ARGS]?:
    | ((typeof CONNECTION_ARGS)[Name]['type'] extends 'boolean' ? boolean : string)
    | undefined;
};

/** Creates the client of a command. Sends nothing. */
export async function clientOf(flags: ConnectionFlags, output: Output, more?: ClientOptions): Promise<Client> {
  const options = await optionsOf(flags, output);
  const missing = missingIn(options);
  if (missing && 'offline' in flags) throw new Failed(unset(missing), {}, EXIT.usage, MISSING.offline);
  refuseMissing(options);
  return createClient({ ...options, ...more }, output);
}

/** Creates a client whose waits are told in the words of the command. */
export function createClient(options: ClientOptions, output: Output): Client {
  const client = new Client(options);
  inside(client).limiter.words = (operation, seconds, isRefused, budget) =>
    output.in(WORDING.waits(operation, seconds, isRefused ? WORDING.isHeld() : WORDING.isFull(budget?.day.left)));
  return client;
}

/** @throws a {@link ConfigurationError} in the words of the command line. */
export function refuseMissing(options: ClientOptions): void {
  const missing = missingIn(options);
  if (missing) throw unset(missing);
}

/** The error of a key or an address that is missing. It has its words in both languages. */
function unset(said: Both): ConfigurationError {
  return Object.assign(new ConfigurationError(said[0]), { said, advice: HINTS.configuration });
}

/** Says what a client needs and does not have: a key or an address. */
export function missingIn({ apiKey, baseUrl }: ClientOptions): Both | undefined {
  if (!apiKey && !process.env.MULTILOCAL_API_KEY?.trim()) {
    return MISSING.key;
  }
  return (baseUrl ?? process.env.MULTILOCAL_BASE_URL) ? undefined : MISSING.address;
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

async function readKey({ 'key-file': file, 'key-stdin': isStdin }: ConnectionFlags): Promise<string | undefined> {
  if (file !== undefined && isStdin) {
    throw new UsageError(...USAGE.together('key-file', 'key-stdin'));
  }
  if (isStdin) {
    if (process.stdin.isTTY) throw new UsageError(...USAGE.keyFromTerminal());
    return required(await text(process.stdin), USAGE.noKeyInPipe());
  }
  if (file === undefined) return undefined;
  const bytes = await bytesOf(file, '--key-file');
  if (bytes.includes(0)) throw new UsageError(...USAGE.keyInUtf16());
  return required(bytes.toString(), USAGE.noKeyInFile());
}

/** Reads the file that a flag or a parameter names. @throws {UsageError} */
export async function bytesOf(file: string, name: string): Promise<Buffer> {
  return readFile(file).catch((error) => {
    throw new UsageError(...USAGE.unreadableFile(name, codeOf(error)));
  });
}

function required(key: string, problem: ReturnType<typeof USAGE.noKeyInPipe>): string {
  if (key.trim() === '') throw new UsageError(...problem);
  if (/^\s*(?:export\s+)?[A-Z_]+=/.test(key)) throw new UsageError(...USAGE.namedKey());
  return key.trim();
}
