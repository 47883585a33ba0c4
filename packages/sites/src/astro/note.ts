import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { ConfigurationError } from 'multilocal/internal/errors';
import { webAddress } from '../site/values.js';
import type { ArticleData } from './article.js';
import { byKey, PAGES_FILE, type Page, writePages } from './pages.js';

/** What a loader knows of the build. */
interface Build extends Pick<LoaderContext, 'collection' | 'store'> {
  config: Pick<LoaderContext['config'], 'site' | 'cacheDir'>;
  logger: Pick<LoaderContext['logger'], 'info'>;
}

/** The pages that this process has noted, by file and collection. */
const NOTED = new Map<string, Map<string, readonly Page[]>>();
/** Astro loads collections at the same time, and they share a file. */
let writing: Promise<void> = Promise.resolve();

/**
 * Notes the addresses of a collection's pages for `confirmPages`, beside the other collections of this build.
 * @throws {ConfigurationError} if an address leads elsewhere.
 */
export async function notePages(
  { collection, store, config, logger }: Build,
  account: string,
  url: (article: ArticleData) => string,
): Promise<void> {
  const pages = store.values().map(({ id, data, digest, rendered }): Page => {
    const article = data as ArticleData & Record<string, unknown>;
    return {
      id: Number(id),
      updated_at: String(digest),
      content: contentOf(article, rendered?.html),
      url: addressOf(url(article), config.site, id),
      account,
    };
  });
  const file = fileURLToPath(new URL(PAGES_FILE, config.cacheDir));
  const collections = NOTED.get(file) ?? new Map<string, readonly Page[]>();
  NOTED.set(file, collections.set(collection, pages));
  const write = () => writePages(file, [...byKey([...collections.values()].flat()).values()]);
  writing = writing.then(write, write);
  await writing;
  logger.info(`${pages.length} pages noted for confirmPages.`);
}

/** The fields that a page shows. A field that is newer than this version may change with every confirmation. */
const SHOWN = ['title', 'excerpt', 'meta_title', 'meta_description', 'featured_image_url', 'category'] as const;

function contentOf(article: ArticleData, html: string | undefined): string {
  const shown = JSON.stringify([html, ...SHOWN.map((name) => article[name])]);
  return createHash('sha256').update(shown).digest('hex').slice(0, 32);
}

/** What addresses drop: spaces and control characters. */
const DROPPED = /[^!-\u{10ffff}]/gu;
/** A segment `.` or `..` of a path. Addresses read `\` as `/`. */
const DOTS = /(^|[/\\])(\.|%2e){1,2}([/\\]|$)/i;

/** The address of a page. A slug of the service must not lead to another site, nor from its page to the one above it. */
function addressOf(address: string, site: string | undefined, id: string): string {
  const absolute = webAddress(address, site);
  const isElsewhere = absolute !== undefined && site !== undefined && new URL(absolute).origin !== new URL(site).origin;
  const path = String(address)
    .replace(DROPPED, '')
    .replace(/[?#].*/, '');
  if (absolute !== undefined && !isElsewhere && !DOTS.test(path)) return absolute;
  throw new ConfigurationError(
    `\`url\` of multilocalLoader must return a path or an address on the \`site\` of the Astro config, or an address with https if there is no \`site\`. No part of the path may be \`.\` or \`..\`. Article ${id} has no such address.`,
  );
}
