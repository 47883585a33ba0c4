import type { View } from './api.js';
import type { Session } from './call.js';
import { hash } from './hash.js';

/**
 * The name of the method that returns {@link ClientSettings}. It is registered, because the client may be one of the
 * CommonJS build.
 */
export const SETTINGS: unique symbol = Symbol.for('multilocal.settings');

/** The name of the getter that returns the address of the service. */
export const ADDRESS: unique symbol = Symbol.for('multilocal.address');

/** What entries of the package read from a client that they get. */
export interface ClientSettings {
  /** A hash of key and address. What is stored for one account is of no use to another. */
  account: string;
  /** The location of a view. */
  bulle_id: string | undefined;
  /** Maximum number of retries of a call that passes none. */
  maxRetries: number;
}

/** Returns the settings of a client, or of a view of it. */
export async function settingsOf({ config }: Session, { bulle_id, options }: View): Promise<ClientSettings> {
  const account = await hash(config.apiKey + config.root);
  return { account, bulle_id, maxRetries: options?.maxRetries ?? config.maxRetries };
}
