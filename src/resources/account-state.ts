import { DAY, parseTimestamp } from '../core/timestamps.js';
import type { Connection } from './connections-schema.js';

/** Ms before the end of an access at which a person should connect the account again. */
const ENDS_SOON = 7 * DAY;

/** Whether an account can publish. `now` is the time of the service in ms. */
export function accountState({ connected, needs_reconnect, expires_at }: Connection, now: number) {
  const left = Number(parseTimestamp(expires_at) ?? Infinity) - now;
  if (!connected) return 'disconnected';
  if (needs_reconnect || left <= 0) return 'reconnect';
  return left <= ENDS_SOON ? 'ends_soon' : 'ready';
}
