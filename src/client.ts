import { Api, type View } from './core/api.js';
import { refuseSurplus } from './core/arguments.js';
import { type Budget, budgetOf } from './core/budget.js';
import type { Session } from './core/call.js';
import { mergeOptions } from './core/defaults.js';
import { environment } from './core/environment.js';
import { ConfigurationError } from './core/errors/index.js';
import { Http } from './core/http.js';
import { type Identity, type Scope, scopeOf } from './core/identity.js';
import { INSPECT, printClient } from './core/inspect.js';
import { issuesOf, printIssues } from './core/issues.js';
import {
  type BaseOptions,
  checkClientOptions,
  checkTarget,
  checkViewOptions,
  invalidOptions,
  optionsOf,
  type RequestOptions,
  resolveConfig,
} from './core/options.js';
import type { ApiPromise } from './core/promise.js';
import type { Route } from './core/request.js';
import { type ClientSettings, SETTINGS, settingsOf } from './core/settings.js';
import type { DryRunClient } from './dry-run.js';
import { type Health, healthEndpoints } from './resources/health-schema.js';
import { Namespaces } from './resources/index.js';
import { askIdentity } from './resources/me.js';
import { identitySchema } from './resources/me-schema.js';
import type * as scoped from './scoped.js';

/** Options of {@link Client}. */
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
  /** A stored `GET /me` response. With it, `Client.connect` sends no request. */
  identity?: Identity | undefined;
  /**
   * Whether to refuse a call locally if the known identity shows that the service would refuse it. No request is then
   * sent. Default `true`.
   */
  preflight?: boolean | undefined;
  /**
   * Whether the full client may run in a browser page. Default `false`: pages of other origins can call only the
   * articles routes, and everybody who opens the page can read the key. Use `multilocal/articles` in pages.
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** Options of {@link Client.connect} for a key of a whole brand. */
export interface SphereOptions extends ClientOptions {
  /** Check that the key covers the whole brand, and require `bulle_id` in the types where the service requires it. */
  scope: 'sphere';
}

/** The state that a client shares with its views, and the settings of the view. */
interface Shared {
  readonly session: Session;
  readonly http: Http;
  readonly view: View;
}

/**
 * The client of the whole API.
 * @example
 * const client = await Client.connect(); // MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL
 * console.log(client.identity?.sphere.name);
 */
export class Client extends Namespaces {
  readonly #api: Api;
  readonly #shared: Shared;

  /**
   * Creates a client without sending a request. The key's identity is unknown until you call {@link Client.me}.
   * {@link Client.connect} reads it for you.
   * @param options `apiKey` and `baseUrl`: by default the environment variables `MULTILOCAL_API_KEY` and
   * `MULTILOCAL_BASE_URL`. All other options have a default, such as `timeout` (30 000 ms) and `maxRetries` (2).
   * @throws a {@link ConfigurationError} if the key, the address or an option is missing or invalid.
   * @example const client = new Client({ apiKey, baseUrl: 'https://api.example.com', timeout: 10_000 });
   */
  constructor(options?: ClientOptions);
  /** @internal */
  constructor(options: ClientOptions | undefined, shared: Shared | undefined);
  constructor(options?: ClientOptions, given?: Shared) {
    if (given !== undefined && !given?.session) {
      throw invalidOptions('Pass one object: new Client({ apiKey, baseUrl }).');
    }
    const shared = given ?? connect(options);
    const api = new Api(shared.session, shared.http, shared.view);
    super(api);
    cover(this);
    this.#api = api;
    this.#shared = shared;
  }

  /**
   * Creates a client for a key of the whole brand. TypeScript rejects a call without `bulle_id` if the service requires it.
   * `GET /me`, permission `read`. With `identity`, no request is sent.
   * @throws a {@link ConfigurationError} if the key covers only one location.
   * @throws an {@link AuthenticationError} for a key that is invalid, expired or revoked.
   * @example
   * const brand = await Client.connect({ scope: 'sphere' });
   * for await (const { id } of brand.bulles.list()) console.log(await brand.social.quota({ bulle_id: id }));
   */
  static connect(options: SphereOptions): Promise<SphereClient>;
  /**
   * Creates a client and reads the identity of its key. `GET /me`, permission `read`. With `identity`, the client sends
   * no request.
   * @throws an {@link AuthenticationError} if the key is invalid, expired or revoked.
   * @example const client = await Client.connect({ apiKey, baseUrl });
   */
  static connect(options?: ClientOptions): Promise<Client>;
  static async connect(options: ClientOptions & { scope?: unknown } = {}): Promise<Client> {
    const { scope, ...others } = optionsOf(options);
    if (scope !== undefined && scope !== 'sphere') {
      throw invalidOptions("`scope` must be 'sphere'.");
    }
    const client = create(others);
    if (!client.identity) await client.me();
    if (scope && client.scope?.kind !== scope) {
      const hint = "Use a key of the whole brand, or leave out `scope: 'sphere'`.";
      throw new ConfigurationError(`This key covers only one location. ${hint}`);
    }
    return client;
  }

  /** The last `GET /me` response, or the `identity` option. A client and its views share it. */
  get identity(): Identity | undefined {
    return this.#shared.session.identity;
  }

  /** Whether the key covers one location or the whole brand. `undefined` while the identity is unknown. */
  get scope(): Scope | undefined {
    return this.identity && scopeOf(this.identity);
  }

  /**
   * A view of this client that previews costly operations and refuses every other write. Reads and syncs work as usual.
   */
  get dryRun(): DryRunClient {
    return this.#viewOf({ dryRun: true }) as DryRunClient;
  }

  /**
   * Returns this client for one location. If a route takes `bulle_id` and the call does not pass one, the client adds
   * it. Routes by id (`articles.get`) take no `bulle_id`: they reach everything that the key covers.
   * @throws a {@link ConfigurationError} if the id is empty.
   * @example const lyon = client.forBulle('b-lyon'); await lyon.connections.list();
   */
  forBulle(bulle_id: string): Client {
    return this.#viewOf({ bulle_id: checkTarget('bulle_id', bulle_id) });
  }

  /**
   * Returns this client for one listing. If a route takes `fiche_id` and the call does not pass one, the client adds
   * it.
   * @throws a {@link ConfigurationError} if the id is empty.
   * @example const listing = client.forFiche('accounts/1/locations/2');
   */
  forFiche(fiche_id: string): Client {
    return this.#viewOf({ fiche_id: checkTarget('fiche_id', fiche_id) });
  }

  /**
   * Returns this client with other defaults for its calls. The view shares identity and budget with the client. Options
   * of a call win. `headers`, `fetchOptions` and `extra` are merged name by name: those of the client, of the view, of
   * the call. Each view of a view adds its options to those before.
   *
   * A `signal` ends all calls and waits of the view. A call with a `signal` of its own follows only that one: combine
   * them with `AbortSignal.any`. `timeout` is ms for one attempt. It does not change how long `articles.waitUntilWritten`
   * and `reports.createAndWait` wait.
   * @throws a {@link ConfigurationError} if an option is unknown or invalid.
   * @example const once = client.withOptions({ maxRetries: 0, totalTimeout: 5_000 });
   */
  withOptions(options: RequestOptions): Client {
    const { session, view } = this.#shared;
    checkViewOptions(options, session.config.redactor);
    return this.#viewOf({ options: mergeOptions(view.options ?? {}, options) });
  }

  /**
   * Checks whether the service is up. `GET /health`. The client sends no key, and the request does not count toward the
   * budget.
   * @example const { status } = await client.health();
   */
  health(options?: RequestOptions): ApiPromise<Health> {
    return this.#api.send(healthEndpoints.health, {}, options);
  }

  /**
   * Reads the scope, permissions and limits of the key and stores them as `identity`. `GET /me`, permission `read`.
   * @throws an {@link AuthenticationError} if the key is invalid, expired or revoked.
   * @example const { permissions, rate_limits } = await client.me();
   */
  me(options?: RequestOptions): ApiPromise<Identity> {
    return askIdentity(this.#api, options);
  }

  /**
   * Returns what is left of the minute and of the day, as the limiter of this client knows it. Sends no request.
   *
   * The limiter counts the requests of this thread with the same key and address. With `rateLimit.store`, it counts
   * those of all processes that share the store. Without a limiter of the client's own (`rateLimit: false`, `acquire`),
   * `limit` and `left` are `Infinity`.
   * @throws a {@link ConnectionError} if the store fails and `onStoreError` is `'throw'`.
   * @example const { minute, day } = await client.budget(); // { limit: 60, used: 12, left: 48 } …
   */
  budget(): Promise<Budget> {
    return budgetOf(this.#shared.session);
  }

  /**
   * Calls a route that this version does not know. Retries, errors and the protection of the key are the same as for
   * every other call.
   *
   * The client checks no parameters and adds no `bulle_id` or `fiche_id`. A POST counts as a costly write: it is
   * retried only if it provably did not happen.
   * @example const forecast = await client.request<Forecast>({ method: 'GET', path: '/forecast', query: { days: 7 } });
   */
  request<T = unknown>(route: Route, options?: RequestOptions): ApiPromise<T> {
    return this.#api.request(route, options);
  }

  /**
   * Returns the line that `console.log` prints.
   * @internal
   */
  [INSPECT](): string {
    return printClient(this.#shared.session, this.#shared.view);
  }

  /**
   * Returns what other entries of the package need to know about a client that they get.
   * @internal
   */
  [SETTINGS](): Promise<ClientSettings> {
    return settingsOf(this.#shared.session, this.#shared.view);
  }

  #viewOf(more: View): Client {
    return create(undefined, { ...this.#shared, view: { ...this.#shared.view, ...more } });
  }
}

/**
 * A client whose key covers a whole brand, from `Client.connect({ scope: 'sphere' })`. Calls do not compile without
 * `bulle_id` where the service requires one. The types of `dryRun` and of calls that need a `fiche_id` are those of `Client`.
 * @example
 * const brand = await Client.connect({ scope: 'sphere' });
 * for await (const { id } of brand.bulles.list()) console.log(await brand.social.quota({ bulle_id: id }));
 */
export interface SphereClient extends Client {
  /** The key covers the whole brand. */
  readonly scope: { kind: 'sphere' };
  /** Posts; creating or checking one needs a `bulle_id`. */
  readonly posts: scoped.SpherePosts;
  /** Simplified publishing; every call but `get` needs a `bulle_id`. */
  readonly social: scoped.SphereSocial;
  /** Search engine positions; every call needs a `bulle_id`. */
  readonly seo: scoped.SphereSeo;
  /** Images; generating one in the look of the brand needs a `bulle_id`. */
  readonly images: scoped.SphereImages;
  /** Returns this client for one location. Its calls cannot name another one. */
  forBulle(bulle_id: string): BulleClient;
  /** Returns this client for one listing. */
  forFiche(fiche_id: string): SphereClient;
  /** Returns this client with other defaults for its calls. */
  withOptions(options: RequestOptions): SphereClient;
}

/**
 * A client of one location, from `forBulle` of a {@link SphereClient}. Its calls do not compile with a `bulle_id`.
 * @example
 * const brand = await Client.connect({ scope: 'sphere' });
 * const { social } = brand.forBulle('b-lyon');
 * console.log(await social.quota());
 */
export interface BulleClient extends Client {
  /** Social and listing accounts of the location. */
  readonly connections: scoped.BulleConnections;
  /** Posts of the location. */
  readonly posts: scoped.BullePosts;
  /** Simplified publishing for the location. */
  readonly social: scoped.BulleSocial;
  /** Articles of the location. */
  readonly articles: scoped.BulleArticles;
  /** Search engine positions of the location. */
  readonly seo: scoped.BulleSeo;
  /** QR codes of the location. */
  readonly qrCodes: scoped.BulleQrCodes;
  /** Connected sites of the location. */
  readonly sites: scoped.BulleSites;
  /** Reports of the location. */
  readonly reports: scoped.BulleReports;
  /** Images for the location. */
  readonly images: scoped.BulleImages;
  /** Returns this client for one listing. */
  forFiche(fiche_id: string): BulleClient;
  /** Returns this client with other defaults for its calls. */
  withOptions(options: RequestOptions): BulleClient;
}

// These functions are outside the class, because the bundler renames a class that refers to itself to `_Client`.

function create(options: ClientOptions | undefined, shared?: Shared): Client {
  return new Client(options, shared);
}

function cover(client: Client): void {
  // All methods but `forBulle` and `forFiche`: these have no options that could be lost, and `ids.map` also passes an index.
  refuseSurplus(client, Client.prototype, ['forBulle', 'forFiche']);
}

function connect(given: ClientOptions | null | undefined): Shared {
  const { identity, preflight, dangerouslyAllowBrowser, ...options } = optionsOf(given);
  if (globalThis.window?.document && !dangerouslyAllowBrowser) {
    throw new ConfigurationError(
      "The full client does not run in browser pages. Use ArticlesClient from 'multilocal/articles', or set " +
        'dangerouslyAllowBrowser. For tests in jsdom, use the test environment `node`.',
    );
  }
  const apiKey = setting(options, 'apiKey', 'MULTILOCAL_API_KEY');
  const baseUrl = setting(options, 'baseUrl', 'MULTILOCAL_BASE_URL');
  const issues = identity !== undefined && issuesOf(identitySchema, identity);
  if (issues) {
    throw new ConfigurationError(
      `\`identity\` is not a valid GET /me response. ${printIssues(issues, 'The response')}`,
    );
  }
  const config = resolveConfig(options, apiKey, baseUrl, preflight);
  return { session: { config, identity }, http: new Http(config.root), view: {} };
}

function setting(options: ClientOptions, name: 'apiKey' | 'baseUrl', variable: string): string {
  const value = options[name] === undefined ? environment(variable) : options[name];
  if (value === undefined) {
    // The key or the address may be there under another name.
    checkClientOptions(options);
    throw new ConfigurationError(`\`${name}\` is missing. Pass it, or set the environment variable ${variable}.`);
  }
  return value;
}
