import type { Client } from 'multilocal';
import type { WatchEvent } from './events.js';
import { Hold, Overtaken } from './hold.js';
import { type Settings, settingsOf, type WatchOptions } from './options.js';
import { Watcher } from './watcher.js';

/**
 * Watches what is new: reviews, posts, accounts, articles, reports. The service has no webhooks, so this asks, within
 * `perDay` requests. Permission `read`.
 *
 * An event is in the cursor before it is given, and leaves it when the next one is asked for. So after a kill, and after a
 * loop that ends early, the last event comes again with the same `id`. The first time, what is there is old, but for states
 * that hold: an account that is lost, a post that failed within a day.
 *
 * An outage is waited for. With `once`, its error is thrown after what was seen is told; the next run goes on.
 * @throws a `ConfigurationError` if an option is invalid, or if the cursor belongs to another service or brand.
 * @throws an `AuthenticationError`, `PermissionDeniedError` … if the service refuses a read.
 * @example
 * for await (const event of watch(client, { cursor: memoryCursor() })) {
 *   if (event.type === 'review.new') console.log(event.review.rating, event.review.text);
 * }
 */
export function watch(client: Client, options: WatchOptions): AsyncGenerator<WatchEvent, void, undefined> {
  const settings = settingsOf('watch', client, options);
  return run(settings, options.cursor);
}

async function* run(settings: Settings, cursor: WatchOptions['cursor']): AsyncGenerator<WatchEvent, void, undefined> {
  for (;;) {
    const hold = await Hold.take(cursor, settings.signal);
    try {
      return yield* new Watcher(settings, hold).events();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    } finally {
      await hold.end();
    }
  }
}
