import { z } from 'astro/zod';
import type { Article } from 'multilocal';
import { ConfigurationError } from 'multilocal/internal/errors';
import type { Promisable } from 'type-fest';
import { isoOf } from '../site/values.js';

/** The data of an entry. Fields that the service left out are `null`. Fields newer than this version are kept. */
export interface ArticleData {
  /** Id of the article. The id of the entry is the same number as a string. */
  id: number;
  /** Plain text. */
  title: string;
  /** Short summary. */
  excerpt: string | null;
  /** HTML, as `sanitize` returned it. Empty if the article has no text. */
  content_html: string;
  /** Address of the main image. */
  featured_image_url: string | null;
  /** Text for the `<title>` of the page. */
  meta_title: string | null;
  /** Text for the `<meta name="description">` of the page. */
  meta_description: string | null;
  /** Search term that the article is written for. */
  target_keyword: string | null;
  /** Free label that the account chooses. */
  category: string | null;
  /** `'published'`: an article that goes offline leaves the collection. With `drafts`, `'draft'` too. */
  status: string;
  /** ISO 8601. */
  published_at: string | null;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
  /** Of the service, else of the option `slug`, else the id. No two of a collection are equal: the second `a` is `a-42`. */
  slug: string;
  /** The location of the article. `null` if the article belongs only to the brand. */
  bulle_id: string | null;
  /** Name of the location. */
  bulle_name: string | null;
}

const textOrNull = z.string().nullable();

/** Made with Astro's own zod, which is version 3 in Astro 5. So it uses only what both versions have. */
export const articleDataSchema: z.ZodType<ArticleData> = z
  .object({
    id: z.number(),
    title: z.string(),
    excerpt: textOrNull,
    content_html: z.string(),
    featured_image_url: textOrNull,
    meta_title: textOrNull,
    meta_description: textOrNull,
    target_keyword: textOrNull,
    category: textOrNull,
    status: z.string(),
    published_at: textOrNull,
    created_at: z.string(),
    updated_at: z.string(),
    slug: z.string(),
    bulle_id: textOrNull,
    bulle_name: textOrNull,
  })
  .passthrough();

const EMPTY = {
  excerpt: null,
  featured_image_url: null,
  meta_title: null,
  meta_description: null,
  target_keyword: null,
  category: null,
  published_at: null,
  bulle_id: null,
  bulle_name: null,
};

/** How the HTML of the service becomes safe: a sanitiser, or the decision to do without. */
export type HtmlOptions =
  | {
      /**
       * Returns safe HTML for the HTML of an article, such as `sanitizeHtml` of `sanitize-html`, which removes pictures
       * unless `img` is in its `allowedTags`. May be async. Astro puts the result into the page unchanged.
       *
       * A change of the sanitiser reaches the articles that are already in a collection only if the text of this function or
       * `content.config.ts` changes. After another change, such as an update of `sanitize-html` that fixes a hole, run
       * `astro build --force`.
       */
      sanitize: (html: string) => Promisable<string>;
      /** Not with `sanitize`. */
      unsafeHtml?: undefined;
    }
  | {
      /** Not with `unsafeHtml`. */
      sanitize?: undefined;
      /** Puts the HTML of the service into the pages unchanged. Everybody who can edit an article can then run scripts in them. */
      unsafeHtml: true;
    };

/** How an article becomes the data of an entry. */
export type ArticleOptions = HtmlOptions & {
  /** Returns the slug of an article for which the service has none. Default: its id. */
  slug?: ((article: Article) => string) | undefined;
};

/** Makes the data of entries. */
export interface ArticleReader {
  /** Never empty. */
  slugOf(article: Article): string;
  /** @throws what `sanitize` throws. */
  read(article: Article): Promise<ArticleData>;
}

/** The first publication first. Of two at the same moment, the older article. */
function byPublication(one: Published, other: Published): number {
  const [first, second] = [one, other].map(({ published_at }) => isoOf(published_at) ?? '9');
  return `${first}`.localeCompare(`${second}`) || one.id - other.id;
}

type Published = { id: number; published_at?: unknown };

/** The slugs of a collection by article: what was sent, and the slug of its page. */
export type Slugs = Record<string, readonly [sent: string, own: string]>;

const keyOf = (slug: string) => slug.normalize().toLowerCase(); // some hosts ignore the case

/**
 * Gives every article a slug of its own, because two pages cannot have one address. A page that is known keeps its slug,
 * and no other article ever gets it. Else the first publication decides. The last id is that of the page at what was sent.
 */
export function distinctSlugs(articles: readonly (Published & { slug: string })[], known: Slugs = {}) {
  const owners = new Map(Object.entries(known).map(([id, [, own]]) => [keyOf(own), Number(id)]));
  // All first choices come before all second ones: `a-12` is another article's own slug, perhaps.
  const fresh = articles.filter(({ id }) => !known[id]).sort(byPublication);
  for (const { id, slug } of fresh) if (!owners.has(keyOf(slug))) owners.set(keyOf(slug), id);
  return articles.map(({ id, slug }) => {
    let [sent, own] = known[id] ?? [slug, slug];
    while ((owners.get(keyOf(own)) ?? id) !== id) own += `-${id}`;
    return [id, sent, own, owners.get(keyOf(sent))] as const;
  });
}

/** @throws {ConfigurationError} if there is no sanitiser. */
export function articleReader(options: ArticleOptions): ArticleReader {
  const { sanitize, unsafeHtml, slug } = Object(options) as ArticleOptions;
  if (typeof sanitize !== 'function' && (unsafeHtml as unknown) !== true) {
    throw new ConfigurationError(
      'The HTML of articles needs a sanitiser. Pass `sanitize: (html) => …`, for example with the package sanitize-html. ' +
        'To put the HTML into the pages unchanged, pass `unsafeHtml: true`.',
    );
  }
  const slugOf = (article: Article) => article.slug || slug?.(article) || String(article.id);
  const read = async (article: Article) => {
    const html = article.content_html ?? '';
    const content_html = sanitize ? await sanitize(html) : html;
    if (typeof content_html !== 'string') {
      throw new ConfigurationError(`\`sanitize\` returned no string for article ${article.id}.`);
    }
    return { ...EMPTY, ...article, title: article.title ?? '', content_html, slug: slugOf(article) };
  };
  return { slugOf, read };
}
