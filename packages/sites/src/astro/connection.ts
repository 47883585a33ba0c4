import type { ClientOptions, RateLimitOptions } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { NotFoundError } from 'multilocal/internal/errors';

/** Places of the minute that a new client leaves to others. */
export const RESERVE = 20;

/** The client to use, or the options of a new one. Without both, the client reads the environment variables. */
export type ConnectionOptions =
  | {
      /** A client of your own, for example a view of one location. */
      client: Client;
      /** Not with `client`, which has options already. */
      connection?: undefined;
    }
  | {
      /** Not with `connection`: the options are for a new client. */
      client?: undefined;
      /** Options of a new `Client`. Default: `MULTILOCAL_API_KEY` and `MULTILOCAL_BASE_URL` of the environment. */
      connection?: ClientOptions | undefined;
    };

/**
 * Returns the client to use. `rateLimit` is the default of a new one.
 * @throws {ConfigurationError} if the options of the client are invalid.
 */
export function clientOf({ client, connection }: ConnectionOptions, rateLimit?: RateLimitOptions): Client {
  return client ?? new Client({ ...connection, rateLimit: connection?.rateLimit ?? rateLimit });
}

/** Whether the service says that an article does not exist. The 404 page of a wrong address says nothing about it. */
export function isMissing(error: unknown): boolean {
  return error instanceof NotFoundError && error.code === 'not_found' && typeof error.body !== 'string';
}
