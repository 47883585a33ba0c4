// What listens to every call of `Client`: its log, and the clock of the service.
import * as z from 'zod/mini';
import type { Session } from '../core/call.js';
import { type CallEvent, type EventDetails, emit, type Listener, type ObservedCall } from '../core/events.js';
import { headerOf } from '../core/headers.js';
import { printIssues } from '../core/issues.js';
import * as s from '../core/schema.js';
import { parseHttpDate, parseTimestamp, timeOf } from '../core/timestamps.js';
import type { Timestamp } from '../core/types.js';

/** How much a client logs: the lines of this level and of the levels before it. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/**
 * Receives the lines of a client, for example `console` or a logger of pino, winston or consola. The client passes one
 * string to each call. Errors and rejections of a logger are ignored.
 */
export interface Logger {
  /** Receives errors. The client itself throws its errors and logs none. */
  error(line: string): unknown;
  /** Receives long waits, retries of writes, unexpected responses and failures of `rateLimit.store`. */
  warn(line: string): unknown;
  /** Receives retries of reads and previews. */
  info(line: string): unknown;
  /** Receives one line for each request. */
  debug(line: string): unknown;
}

const LOG_LEVELS = ['off', 'error', 'warn', 'info', 'debug'] as const satisfies readonly LogLevel[];
const DEFAULT_LEVEL = 'warn';

/** The schemas of the options of the log. */
export const logFields = {
  logger: z.optional(z.custom<Logger>(isLogger, s.must('a logger with error, warn, info and debug'))),
  logLevel: z.optional(s.oneOf(LOG_LEVELS)),
};

function isLogger(value: unknown): boolean {
  const { error, warn, info, debug } = Object(value) as Partial<Logger>;
  return [error, warn, info, debug].every((method) => typeof method === 'function');
}

/** Where a client writes its lines. */
export interface Log {
  /** Writes the events of calls that have a line. */
  readonly listener: Listener;
  /** Writes a warning that belongs to no call. */
  warn(line: string): void;
}

/** Creates the log of a client. */
export function createLog(logger: Logger | undefined, level: LogLevel | undefined): Log {
  // The variable may hold anything.
  const rank = LOG_LEVELS.indexOf((level ?? environmentLevel() ?? DEFAULT_LEVEL) as LogLevel);
  const most = rank < 0 ? LOG_LEVELS.indexOf(DEFAULT_LEVEL) : rank;
  const has = (levelOfLine: keyof Logger) => LOG_LEVELS.indexOf(levelOfLine) <= most;
  const write = (levelOfLine: keyof Logger, line: string) =>
    // `console` is looked up at each line, like `fetch` at each call.
    emit((text: string) => (logger ?? console)[levelOfLine](text), `multilocal: ${oneLine(line)}`);
  const warn = (line: string) => {
    if (has('warn')) write('warn', line);
  };
  // A wrong level in the environment must not stop a program that would work without it.
  if (rank < 0) {
    warn(`\`MULTILOCAL_LOG\` must be one of ${LOG_LEVELS.join(', ')}. The log level is ${DEFAULT_LEVEL}.`);
  }
  const drifted = new Set<string>();
  const listener: Listener = (details, call, describe) => {
    const levelOfLine = levelOf(details, call);
    if (!levelOfLine || !has(levelOfLine)) return;
    // What no method needs is told once.
    const { operation } = call.endpoint;
    if (details.type === 'drift' && call.options.lenient && drifted.size === drifted.add(operation).size) return;
    emit(async () => {
      const line = details.type === 'warning' ? await details.text() : lineOf(describe() as Lined, call);
      write(levelOfLine, call.redactor.mask(line));
    }, undefined);
  };
  return { listener, warn };
}

/** Returns the level of an event. `undefined` for events without a line. */
function levelOf({ type }: EventDetails, { endpoint, request }: ObservedCall): keyof Logger | undefined {
  if (type === 'response' || type === 'failure') return 'debug';
  // Users may want to know that a write is sent again.
  if (type === 'retry') return endpoint.method !== 'GET' && !request.dryRun ? 'warn' : 'info';
  return type === 'drift' || type === 'warning' ? 'warn' : undefined;
}

/** The events that have a line of their own. */
type Lined = Extract<CallEvent, { type: 'response' | 'failure' | 'retry' | 'drift' }>;

function lineOf(event: Lined, { waited }: ObservedCall): string {
  const { operation, method, path, attempt } = event;
  const attempted = `${method} ${path}, attempt ${attempt}`;
  if (event.type === 'retry')
    return `${operation} is retried in ${rounded(event.delay)} after ${event.code} (${attempted})`;
  if (event.type === 'drift') {
    const differences = printIssues(event.issues, 'The response');
    return `${operation}: the response does not have the expected shape (${attempted}). ${differences}`;
  }
  const ended = event.type === 'failure' ? `${event.code} after` : `${event.status} in`;
  return `${operation} ${ended} ${rounded(event.duration)} (${attempted}, waited ${rounded(waited)})`;
}

/** Replaces line ends and other control characters, which the names in a response may contain. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function rounded(ms: number): string {
  return `${Math.round(ms)} ms`;
}

/** Returns an environment variable. `undefined` if it is empty, or if there is no `process`, as in a page. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

function environmentLevel(): string | undefined {
  try {
    return environment('MULTILOCAL_LOG')?.trim().toLowerCase();
  } catch {
    // Deno throws if the program may not read the variable.
    return undefined;
  }
}

/** A `Date` header has whole seconds, and so may the dates of the service. */
const MARGIN = 1_000;

/** The clock of the service, as the `Date` headers of its responses show it. A client shares it with its views. */
export class ClockSkew {
  /** The last `Date` header. It is parsed only for a moment that is converted. */
  #date = '';
  /** When it arrived, on the clock of this machine. */
  #arrived = 0;

  readonly listener: Listener = ({ type }, { response }) => {
    // A cached response has an old date.
    const date = type === 'response' && response && !headerOf(response, 'age') && headerOf(response, 'date');
    if (!date) return;
    this.#date = date;
    this.#arrived = Date.now();
  };

  /**
   * Converts a moment of this machine's clock to the clock of the service. The result is never too late: the way of a
   * response takes time, and a margin makes up for whole seconds. As long as no response had a date, the moment is
   * returned unchanged.
   */
  at(moment: Timestamp): string {
    const time = timeOf(typeof moment === 'string' ? parseTimestamp(moment) : moment);
    const arrived = parseHttpDate(this.#date);
    if (!Number.isNaN(time) && arrived !== undefined) {
      // How many ms the clock of the service is ahead of the clock of this machine.
      const ahead = arrived - this.#arrived;
      return new Date(time + ahead - MARGIN).toISOString();
    }
    return typeof moment === 'string' ? moment : new Date(time).toISOString();
  }
}

/** Converts a moment of this machine's clock to the clock of the service, see {@link ClockSkew}. */
export function serviceTime({ stages }: Session, moment: Timestamp): string {
  return (stages.clock ?? new ClockSkew()).at(moment);
}
