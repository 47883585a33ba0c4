export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** The process. Another one after `restart()`. */
  readonly pid: number;
  /** SIGKILL, as a crash. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** An empty Redis on the same port. Kills the process first, if it still runs. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresServer {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Start a Redis on a free port of loopback. `args`: more of its settings, as `['--databases', '1']`. */
export function startRedis(options?: { args?: string[]; port?: number }): Promise<RedisServer>;
/** Start a Postgres on a free port of loopback, with an empty database. */
export function startPostgres(): Promise<PostgresServer>;
