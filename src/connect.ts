import type { Session, Stages } from './core/call.js';
import { invalidOptions, optionFields, optionsOf, resolveConfig } from './core/config.js';
import { ConfigurationError } from './core/errors/index.js';
import { eventListener } from './core/events.js';
import { Http } from './core/http.js';
import { issuesOf, type Names, OPTION_NAMES, printIssues } from './core/issues.js';
import type { BaseOptions } from './core/options.js';
import * as s from './core/schema.js';
import type { Identity } from './core/types.js';
import { identityNeeds, keptIdentity } from './resources/me-schema.js';
import { normalize } from './resources/parameters.js';
import { problemsLeft } from './stages/extra.js';
import { Admission, type CustomLimiter, type RateLimitOptions, rateLimitSchema } from './stages/limiter.js';
import {
  ClockSkew,
  createLog,
  environment,
  type Log,
  type Logger,
  type LogLevel,
  logFields,
} from './stages/listeners.js';
import { network, ownHeaders } from './stages/network.js';
import { preflight } from './stages/preflight.js';
import { texts } from './stages/texts.js';
import { trace } from './stages/trace.js';
import { DryRun, View } from './stages/view.js';

/** Options of `Client`. */
export interface ClientOptions extends BaseOptions {
  /**
   * The API key, sent as `X-API-Key`. Surrounding white space is trimmed. Default: the environment variable
   * `MULTILOCAL_API_KEY`.
   */
  apiKey?: string | undefined;
  /**
   * Address of the service, with or without a path prefix. `https:` is required, except for addresses of this machine
   * or with `allowHttp`. Default: the environment variable `MULTILOCAL_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /**
   * The request budget. All clients of one thread with the same key and address share it. Other processes,
   * `worker_threads`, cluster workers and browser tabs count separately: give them a `store` that they share, or divide
   * the budget among them. `false` switches the limiter off: use it in tests against the mock.
   */
  rateLimit?: false | RateLimitOptions | CustomLimiter | undefined;
  /**
   * Receives the client's lines: any object with `error`, `warn`, `info` and `debug`, such as a logger of pino, winston
   * or consola. Default: the global `console`, which the client looks up at each line. No line contains a key, a query,
   * a header or a body.
   */
  logger?: Logger | undefined;
  /**
   * How much the client logs. `'warn'`: waits over 5 s, retries of writes, unexpected responses, failures of `store`.
   * `'info'`: also retries of reads. `'debug'`: also one line for each request. `'error'` and `'off'`: nothing, because
   * the client throws its errors. Default: the environment variable `MULTILOCAL_LOG`, or `'warn'`.
   */
  logLevel?: LogLevel | undefined;
  /** A stored `GET /me` response. With it, `Client.connect` sends no request. */
  identity?: Identity | undefined;
  /**
   * Whether to refuse a call locally if the known identity shows that the service would refuse it. No request is then
   * sent. Default `true`.
   */
  preflight?: boolean | undefined;
  /**
   * Whether the full client may run in a browser page. Default `false`: pages of other origins can call only the
   * articles routes, and everyone who opens the page can read the key. Use `multilocal/articles` in pages.
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** The state that a client shares with its views, and the settings of the view. */
export interface Shared {
  readonly session: Session;
  readonly http: Http;
  readonly limiter: Admission;
  readonly log: Log;
  readonly view: View;
}

const optionsSchema = s.params({ ...optionFields, ...logFields, rateLimit: rateLimitSchema });
const TRANSPORT = 'is an unknown option. Pass a `dispatcher` in `fetchOptions`, or a `fetch` of your own';
const NAMES: Names = {
  ...OPTION_NAMES,
  elsewhere: {
    ...OPTION_NAMES.elsewhere,
    ...Object.fromEntries(['agent', 'httpAgent', 'httpsAgent', 'dispatcher', 'proxy'].map((name) => [name, TRANSPORT])),
    scope: 'is an option of `Client.connect`, and its only value is `sphere`',
  },
};

/**
 * Checks the options of a client, and hands every stage in.
 * @throws a {@link ConfigurationError} if the key, the address or an option is missing or invalid.
 */
export function connect(given: ClientOptions | null | undefined): Shared {
  const { identity, preflight: isCareful = true, dangerouslyAllowBrowser, ...options } = optionsOf(given);
  if (globalThis.window?.document && !dangerouslyAllowBrowser) {
    throw new ConfigurationError(
      "The full client does not run in browser pages. Use ArticlesClient from 'multilocal/articles', or set " +
        'dangerouslyAllowBrowser. For tests in jsdom, use the test environment `node`.',
    );
  }
  const apiKey = setting(options, 'apiKey', 'MULTILOCAL_API_KEY');
  const baseUrl = setting(options, 'baseUrl', 'MULTILOCAL_BASE_URL');
  const expected = (options.validation ?? 'throw') === 'throw' ? keptIdentity : identityNeeds;
  const issues = identity !== undefined && issuesOf(expected, identity);
  if (issues) {
    throw new ConfigurationError(
      `\`identity\` is not a valid GET /me response. ${printIssues(issues, 'The response')}`,
    );
  }
  const { logger, logLevel, onEvent } = options;
  const config = resolveConfig({ ...options, apiKey, baseUrl }, optionsSchema, NAMES);
  config.headers = { ...ownHeaders, ...config.headers };
  const limiter = new Admission(options.rateLimit);
  const clock = new ClockSkew();
  const log = createLog(logger, logLevel);
  const stages: Stages = {
    listeners: [clock.listener, log.listener, ...(onEvent ? [eventListener(onEvent)] : [])],
    problemsLeft,
    dryRun: new DryRun(),
    normalize,
    clock,
    trace,
    limiter,
    network,
    texts,
    ...(isCareful && { preflight }),
  };
  return { session: { config, stages, identity }, http: new Http(config.root), limiter, log, view: new View() };
}

function setting(options: ClientOptions, name: 'apiKey' | 'baseUrl', variable: string): string {
  const value = options[name] === undefined ? environment(variable) : options[name];
  if (value === undefined) {
    // The key or the address may be there under another name.
    const issues = issuesOf(optionsSchema, options, NAMES);
    if (issues) throw invalidOptions(printIssues(issues, 'The options'));
    throw new ConfigurationError(`\`${name}\` is missing. Pass it, or set the environment variable ${variable}.`);
  }
  return value;
}
