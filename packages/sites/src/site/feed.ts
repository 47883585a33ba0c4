import type { Article } from 'multilocal';
import { descriptionOf, textOf, titleOf } from './text.js';
import { escapeHtml, forXml, isoOf, pageAddress } from './values.js';

/** Options of {@link toFeedItem}. */
export interface FeedItemOptions {
  /** Address of the article's page: absolute, `https:` or `http:`. It also identifies the item. */
  url: string | URL;
  /**
   * The whole text for feed readers: `content_html` after your sanitiser. Relative addresses in it are resolved against `url`.
   * Without it, the item has only a description.
   */
  content?: string | undefined;
}

/** An item of a feed, in the words of the packages `feed`, `rss` and `@astrojs/rss`. */
export interface FeedItem {
  /** Plain text. */
  title: string;
  /** Address of the article's page, for `feed` and `@astrojs/rss`. */
  link: string;
  /** The same address, for `rss`. */
  url: string;
  /** The same address, for JSON Feed. */
  id: string;
  /** Date of the publication, for `feed` and `rss`. */
  date: Date;
  /** The same date, for JSON Feed and Atom. */
  published: Date;
  /** The same date, for `@astrojs/rss`. */
  pubDate: Date;
  /** HTML, as RSS requires: the escaped text of the description. `''` if there is none. */
  description: string;
  /** Sanitised HTML. Absent without the option `content`. `rss` has no field for it. */
  content?: string;
  /** The category of the article, for `rss` and `@astrojs/rss`. */
  categories: string[];
  /** The same category, for `feed`. */
  category: {
    /** Name of the category. */
    name: string;
  }[];
}

/**
 * Returns an article as an item of a feed. The packages `feed` (RSS, Atom, JSON Feed), `rss` and `@astrojs/rss` take the
 * item unchanged. Pass only published articles.
 *
 * Characters that XML forbids are removed, so that one article cannot make the whole feed unreadable. The date is
 * `published_at`, else `created_at`.
 * @throws a `ConfigurationError` if `url` is not an absolute http or https address.
 * @example
 * const feed = new Feed({ title: 'Journal', id: site, link: site, copyright: '' });
 * for (const article of articles) feed.addItem(toFeedItem(article, { url: `${site}/blog/${article.slug}` }));
 */
export function toFeedItem(article: Article, options: FeedItemOptions): FeedItem {
  const url = pageAddress('toFeedItem', options.url);
  // 1970 only for an article without a readable date: every feed needs one.
  const date = new Date(isoOf(article.published_at) ?? isoOf(article.created_at) ?? 0);
  const categories = [textOf(article.category) ?? []].flat();
  const content = options.content && forXml(absolute(options.content, url)).replaceAll(']]>', ']]&gt;');
  return {
    title: unclosed(titleOf(article)),
    link: url,
    url,
    id: url,
    date,
    published: date,
    pubDate: date,
    description: escapeHtml(descriptionOf(article) ?? ''),
    ...(content && { content }),
    categories,
    category: categories.map((name) => ({ name: unclosed(name.replaceAll('<', '‹')) })),
  };
}

/** `feed` writes titles as CDATA, which `]]>` would end, and does not escape `<` in categories. */
const unclosed = (text: string) => text.replaceAll(']]>', ']] >');

/** A tag of sanitised HTML, whose attributes may contain `<` and `>`. */
const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
/** One attribute after the other, so that nothing within the value of another one is taken for an address. */
const ATTRIBUTE = /(\s[^\s"'<>/=]+\s*=\s*)("[^"]*"|'[^']*')/g;

/** Resolves the relative addresses of a text: a feed reader shows it elsewhere. */
function absolute(html: string, base: string): string {
  const resolve = (address: string) =>
    address.trim() && URL.canParse(address, base) ? new URL(address, base).href : address;
  return html.replace(TAG, (tag) =>
    tag.replace(ATTRIBUTE, (all, name: string, quoted: string) => {
      const [kind, isSet] = /^\s(?:src(set)?|href|poster)\s*=/i.exec(name) ?? [];
      if (!kind) return all;
      const value = quoted.slice(1, -1);
      // Each candidate of a `srcset` has an address of its own.
      const whole = isSet
        ? value.replace(/(^|,\s+)([^\s,]+)/g, (_all: string, gap: string, one: string) => gap + resolve(one))
        : resolve(value);
      return `${name}"${whole.replaceAll('"', '&#34;')}"`;
    }),
  );
}
