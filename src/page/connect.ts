import { Api } from '../core/api.js';
import { optionFields, optionsOf, resolveConfig } from '../core/config.js';
import { eventListener, type Listener } from '../core/events.js';
import { Http } from '../core/http.js';
import type { Names } from '../core/issues.js';
import type { BaseOptions } from '../core/options.js';
import * as s from '../core/schema.js';

/** Options of `ArticlesClient`. */
export interface ArticlesClientOptions extends BaseOptions {
  /**
   * The API key, sent as `X-API-Key`. Everybody who opens the page can read the key and use its requests. Leave it out
   * and let a proxy add it (`multilocal/proxy`), or use a key with only the permission `read`.
   */
  apiKey?: string | undefined;
  /**
   * Address of the service, or of the proxy that adds the key. In a page and its workers, a path such as `/content` is
   * allowed. With a key, `https:` is required, except for addresses of this machine or with `allowHttp`.
   */
  baseUrl: string;
}

/** The options of `Client` for what a page client does not have. */
const CLIENT_OPTIONS = ['rateLimit', 'logger', 'logLevel', 'identity', 'preflight', 'dangerouslyAllowBrowser'];
const MOVED_OPTION = "is an option of `Client` from 'multilocal' only";

/**
 * Checks the options of a page and connects to the address. The calls have no stage but `onEvent`.
 * @throws a {@link ConfigurationError} if an option is invalid, or only `Client` has it.
 */
export function connect(options: ArticlesClientOptions, Transport = Http, own: readonly Listener[] = []): Api {
  // Built here: at module level, bundlers could not drop it.
  const elsewhere = Object.fromEntries(CLIENT_OPTIONS.map((name) => [name, MOVED_OPTION]));
  const names: Names = { kind: 'option', elsewhere };
  const config = resolveConfig(optionsOf(options), s.params(optionFields), names);
  const listeners = [...own, ...(config.onEvent ? [eventListener(config.onEvent)] : [])];
  return new Api({ config, stages: { listeners }, identity: undefined }, new Transport(config.root));
}
