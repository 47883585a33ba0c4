import type { Article } from 'multilocal';
import type { Publisher } from './json-ld.js';
import { descriptionOf, textOf, titleOf } from './text.js';
import { escapeHtml, isoOf, pageAddress, stringOf, webAddress } from './values.js';

/** Options of {@link articleMeta}. */
export interface ArticleMetaOptions {
  /** Address of the article's page: absolute, `https:` or `http:`. */
  url: string | URL;
  /** The business that publishes the page. Its name becomes `og:site_name`. */
  publisher?: Publisher | undefined;
}

/** What the `<head>` of an article's page says. Next.js takes the object as its `Metadata`. */
export interface ArticleMeta {
  /** For `<title>`: `meta_title`, else `title`. */
  title: string;
  /** `meta_description`, else `excerpt`, else the first words of the article. */
  description?: string;
  /** Further addresses of the page. */
  alternates: {
    /** Address under which search engines list the page. */
    canonical: string;
  };
  /** What networks show when a person shares the page. Names as in `Metadata` of Next.js. */
  openGraph: {
    /** Open Graph knows other types too. */
    type: 'article';
    /** The canonical address of the page. */
    url: string;
    /** Title of the article. */
    title: string;
    /** Description of the article. */
    description?: string;
    /** Name of the publisher. */
    siteName?: string;
    /** Absolute addresses. */
    images?: string[];
    /** ISO 8601, UTC. */
    publishedTime?: string;
    /** ISO 8601, UTC. */
    modifiedTime?: string;
    /** Category of the article. */
    section?: string;
  };
  /** The same as escaped HTML, for every other framework: insert it unchanged into `<head>`. */
  html: string;
}

/**
 * Returns title, description, canonical address and Open Graph data of an article's page. Empty fields are left out.
 *
 * In Next.js, return the object from `generateMetadata`. Elsewhere, insert `html` into the `<head>`: `set:html` in
 * Astro, `{@html}` in Svelte, a template literal in plain HTML. All values in `html` are escaped; those in the other
 * fields are plain text.
 * @throws a `ConfigurationError` if `url` is not an absolute http or https address.
 * @example
 * const { html } = articleMeta(article, { url: 'https://www.example.com/blog/levain' });
 * const page = `<!doctype html><html lang="fr"><head>${html}</head>…`;
 */
export function articleMeta(article: Article, { url, publisher }: ArticleMetaOptions): ArticleMeta {
  const canonical = pageAddress('articleMeta', url);
  const description = descriptionOf(article);
  const image = webAddress(stringOf(article.featured_image_url).trim(), canonical);
  const headline = titleOf(article);
  const title = textOf(article.meta_title) ?? headline;
  const siteName = textOf(publisher?.name);
  const publishedTime = isoOf(article.published_at);
  const modifiedTime = isoOf(article.updated_at);
  const section = textOf(article.category);
  const openGraph: ArticleMeta['openGraph'] = {
    type: 'article',
    url: canonical,
    title: headline,
    ...(description && { description }),
    ...(siteName && { siteName }),
    ...(image && { images: [image] }),
    ...(publishedTime && { publishedTime }),
    ...(modifiedTime && { modifiedTime }),
    ...(section && { section }),
  };
  return {
    title,
    ...(description && { description }),
    alternates: { canonical },
    openGraph,
    html: htmlOf(title, openGraph),
  };
}

/** The tags of Open Graph in their order, by the fields of {@link ArticleMeta}. */
const PROPERTIES = {
  type: 'og:type',
  url: 'og:url',
  title: 'og:title',
  description: 'og:description',
  siteName: 'og:site_name',
  images: 'og:image',
  publishedTime: 'article:published_time',
  modifiedTime: 'article:modified_time',
  section: 'article:section',
};

function htmlOf(title: string, openGraph: ArticleMeta['openGraph']): string {
  const { url, description } = openGraph;
  const meta = (name: string, content: unknown) =>
    content ? [`<meta ${name} content="${escapeHtml(`${content}`)}">`] : [];
  return [
    `<title>${escapeHtml(title)}</title>`,
    ...meta('name="description"', description),
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    ...Object.entries(PROPERTIES).flatMap(([name, property]) =>
      meta(`property="${property}"`, openGraph[name as keyof typeof PROPERTIES]),
    ),
  ].join('\n');
}
