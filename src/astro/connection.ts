import { Client, type ClientOptions } from '../client.js';

/** The client to use, or the options of a new one. Without both, the client reads the environment variables. */
export type ConnectionOptions =
  | {
      /** A client of your own, for example a view of one location. */
      client: Client;
      connection?: undefined;
    }
  | {
      client?: undefined;
      /** Options of a new `Client`. Default: `MULTILOCAL_API_KEY` and `MULTILOCAL_BASE_URL` of the environment. */
      connection?: ClientOptions | undefined;
    };

/**
 * Returns the client to use. `rateLimit` is the default of a new one.
 * @throws {ConfigurationError} if the options of the client are invalid.
 */
export function clientOf({ client, connection }: ConnectionOptions, rateLimit?: ClientOptions['rateLimit']): Client {
  return client ?? new Client({ rateLimit, ...connection });
}
