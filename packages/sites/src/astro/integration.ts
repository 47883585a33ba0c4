import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration } from 'astro';
import { ConfigurationError } from 'multilocal/internal/errors';
import { webAddress } from '../site/values.js';
import type { ArticleData } from './article.js';
import { checkOptions } from './options.js';
import { byKey, collections, PAGES_FILE, type Page, writePages } from './pages.js';

/** Options of {@link multilocalConfirm}. */
export interface MultilocalConfirmOptions {
  /**
   * Returns the address of an article's page: a path or an address on `site` of the Astro config, or an absolute address
   * if there is no `site`. It gets the data of the entry, so another schema in `defineCollection` decides which fields
   * there are. A slug that would lead to another site or to the page above it ends the build with an error. Without
   * `site`, only the second is noticed.
   */
  url: (article: ArticleData) => string;
}

/**
 * An integration for Astro's config. After each build it notes which articles the build has loaded with
 * {@link multilocalLoader}, and the addresses of their pages, in Astro's cache folder. {@link confirmPages} reads the
 * note after the deployment. The integration sends no request.
 * @throws a {@link ConfigurationError} if an option is unknown or `url` is missing.
 * @example
 * export default defineConfig({
 *   site: 'https://www.example.com',
 *   integrations: [multilocalConfirm({ url: ({ slug }) => `/blog/${slug}/` })],
 * });
 */
export function multilocalConfirm(options: MultilocalConfirmOptions): AstroIntegration {
  checkOptions('multilocalConfirm', options);
  const { url } = options;
  let config: AstroConfig;
  return {
    name: 'multilocal',
    hooks: {
      // One process may build several sites.
      'astro:config:setup': () => collections().clear(),
      'astro:config:done': (setup) => {
        config = setup.config;
      },
      'astro:build:done': async ({ logger }) => {
        const noted = [...collections().values()].flatMap(({ account, entries }) =>
          entries.map(({ id, data, digest, rendered }): Page => {
            const article = data as ArticleData & Record<string, unknown>;
            return {
              id: Number(id),
              updated_at: String(digest),
              content: contentOf(article, rendered?.html),
              url: addressOf(url(article), config.site, id),
              account,
            };
          }),
        );
        const pages = [...byKey(noted).values()];
        await writePages(fileURLToPath(new URL(PAGES_FILE, config.cacheDir)), pages);
        logger.info(`${pages.length} pages noted for confirmPages.`);
      },
    },
  };
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
    `\`url\` of multilocalConfirm must return a path or an address on the \`site\` of the Astro config, or an address with https if there is no \`site\`. No part of the path may be \`.\` or \`..\`. Article ${id} has no such address.`,
  );
}
