import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'multilocal';
import { ApiError, ConfigurationError, RateLimitError } from 'multilocal/internal/errors';
import type { Inside } from 'multilocal/internal/inspect';
import { inside } from 'multilocal/internal/inspect';
import type { CallOptions } from 'multilocal/internal/options';
import { isOutage } from 'multilocal/internal/retry';
import { type ConnectionOptions, clientOf, isMissing, RESERVE } from './connection.js';
import { checkOptions } from './options.js';
import { byKey, CONFIRMED_FILE, keyOf, PAGES_FILE, type Page, readPages, writePages } from './pages.js';

/** The hosts that are reserved for examples. Templates and guides have them. */
const PLACEHOLDER = /(^|\.)example(\.(com|net|org))?$/;
/** Milliseconds for a response of the site. */
const SITE_TIMEOUT = 30_000;
const NO_RESPONSE = 'no response';
/** After this many failures in a row, an origin counts as silent. */
const MOST_FAILURES = 3;
/** The statuses that other pages would get too: the key is refused, or has no room. */
const OF_THE_KEY: ReadonlySet<number> = new Set([401, 403, 429]);

/** Options of {@link confirmPages}. */
export type ConfirmPagesOptions = ConnectionOptions & {
  /** Maximum number of requests to the service, retries included: an integer, 1 or more. Default 200. */
  maxRequests?: number | undefined;
  /** The `cacheDir` of the Astro config. Default `'node_modules/.astro'`. */
  cacheDir?: string | URL | undefined;
  /** Called after each changed page with the counts so far. */
  onProgress?: ((result: ConfirmPagesResult) => void) | undefined;
};

/** A page that was not confirmed. */
export interface UnconfirmedPage {
  /** Id of the article. */
  id: number;
  /** Address of the page. */
  url: string;
  /**
   * Why: `HTTP 404`, `redirects to https://…` or `no response` of your site, or `the service refused it: HTTP 422`.
   */
  reason: string;
}

/** The result of {@link confirmPages}. */
export interface ConfirmPagesResult {
  /** Number of pages confirmed in this run. */
  confirmed: number;
  /** Number of pages that need no confirmation, because neither content nor address changed since the last one. */
  unchanged: number;
  /** Number of changed pages that are not online at their address. The next run checks them again. */
  notOnline: number;
  /** Number of changed pages whose confirmation the service refused with a 4xx status. The next run tries again. */
  refused: number;
  /** Number of articles that the service no longer has. The next build drops their pages. */
  gone: number;
  /** Number of changed pages that `maxRequests` or the rate limit left for the next run. */
  left: number;
  /** Number of requests to the service, retries included. */
  requests: number;
  /** The pages that are not online, and those that the service refused. */
  problems: UnconfirmedPage[];
}

/**
 * Confirms the changed pages of the last build to the service. Run it after the deployment, with the cache folder of the
 * build. Permission `read`. A changed page costs one request to your own site and, if the page is online, one
 * `POST /articles/{article_id}/confirm`.
 *
 * A page is confirmed only if your site responds with status 200 at its exact address. A redirect does not count: the
 * `url` of `multilocalLoader` must return the final address. Each confirmation is stored at once, so a killed run
 * continues where it stopped. A confirmation that changes `updated_at` does not lead to another one, because only new
 * content or a new address counts as a change. If the key changes, all pages are confirmed once more, which is harmless.
 *
 * A client made from `connection` leaves 20 requests of each minute to others, unless you pass `rateLimit`. If the rate
 * limit ends the run, the rest is `left`. A page that the service refuses (4xx) is one of the `problems`, except that the
 * statuses 401 and 403 refuse the key. Other failures reject, and the next run continues. Do not start two runs at once:
 * both would confirm the same pages.
 * @throws a {@link ConfigurationError} if no build with `url` of {@link multilocalLoader} wrote into the folder, if the build used
 * another key or address than the client, such as the mock's, if a page is at `example.com`, and if an option is
 * unknown or invalid.
 * @example
 * const { confirmed, notOnline, left } = await confirmPages();
 */
export async function confirmPages(options: ConfirmPagesOptions = {}): Promise<ConfirmPagesResult> {
  checkOptions('confirmPages', options);
  const { cacheDir = 'node_modules/.astro' } = options;
  const folder = cacheDir instanceof URL ? fileURLToPath(cacheDir) : cacheDir;
  const pages = await readPages(join(folder, PAGES_FILE));
  if (!pages) {
    const hint = 'Pass `url` to multilocalLoader and build the site, or pass the `cacheDir` of your Astro config.';
    throw new ConfigurationError(`${join(folder, PAGES_FILE)} does not exist. ${hint}`);
  }
  const client = clientOf(options, { reserve: RESERVE });
  const settings = inside(client);
  const own = await settings.account();
  const foreign = pages.find(({ account }) => account !== own);
  if (foreign) {
    const hint = 'Build the site with the key and the address of this client, deploy it, and confirm then.';
    throw new ConfigurationError(
      `The page ${foreign.url} was built with another key or address, for example with the mock. ${hint}`,
    );
  }
  const placeholder = pages.find(({ url }) => PLACEHOLDER.test(new URL(url).hostname));
  if (placeholder) {
    const hint = 'Make `url` of multilocalLoader return the addresses of your own site, and build again.';
    throw new ConfigurationError(`${placeholder.url} is an address for examples. ${hint}`);
  }
  return new Run(client, settings, join(folder, CONFIRMED_FILE), options).over(pages);
}

/** One run over the pages of a build. */
class Run {
  readonly #client: Client;
  readonly #file: string;
  readonly #settings: Inside;
  readonly #maxRequests: number;
  readonly #onProgress: ConfirmPagesOptions['onProgress'];
  readonly #failures = new Map<string, number>();
  readonly #result: ConfirmPagesResult = {
    confirmed: 0,
    unchanged: 0,
    notOnline: 0,
    refused: 0,
    gone: 0,
    left: 0,
    requests: 0,
    problems: [],
  };

  constructor(client: Client, settings: Inside, file: string, { maxRequests = 200, onProgress }: ConfirmPagesOptions) {
    this.#client = client;
    this.#settings = settings;
    this.#file = file;
    this.#maxRequests = maxRequests;
    this.#onProgress = onProgress;
  }

  async over(pages: readonly Page[]): Promise<ConfirmPagesResult> {
    const present = byKey(pages);
    const known = (await readPages(this.#file)) ?? [];
    // Pages that left the site are forgotten. If one comes back, it is confirmed again.
    const kept = known.filter((page) => present.get(keyOf(page))?.account === page.account);
    if (kept.length < known.length) await writePages(this.#file, kept);
    const confirmed = byKey(kept);
    const changed = pages.filter((page) => !isSame(page, confirmed.get(keyOf(page))));
    this.#result.unchanged = pages.length - changed.length;
    for (const [index, page] of changed.entries()) {
      const state = await this.#confirm(page);
      if (state === 'left') {
        this.#result.left = changed.length - index;
        break;
      }
      this.#result[state]++;
      if (state === 'confirmed') {
        confirmed.set(keyOf(page), page);
        await writePages(this.#file, [...confirmed.values()]);
      }
      this.#onProgress?.(this.#result);
    }
    return this.#result;
  }

  async #confirm({ id, url }: Page): Promise<'confirmed' | 'notOnline' | 'refused' | 'gone' | 'left'> {
    const rest = this.#maxRequests - this.#result.requests;
    if (rest <= 0) return 'left';
    const reason = await this.#absence(url);
    if (reason !== undefined) {
      this.#result.problems.push({ id, url, reason });
      return 'notOnline';
    }
    // Retries must stay within `maxRequests` too.
    const maxRetries = Math.min(this.#settings.maxRetries, rest - 1);
    try {
      const options: CallOptions = { onAttempt: () => this.#result.requests++, maxRetries };
      await this.#client.articles.confirm(id, { rendered_url: url }, options);
      return 'confirmed';
    } catch (error) {
      if (error instanceof RateLimitError) return 'left';
      if (isMissing(error)) return 'gone';
      if (!(error instanceof ApiError) || isOutage(error) || OF_THE_KEY.has(error.status)) throw error;
      this.#result.problems.push({ id, url, reason: `the service refused it: HTTP ${error.status}` });
      return 'refused';
    }
  }

  /** Returns why a page is not online. `undefined` if it is. */
  async #absence(url: string): Promise<string | undefined> {
    const { origin } = new URL(url);
    const failures = this.#failures.get(origin) ?? 0;
    // The other pages of a site that does not respond would cost half a minute each.
    if (failures >= MOST_FAILURES) return NO_RESPONSE;
    try {
      const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(SITE_TIMEOUT) });
      await response.body?.cancel();
      this.#failures.delete(origin);
      if (response.status === 200) return undefined;
      const target = response.headers.get('location');
      return target === null ? `HTTP ${response.status}` : `redirects to ${target}`;
    } catch {
      this.#failures.set(origin, failures + 1);
      return NO_RESPONSE;
    }
  }
}

/** A new sanitiser or schema changes what a page shows, a confirmation may change `updated_at`. Neither counts. */
function isSame(page: Page, known: Page | undefined): boolean {
  return known !== undefined && (known.updated_at === page.updated_at || known.content === page.content);
}
