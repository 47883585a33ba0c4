import { Api, type View } from './core/api.js';
import { refuseSurplus } from './core/arguments.js';
import type { Session } from './core/call.js';
import { ConfigurationError } from './core/errors/index.js';
import { Http } from './core/http.js';
import { type Identity, type Scope, scopeOf } from './core/identity.js';
import { issuesOf, printIssues } from './core/issues.js';
import { type BaseOptions, optionsOf, type RequestOptions, resolveConfig } from './core/options.js';
import type { ApiPromise } from './core/promise.js';
import type { Route } from './core/request.js';
import { text } from './core/schema.js';
import type { DryRunClient } from './dry-run.js';
import { type Health, healthEndpoints } from './resources/health-schema.js';
import { Namespaces } from './resources/index.js';
import { askIdentity } from './resources/me.js';
import { identitySchema } from './resources/me-schema.js';
import type * as scoped from './scoped.js';

/** Options of {@link Client}. */
export interface ClientOptions extends BaseOptions {
  /** Sent as `X-API-Key`; white space around it is trimmed. Default: the environment's `MULTILOCAL_API_KEY`. */
  apiKey?: string | undefined;
  /**
   * Address of the service, with or without a path prefix. `https:` only, except for this machine and with `allowHttp`.
   * Default: the environment's `MULTILOCAL_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** A `GET /me` response kept from before, which saves asking again. */
  identity?: Identity | undefined;
  /** Refuse locally, before a request is spent, what the known identity shows to be refused. Default `true`. */
  preflight?: boolean | undefined;
  /**
   * Let the full client start in a browser page. Default `false`: only the articles routes answer other origins, and
   * everybody who opens the page can read the key. `multilocal/articles` is made for pages.
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** Options of {@link Client.connect} for a key of a whole brand. */
export interface SphereOptions extends ClientOptions {
  /** Check that the key covers the whole brand, and require `bulle_id` in the types where the service requires it. */
  scope: 'sphere';
}

/** What a client and its views share, and what a view adds. */
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
   * Make a client. Sends no request: the key's identity is unknown until {@link Client.me}, or use {@link Client.connect}.
   * @throws a {@link ConfigurationError} for a missing or unusable key, address or option.
   */
  constructor(options?: ClientOptions);
  /** @internal */
  constructor(options: ClientOptions | undefined, shared: Shared);
  constructor(options: ClientOptions = {}, shared: Shared = connect(options)) {
    const api = new Api(shared.session, shared.http, shared.view);
    super(api);
    cover(this);
    this.#api = api;
    this.#shared = shared;
  }

  /**
   * Creates a client for a key of the whole brand, whose calls do not compile without `bulle_id` where the service requires
   * one. `GET /me`, permission `read`. With `identity`, no request is sent.
   * @throws a {@link ConfigurationError} if the key covers only one location.
   * @throws an {@link AuthenticationError} for a key that is invalid, expired or revoked.
   * @example
   * const brand = await Client.connect({ scope: 'sphere' });
   * for await (const { id } of brand.bulles.list()) console.log(await brand.social.quota({ bulle_id: id }));
   */
  static connect(options: SphereOptions): Promise<SphereClient>;
  /**
   * Creates a client and reads the identity of its key. `GET /me`, permission `read`. With `identity`, no request is sent.
   * @throws an {@link AuthenticationError} for a key that is invalid, expired or revoked.
   * @example const client = await Client.connect({ apiKey, baseUrl });
   */
  static connect(options?: ClientOptions): Promise<Client>;
  static async connect(options: ClientOptions & { scope?: unknown } = {}): Promise<Client> {
    const { scope, ...others } = optionsOf(options);
    if (scope !== undefined && scope !== 'sphere') {
      throw new ConfigurationError("Invalid client options. `scope` must be 'sphere'.");
    }
    const client = create(others);
    if (!client.identity) await client.me();
    if (scope && client.scope?.kind !== scope) {
      const hint = "Use a key of the whole brand, or leave out `scope: 'sphere'`.";
      throw new ConfigurationError(`This key covers only one location. ${hint}`);
    }
    return client;
  }

  /** The last `GET /me` response, or the `identity` option; one value for the client and its views. */
  get identity(): Identity | undefined {
    return this.#shared.session.identity;
  }

  /** Whether the key covers one location or the whole brand; `undefined` while the identity is unknown. */
  get scope(): Scope | undefined {
    return this.identity && scopeOf(this.identity);
  }

  /** This client with previews in place of costly operations; every other write is refused. Syncs and reads work as ever. */
  get dryRun(): DryRunClient {
    return this.#viewOf({ dryRun: true }) as DryRunClient;
  }

  /**
   * This client for one location: `bulle_id` is filled in where a route takes it and the call names none. Routes by id
   * (`articles.get`) take none: they reach whatever the key reaches.
   * @throws a {@link ConfigurationError} for an empty id.
   * @example const lyon = client.forBulle('b-lyon'); await lyon.connections.list();
   */
  forBulle(bulle_id: string): Client {
    return this.#viewOf({ bulle_id: checkTarget('bulle_id', bulle_id) });
  }

  /**
   * This client for one listing: `fiche_id` is filled in where a route takes it and the call names none.
   * @throws a {@link ConfigurationError} for an empty id.
   * @example const listing = client.forFiche('accounts/1/locations/2');
   */
  forFiche(fiche_id: string): Client {
    return this.#viewOf({ fiche_id: checkTarget('fiche_id', fiche_id) });
  }

  /**
   * Ask whether the service is up. `GET /health`; no key is sent, no budget spent.
   * @example const { status } = await client.health();
   */
  health(options?: RequestOptions): ApiPromise<Health> {
    return this.#api.send(healthEndpoints.health, {}, options);
  }

  /**
   * Reads the scope, permissions and limits of the key and stores them as `identity`. `GET /me`, permission `read`.
   * @throws an {@link AuthenticationError} for a key that is invalid, expired or revoked.
   * @example const { permissions, rate_limits } = await client.me();
   */
  me(options?: RequestOptions): ApiPromise<Identity> {
    return askIdentity(this.#api, options);
  }

  /**
   * Call a route that this version does not know, with the same policy, errors and care for the key.
   *
   * Nothing is checked, no target filled in. A POST counts as a costly write: it is repeated only where it provably did
   * not arrive.
   * @example const forecast = await client.request<Forecast>({ method: 'GET', path: '/forecast', query: { days: 7 } });
   */
  request<T = unknown>(route: Route, options?: RequestOptions): ApiPromise<T> {
    return this.#api.request(route, options);
  }

  #viewOf(more: View): Client {
    return create(undefined, { ...this.#shared, view: { ...this.#shared.view, ...more } });
  }
}

/**
 * A client whose key covers a whole brand, from `Client.connect({ scope: 'sphere' })`. Calls do not compile without
 * `bulle_id` where the service requires one.
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
}

// Outside of the class, which would be called `_Client` in the build if it named itself.

function create(options: ClientOptions | undefined, shared: Shared = connect(options)): Client {
  return new Client(options, shared);
}

function cover(client: Client): void {
  // `forBulle` and `forFiche` take no options that could be lost, and `ids.map(client.forBulle, client)` adds an index.
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
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = options[name] === undefined ? process?.env?.[variable] || undefined : options[name];
  if (value === undefined) {
    throw new ConfigurationError(`\`${name}\` is missing. Pass it, or set the environment variable ${variable}.`);
  }
  return value;
}

function checkTarget(name: string, value: string): string {
  const issues = issuesOf(text(1), value);
  if (issues) throw new ConfigurationError(printIssues(issues, `\`${name}\``));
  return value;
}
