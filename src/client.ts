import { type ClientOptions, connect, type Shared } from './connect.js';
import { Api, type ApiPromise, apiOf } from './core/api.js';
import { invalidOptions, optionsOf } from './core/config.js';
import { ConfigurationError } from './core/errors/index.js';
import { issuesOf, OPTION_NAMES, printIssues } from './core/issues.js';
import { type RequestOptions, requestOptionsSchema } from './core/options.js';
import type { Redactor } from './core/redact.js';
import * as s from './core/schema.js';
import { type Identity, type Scope, scopeOf } from './core/types.js';
import type { DryRunClient, SphereDryRunClient } from './dry-run.js';
import { type Health, healthEndpoints } from './resources/health-schema.js';
import { Namespaces } from './resources/index.js';
import { askIdentity } from './resources/me.js';
import type { OfSphere } from './resources/sphere.js';
import { INSIDE, INSPECT, type Inside, insideOf, printClient } from './stages/inspect.js';
import { type Budget, printBudget } from './stages/limiter.js';
import { type Route, sendRoute } from './stages/route.js';
import type { View } from './stages/view.js';

export type { ClientOptions };

/** Options of {@link Client.connect} for a key of a whole brand. */
export interface SphereOptions extends ClientOptions {
  /** Check that the key covers the whole brand, and require `bulle_id` in the types where the service requires it. */
  scope: 'sphere';
}

/**
 * The client of the whole API.
 * @example
 * const client = await Client.connect(); // MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL
 * console.log(client.identity.sphere.name);
 */
export class Client extends Namespaces {
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
    states.set(api, { ...shared, dryRun: undefined });
  }

  /**
   * Creates a client for a key of the whole brand. TypeScript rejects a call without `bulle_id` if the service requires it.
   * `GET /me`, permission `read`. With `identity`, no request is sent.
   * @throws a {@link ConfigurationError} if the key covers only one location.
   * @throws an {@link AuthenticationError} for a key that is invalid, expired or revoked.
   * @example
   * const brand = await Client.connect({ scope: 'sphere' });
   * for await (const { id } of brand.bulles.list()) console.log(await brand.seo.competitors({ bulle_id: id }));
   */
  static connect(options: SphereOptions): Promise<SphereClient>;
  /**
   * Creates a client and reads the identity of its key. `GET /me`, permission `read`. With `identity`, the client sends
   * no request.
   * @throws an {@link AuthenticationError} if the key is invalid, expired or revoked.
   * @example const client = await Client.connect({ apiKey, baseUrl });
   */
  static connect(options?: ClientOptions): Promise<ConnectedClient>;
  static async connect(options: ClientOptions & { scope?: unknown } = {}): Promise<Client> {
    const { scope, ...others } = optionsOf(options);
    if (scope !== undefined && scope !== 'sphere') {
      throw invalidOptions("`scope` must be 'sphere'.");
    }
    const client = create(others);
    if (!client.identity) await askIdentity(apiOf(client), { lenient: true });
    client.#warnOfVersion();
    if (scope && client.scope?.kind !== scope) {
      const hint = "Use a key of the whole brand, or leave out `scope: 'sphere'`.";
      throw new ConfigurationError(`This key covers only one location. ${hint}`);
    }
    return client;
  }

  /** The last `GET /me` response, or the `identity` option. A client and its views share it. */
  get identity(): Identity | undefined {
    return sharedOf(this).session.identity;
  }

  /** Whether the key covers one location or the whole brand. `undefined` while the identity is unknown. */
  get scope(): Scope | undefined {
    return this.identity && scopeOf(this.identity);
  }

  /**
   * A view of this client that previews costly operations and refuses every other write. Reads and syncs work as usual.
   */
  get dryRun(): DryRunClient {
    const shared = sharedOf(this);
    shared.dryRun ??= viewOf(this, { dryRun: true }) as DryRunClient;
    return shared.dryRun;
  }

  /**
   * Returns this client for one location. If a route takes `bulle_id` and the call does not pass one, the client adds
   * it. Routes by id (`articles.get`) take no `bulle_id`: they reach everything that the key covers.
   * @throws a {@link ConfigurationError} if the id is empty.
   * @example const lyon = client.forBulle('b-lyon'); await lyon.connections.list();
   */
  forBulle(bulle_id: string): Client {
    return viewOf(this, { bulle_id: checkTarget('bulle_id', bulle_id) });
  }

  /**
   * Returns this client for one listing. If a route takes `fiche_id` and the call does not pass one, the client adds
   * it.
   * @throws a {@link ConfigurationError} if the id is empty.
   * @example const listing = client.forFiche('accounts/1/locations/2');
   */
  forFiche(fiche_id: string): Client {
    return viewOf(this, { fiche_id: checkTarget('fiche_id', fiche_id) });
  }

  /**
   * Returns this client with other defaults for its calls. The view shares identity and budget with the client. Options
   * of a call win. `headers`, `fetchOptions` and `extra` are merged name by name: of the client, of the view, of
   * the call. Parameters of a call win over `extra` of the view, and `extra` of the call wins over both. Each view of a view
   * adds its options to those before.
   *
   * A `signal` ends all calls and waits of the view. It counts beside the signals of a call and of outer views: the first
   * that aborts ends the call. `timeout` is ms for one attempt. It does not change how long `articles.waitUntilWritten`
   * and `reports.createAndWait` wait.
   * @throws a {@link ConfigurationError} if an option is unknown or invalid.
   * @example const once = client.withOptions({ maxRetries: 0, totalTimeout: 5_000 });
   */
  withOptions(options: RequestOptions): Client {
    checkViewOptions(options, sharedOf(this).session.config.redactor);
    return viewOf(this, { options });
  }

  /**
   * Checks whether the service is up. `GET /health`.
   * @remarks The client sends no key, and the request does not count toward the budget.
   * @example const { status } = await client.health();
   */
  health(options?: RequestOptions): ApiPromise<Health> {
    return apiOf(this).send(healthEndpoints.health, {}, options);
  }

  /**
   * Reads the scope, permissions and limits of the key and stores them as `identity`. `GET /me`, permission `read`.
   * @throws an {@link AuthenticationError} if the key is invalid, expired or revoked.
   * @example const { permissions, rate_limits } = await client.me();
   */
  me(options?: RequestOptions): ApiPromise<Identity> {
    return askIdentity(apiOf(this), options);
  }

  /**
   * Returns what is left of the minute and of the day, as the limiter of this client knows it. Sends no request.
   *
   * The limiter counts the requests of this thread with the same key and address. With `rateLimit.store`, it counts
   * the requests of all processes that share the store. Without a limiter of the client's own (`rateLimit: false`, `acquire`),
   * `limit` and `left` are `Infinity`.
   * @throws a {@link ConnectionError} if the store fails and `onStoreError` is `'throw'`.
   * @example const { minute, day } = await client.budget(); // { limit: 60, used: 12, left: 48 } …
   */
  budget(): Promise<Budget> {
    const { limiter, session } = sharedOf(this);
    return limiter.budget(session);
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
    return sendRoute(apiOf(this), route, options);
  }

  /**
   * Returns the line that `console.log` prints.
   * @internal
   */
  [INSPECT](): string {
    const { session, view, limiter } = sharedOf(this);
    const budget = limiter.knownBudget(session);
    return printClient(session, view, budget && printBudget(budget));
  }

  /**
   * Returns what other entries of the package need to know about a client that they get.
   * @internal
   */
  get [INSIDE](): Inside {
    const { session, view } = sharedOf(this);
    return insideOf(session, view);
  }

  /** The service changes the first number of its version if it breaks clients. */
  #warnOfVersion(): void {
    const { session, log } = sharedOf(this);
    const { api_version }: { api_version?: unknown } = this.identity ?? {};
    if (typeof api_version !== 'string' || api_version.startsWith('2.')) return;
    const version = session.config.redactor.beginning(api_version);
    log.warn(`the service has the API version ${version}, but this client is for 2.x.`);
  }
}

/**
 * A client that knows the identity of its key, from {@link Client.connect}.
 * @example
 * const { identity, scope } = await Client.connect();
 * console.log(identity.sphere.name, scope.kind);
 */
export interface ConnectedClient extends Client {
  /** The last `GET /me` response, or the `identity` option. */
  readonly identity: Identity;
  /** Whether the key covers one location or the whole brand. */
  readonly scope: Scope;
  /** Returns this client for one location. */
  forBulle(bulle_id: string): ConnectedClient;
  /** Returns this client for one listing. */
  forFiche(fiche_id: string): ConnectedClient;
  /** Returns this client with other defaults for its calls. */
  withOptions(options: RequestOptions): ConnectedClient;
}

/** An interface cannot extend both types separately, because they declare the same namespaces. */
type Marked = ConnectedClient & Readonly<Record<keyof Namespaces, OfSphere>>;

/**
 * A client whose key covers a whole brand, from `Client.connect({ scope: 'sphere' })`. Calls do not compile without
 * `bulle_id` where the service requires one, even on `dryRun`. Calls that need a `fiche_id` have the same types as in `Client`.
 * @example
 * const brand = await Client.connect({ scope: 'sphere' });
 * for await (const { id } of brand.bulles.list()) console.log(await brand.seo.competitors({ bulle_id: id }));
 */
export interface SphereClient extends Marked {
  /** The key covers the whole brand. */
  readonly scope: {
    /** The whole brand. */
    kind: 'sphere';
  };
  /** A view of this client that previews costly operations and refuses every other write. */
  readonly dryRun: SphereDryRunClient;
  /** Returns this client for one location. Its calls need no `bulle_id`. */
  forBulle(bulle_id: string): ConnectedClient;
  /** Returns this client for one listing. */
  forFiche(fiche_id: string): SphereClient;
  /** Returns this client with other defaults for its calls. */
  withOptions(options: RequestOptions): SphereClient;
}

/** What each client shares with its views. Private, because it holds the key. */
const states = new WeakMap<Api, State>();

interface State extends Shared {
  /** The view that only previews, once it was asked for. */
  dryRun: DryRunClient | undefined;
}

function sharedOf(client: Client): State {
  return states.get(apiOf(client)) as State;
}

function viewOf(client: Client, settings: Parameters<View['with']>[0]): Client {
  const shared = sharedOf(client);
  return create(undefined, { ...shared, view: shared.view.with(settings) });
}

function create(options: ClientOptions | undefined, shared?: Shared): Client {
  return new Client(options, shared);
}

/** @throws {ConfigurationError} if the id of a view is empty. */
function checkTarget(name: string, value: string): string {
  const issues = issuesOf(s.text(1), value);
  if (issues) throw new ConfigurationError(printIssues(issues, `\`${name}\``));
  return value;
}

/** Refuses wrong options of a view. @throws a {@link ConfigurationError} that names them. */
function checkViewOptions(options: RequestOptions, redactor: Redactor): void {
  const issues = issuesOf(requestOptionsSchema, options, OPTION_NAMES);
  if (issues) throw invalidOptions(printIssues(redactor.issues(issues), '`options`'));
}
