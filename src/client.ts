import { ApiPromise } from './core/api-promise.js';
import { ConfigurationError } from './core/errors/index.js';
import { POST_AND_LISTING_TEXTS } from './core/errors/known-texts.js';
import { type Identity, type Scope, scopeOf } from './core/identity.js';
import { issuesOf, printIssues } from './core/issues.js';
import { type BaseOptions, type RequestOptions, resolveConfig } from './core/options.js';
import { preflight } from './core/preflight.js';
import { buildRoute, type Route } from './core/request.js';
import { text } from './core/schema.js';
import { createSend, type Send } from './core/send.js';
import type { Session } from './core/session.js';
import { fillIn, type View } from './core/view.js';
import type { DryRunClient } from './dry-run.js';
import { Acquisition } from './resources/acquisition.js';
import { Articles } from './resources/articles.js';
import { Bulles } from './resources/bulles.js';
import { Connections } from './resources/connections.js';
import { Gmb } from './resources/gmb.js';
import { type Health, healthEndpoints } from './resources/health.js';
import { Images } from './resources/images.js';
import { identity as identitySchema, meEndpoints } from './resources/me.js';
import { Platforms } from './resources/platforms.js';
import { Posts } from './resources/posts.js';
import { type CheckMemory, createCheckMemory } from './resources/posts-check.js';
import { QrCodes } from './resources/qr-codes.js';
import { Reports } from './resources/reports.js';
import { Reviews } from './resources/reviews.js';
import { Seo } from './resources/seo.js';
import { Sites } from './resources/sites.js';
import { Social } from './resources/social.js';
import { Spheres } from './resources/spheres.js';
import { Visibility } from './resources/visibility.js';

/** Options of {@link Client}. */
export interface ClientOptions extends BaseOptions {
  /** Sent as `X-API-Key`; white space around it is trimmed. Default: the environment's `MULTILOCAL_API_KEY`. */
  apiKey?: string | undefined;
  /**
   * Address of the service, with or without a path prefix; `https:` but for loopback hosts.
   * Default: the environment's `MULTILOCAL_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** A `GET /me` answer kept from before, which saves asking again. */
  identity?: Identity | undefined;
  /** Refuse locally, before a request is spent, what the known identity shows to be refused. Default `true`. */
  preflight?: boolean | undefined;
  /**
   * Let the full client start in a browser page. Default `false`: only the articles routes answer other origins, and
   * whoever opens the page can read the key. `multilocal/articles` is made for pages.
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** With what `posts.check` has read, so that every view has it. */
interface ClientSession extends Session {
  readonly memory: CheckMemory;
}

/** What a view takes over from the client that it is made of. */
class SharedView {
  constructor(
    readonly session: ClientSession,
    readonly view: View,
  ) {}
}

/**
 * The client of the whole API.
 * @example
 * const client = await Client.connect(); // MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL
 * console.log(client.identity?.sphere.name);
 */
export class Client {
  readonly #session: ClientSession;
  readonly #view: View;
  readonly #send: Send;

  /** The brand of the key. */
  readonly spheres: Spheres;
  /** The locations of the brand. */
  readonly bulles: Bulles;
  /** The social and listing accounts of the locations. */
  readonly connections: Connections;
  /** The live limits of the social platforms. */
  readonly platforms: Platforms;
  /** Posts: published on the social platforms of a location, now or later. */
  readonly posts: Posts;
  /** Simplified publishing: one text, out at once unless it is scheduled. */
  readonly social: Social;
  /** Articles written for a connected CMS site, or served to a custom site. */
  readonly articles: Articles;
  /** The reviews of the Google listings. */
  readonly reviews: Reviews;
  /** Requests that ask customers for a review, by SMS and e-mail. */
  readonly acquisition: Acquisition;
  /** The Google listings: their figures and their optimizer. */
  readonly gmb: Gmb;
  /** How visible a listing is in Google's local results. */
  readonly visibility: Visibility;
  /** How the site of a location is found: scans, keywords, search console. */
  readonly seo: Seo;
  /** QR codes whose scans are counted. */
  readonly qrCodes: QrCodes;
  /** The sites that articles can be published on. */
  readonly sites: Sites;
  /** Reports of the listings, as PDF and CSV. */
  readonly reports: Reports;
  /** Images for posts and articles: taken over or made by a model. */
  readonly images: Images;

  /**
   * Make a client. Sends no request: the key's identity is unknown until {@link Client.me}, or use {@link Client.connect}.
   * @throws a {@link ConfigurationError} for a missing or unusable key, address or option.
   */
  constructor(options?: ClientOptions);
  /** @internal */
  constructor(options: ClientOptions | SharedView);
  constructor(options: ClientOptions | SharedView = {}) {
    const { session, view } = options instanceof SharedView ? options : { session: createSession(options), view: {} };
    const send = createSend(session, (...call) => fillIn(view, ...call));
    this.#session = session;
    this.#view = view;
    this.#send = send;
    this.spheres = new Spheres(send);
    this.bulles = new Bulles(send);
    this.connections = new Connections(send);
    this.platforms = new Platforms(send);
    const { connections, platforms } = this;
    this.posts = new Posts(send, { connections, platforms, memory: session.memory });
    this.social = new Social(send);
    this.articles = new Articles(send);
    this.reviews = new Reviews(send);
    this.acquisition = new Acquisition(send);
    this.gmb = new Gmb(send);
    this.visibility = new Visibility(send);
    this.seo = new Seo(send);
    this.qrCodes = new QrCodes(send);
    this.sites = new Sites(send);
    this.reports = new Reports(send, { known: () => session.identity, ask: (options) => this.me(options) });
    this.images = new Images(send);
  }

  /**
   * Make a client that knows whom its key speaks for. `GET /me`, permission `read`; not asked when `identity` is given.
   * @throws an {@link AuthenticationError} for a key that is invalid, expired or revoked.
   * @example const client = await Client.connect({ apiKey, baseUrl });
   */
  static async connect(options?: ClientOptions): Promise<Client> {
    const client = create(options);
    if (!client.identity) await client.me();
    return client;
  }

  /** The last `GET /me` answer, or the `identity` option; one value for the client and its views. */
  get identity(): Identity | undefined {
    return this.#session.identity;
  }

  /** Whether the key covers one location or the whole brand; `undefined` while the identity is unknown. */
  get scope(): Scope | undefined {
    return this.identity && scopeOf(this.identity);
  }

  /** This client with previews in place of costly operations; every other write is refused. Syncs and reads work as ever. */
  get dryRun(): DryRunClient {
    return create(new SharedView(this.#session, { ...this.#view, dryRun: true })) as DryRunClient;
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
    return this.#send(healthEndpoints.health, {}, options);
  }

  /**
   * Ask whom the key speaks for and what it may do, and keep it as `identity`. `GET /me`, permission `read`.
   * @throws an {@link AuthenticationError} for a key that is invalid, expired or revoked.
   * @example const { permissions, rate_limits } = await client.me();
   */
  me(options?: RequestOptions): ApiPromise<Identity> {
    const asked = this.#send<Identity>(meEndpoints.me, {}, options).withResponse();
    return new ApiPromise(
      asked.then((result) => {
        // With `validation` off or at 'warn', what came may be no identity to rely on.
        if (!issuesOf(identitySchema, result.data)) this.#session.identity = result.data;
        return result;
      }),
    );
  }

  /**
   * Call a route that this version does not know, with the same policy, errors and care for the key.
   *
   * Nothing is checked, no target filled in. A POST counts as a costly write: it is repeated only where it provably did
   * not arrive.
   * @example const forecast = await client.request<Forecast>({ method: 'GET', path: '/forecast', query: { days: 7 } });
   */
  request<T = unknown>(route: Route, options?: RequestOptions): ApiPromise<T> {
    const { method, path } = route;
    return this.#send({ operation: 'request', method, path }, {}, options, (extra) => buildRoute(route, extra));
  }

  #viewOf(target: View): Client {
    return create(new SharedView(this.#session, { ...this.#view, ...target }));
  }
}

/** Outside of the class, which would be called `_Client` in the build if it named itself. */
function create(options: ClientOptions | SharedView | undefined): Client {
  return new Client(options ?? {});
}

function createSession(given: ClientOptions): ClientSession {
  const { identity, preflight: isChecked, dangerouslyAllowBrowser, ...options } = given;
  if (globalThis.window?.document && !dangerouslyAllowBrowser) {
    throw new ConfigurationError(
      'Pages reach articles alone: use ArticlesClient of multilocal/articles, or dangerouslyAllowBrowser.',
    );
  }
  const apiKey = setting(options, 'apiKey', 'MULTILOCAL_API_KEY');
  const baseUrl = setting(options, 'baseUrl', 'MULTILOCAL_BASE_URL');
  const issues = identity !== undefined && issuesOf(identitySchema, identity);
  if (issues) throw new ConfigurationError(`\`identity\` is no answer of GET /me: ${printIssues(issues)}.`);
  return {
    config: resolveConfig(options, apiKey, baseUrl),
    preflight: isChecked === false ? undefined : preflight,
    knownTexts: POST_AND_LISTING_TEXTS,
    identity,
    memory: createCheckMemory(),
  };
}

function setting(options: ClientOptions, name: 'apiKey' | 'baseUrl', variable: string): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = options[name] === undefined ? process?.env?.[variable] || undefined : options[name];
  if (value === undefined) throw new ConfigurationError(`\`${name}\` is missing: pass it, or set ${variable}.`);
  return value;
}

function checkTarget(name: string, value: string): string {
  const issues = issuesOf(text(1), value);
  if (issues) throw new ConfigurationError(`\`${name}\`: ${printIssues(issues)}.`);
  return value;
}
