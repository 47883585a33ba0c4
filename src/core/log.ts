import { environment } from './environment.js';
import { type ClientEvent, type EventBase, tell } from './events.js';
import { printIssues } from './issues.js';

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

export const LOG_LEVELS = ['off', 'error', 'warn', 'info', 'debug'] as const satisfies readonly LogLevel[];
const DEFAULT_LEVEL = 'warn';

/** An attempt that ended without a response. Only the log shows it: observers get a `retry` event or an error. */
export interface LostAttempt extends EventBase {
  type: 'lost';
  /** Milliseconds since the request was sent. */
  duration: number;
  /** The code of the error, or `aborted`. */
  code: string;
}

/** What a line needs besides the event. */
interface Circumstances {
  /** Milliseconds that the attempt waited in the limiter. */
  readonly waited: number;
  /** Whether the call changes something, so that its retry is worth a warning. */
  readonly isChange: boolean;
}

/** Writes the lines of a client to its logger. */
export class Log {
  readonly #logger: Logger | undefined;
  readonly #most: number;

  constructor(logger: Logger | undefined, level: LogLevel | undefined) {
    this.#logger = logger;
    // The variable may hold anything.
    const wanted = level ?? environmentLevel() ?? DEFAULT_LEVEL;
    const rank = LOG_LEVELS.indexOf(wanted as LogLevel);
    this.#most = rank < 0 ? LOG_LEVELS.indexOf(DEFAULT_LEVEL) : rank;
    // A wrong level in the environment must not stop a program that would work without it.
    if (rank < 0) {
      const expected = LOG_LEVELS.join(', ');
      this.write('warn', () => `\`MULTILOCAL_LOG\` must be one of ${expected}. The log level is ${DEFAULT_LEVEL}.`);
    }
  }

  /** Whether lines of this level are logged. */
  has(level: keyof Logger): boolean {
    return LOG_LEVELS.indexOf(level) <= this.#most;
  }

  /** Logs a line. `line` is called only if lines of this level are logged. */
  write(level: keyof Logger, line: () => string): void {
    if (!this.has(level)) return;
    // `console` is looked up at each line, like `fetch` at each call.
    tell((text: string) => (this.#logger ?? console)[level](text), `multilocal: ${oneLine(line())}`);
  }
}

/** Returns the level and the line for an event. `undefined` for events without a line. */
export function lineOf(
  event: ClientEvent | LostAttempt,
  { waited, isChange }: Circumstances,
): [level: keyof Logger, line: () => string] | undefined {
  const { type, operation, method, path, attempt } = event;
  const attempted = `${method} ${path}, attempt ${attempt}`;
  const sent = `${attempted}, waited ${rounded(waited)}`;
  switch (type) {
    case 'response':
      return ['debug', () => `${operation} ${event.status} in ${rounded(event.duration)} (${sent})`];
    case 'lost':
      return ['debug', () => `${operation} ${event.code} after ${rounded(event.duration)} (${sent})`];
    case 'retry':
      return [
        isChange ? 'warn' : 'info',
        () => `${operation} is retried in ${rounded(event.delay)} after ${event.code} (${attempted})`,
      ];
    case 'drift': {
      const what = 'the response does not have the expected shape';
      return ['warn', () => `${operation}: ${what} (${attempted}). ${printIssues(event.issues, 'The response')}`];
    }
    default:
      return undefined;
  }
}

/** Replaces line ends and other control characters, which the names in a response may contain. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function rounded(ms: number): string {
  return `${Math.round(ms)} ms`;
}

function environmentLevel(): string | undefined {
  try {
    return environment('MULTILOCAL_LOG')?.trim().toLowerCase();
  } catch {
    // Deno throws if the program may not read the variable.
    return undefined;
  }
}
