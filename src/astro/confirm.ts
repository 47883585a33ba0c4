import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '../client.js';
import { ConfigurationError, NotFoundError, RateLimitError } from '../core/errors/index.js';
import type { CallOptions } from '../core/options.js';
import { type ConnectionOptions, clientOf } from './connection.js';
import { CONFIRMED_FILE, PAGES_FILE, type Page, readPages, writePages } from './pages.js';

/** Places of the minute that a new client leaves to others. */
const RESERVE = 20;
/** The default of a client's `maxRetries`. */
const RETRIES = 2;
/** Milliseconds for a response of the site. */
const SITE_TIMEOUT = 30_000;

/** Options of {@link confirmPages}. */
export type ConfirmPagesOptions = ConnectionOptions & {
  /** Maximum number of requests to the service, retries included: an integer, 1 or more. Default 200. */
  maxRequests?: number | undefined;
  /** The `cacheDir` of the Astro config. Default `'node_modules/.astro'`. */
  cacheDir?: string | URL | undefined;
};

/** A page that was not confirmed. */
export interface UnconfirmedPage {
  /** Id of the article. */
  id: number;
  /** Address of the page. */
  url: string;
  /** Why the page counts as not online: `HTTP 404`, `redirects to https://…`, `no response`. */
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
  /** Number of articles that the service no longer has. The next build drops their pages. */
  gone: number;
  /** Number of changed pages that `maxRequests` or the rate limit left for the next run. */
  left: number;
  /** Number of requests to the service, retries included. */
  requests: number;
  /** The pages that are not online. */
  problems: UnconfirmedPage[];
}

/**
 * Confirms the changed pages of the last build to the service. Run it after the deployment, with the cache folder of the
 * build. Permission `read`. A changed page costs one request to your own site and, if the page is online, one
 * `POST /articles/{article_id}/confirm`.
 *
 * A page is confirmed only if your site responds with status 200 at its exact address. A redirect does not count: the
 * `url` of `multilocalConfirm` must return the final address. Each confirmation is stored at once, so a killed run
 * continues where it stopped. A confirmation that changes `updated_at` does not lead to another one, because only new
 * content or a new address counts as a change.
 *
 * A client made from `connection` leaves 20 requests of each minute to others, unless you pass `rateLimit`. If the rate
 * limit ends the run, the rest is `left`. Other failures reject, and the next run continues.
 * @throws a {@link ConfigurationError} if no build with {@link multilocalConfirm} wrote into the folder.
 * @example
 * const { confirmed, notOnline, left } = await confirmPages();
 */
export async function confirmPages(options: ConfirmPagesOptions = {}): Promise<ConfirmPagesResult> {
  const { maxRequests = 200, cacheDir = 'node_modules/.astro' } = options;
  if (!Number.isInteger(maxRequests) || maxRequests < 1) {
    throw new ConfigurationError('`maxRequests` must be an integer, 1 or more.');
  }
  const folder = cacheDir instanceof URL ? fileURLToPath(cacheDir) : cacheDir;
  const pages = await readPages(join(folder, PAGES_FILE));
  if (!pages) {
    const hint =
      'Add multilocalConfirm to the integrations, build the site, or pass the `cacheDir` of your Astro config.';
    throw new ConfigurationError(`${join(folder, PAGES_FILE)} does not exist. ${hint}`);
  }
  const run = new Run(clientOf(options, { reserve: RESERVE }), join(folder, CONFIRMED_FILE), maxRequests);
  return run.over(pages);
}

/** One run over the pages of a build. */
class Run {
  readonly #client: Client;
  readonly #file: string;
  readonly #maxRequests: number;
  readonly #result: ConfirmPagesResult = {
    confirmed: 0,
    unchanged: 0,
    notOnline: 0,
    gone: 0,
    left: 0,
    requests: 0,
    problems: [],
  };

  constructor(client: Client, file: string, maxRequests: number) {
    this.#client = client;
    this.#file = file;
    this.#maxRequests = maxRequests;
  }

  async over(pages: readonly Page[]): Promise<ConfirmPagesResult> {
    const addresses = new Set(pages.map(({ url }) => url));
    const known = await readPages(this.#file);
    // Pages that left the site are forgotten. If one comes back, it is confirmed again.
    const confirmed = new Map(known?.filter(({ url }) => addresses.has(url)).map((page) => [page.url, page]));
    const changed = pages.filter((page) => !isSame(page, confirmed.get(page.url)));
    this.#result.unchanged = pages.length - changed.length;
    for (const [index, page] of changed.entries()) {
      const state = await this.#confirm(page);
      if (state === 'left') {
        this.#result.left = changed.length - index;
        break;
      }
      this.#result[state]++;
      if (state !== 'confirmed') continue;
      confirmed.set(page.url, page);
      await writePages(this.#file, [...confirmed.values()]);
    }
    return this.#result;
  }

  async #confirm({ id, url }: Page): Promise<'confirmed' | 'notOnline' | 'gone' | 'left'> {
    const rest = this.#maxRequests - this.#result.requests;
    if (rest <= 0) return 'left';
    const reason = await absence(url);
    if (reason !== undefined) {
      this.#result.problems.push({ id, url, reason });
      return 'notOnline';
    }
    const count = () => {
      this.#result.requests++;
    };
    // Retries must stay within `maxRequests` too.
    const options: CallOptions = { onAttempt: count, ...(rest <= RETRIES && { maxRetries: rest - 1 }) };
    try {
      await this.#client.articles.confirm(id, { rendered_url: url }, options);
      return 'confirmed';
    } catch (error) {
      if (error instanceof RateLimitError) return 'left';
      if (error instanceof NotFoundError && error.code === 'not_found') return 'gone';
      throw error;
    }
  }
}

/** A new sanitiser or schema changes what a page shows, a confirmation may change `updated_at`. Neither counts. */
function isSame(page: Page, known: Page | undefined): boolean {
  return known?.id === page.id && (known.updated_at === page.updated_at || known.content === page.content);
}

/** Returns why a page is not online. `undefined` if it is. */
async function absence(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(SITE_TIMEOUT) });
    await response.body?.cancel();
    if (response.status === 200) return undefined;
    const target = response.headers.get('location');
    return target === null ? `HTTP ${response.status}` : `redirects to ${target}`;
  } catch {
    return 'no response';
  }
}
