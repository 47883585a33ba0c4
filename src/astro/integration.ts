import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration } from 'astro';
import { ConfigurationError } from '../core/errors/index.js';
import { webAddress } from '../site/values.js';
import type { ArticleData } from './article.js';
import { checkOptions } from './options.js';
import { byKey, collections, PAGES_FILE, type Page, writePages } from './pages.js';

/** Options of {@link multilocalConfirm}. */
export interface MultilocalConfirmOptions {
  /**
   * Returns the address of an article's page: absolute, or a path on `site` of the Astro config. It gets the data of the
   * entry, so another schema in `defineCollection` decides which fields there are.
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

function addressOf(address: string, site: string | undefined, id: string): string {
  const absolute = webAddress(address, site);
  // A path such as `//host`, which a slug may lead to, is a page of another site.
  const isPath = site !== undefined && !/^https?:/i.test(address);
  const isElsewhere = isPath && absolute !== undefined && new URL(absolute).origin !== new URL(site).origin;
  if (absolute !== undefined && !isElsewhere) return absolute;
  throw new ConfigurationError(
    `\`url\` of multilocalConfirm must return an address with https, or a path if the Astro config has a \`site\`. Article ${id} has none.`,
  );
}
