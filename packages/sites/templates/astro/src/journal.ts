import { type Article, parseTimestamp } from 'multilocal';
import { excerpt } from 'multilocal/site';
import { attributeOf } from './content.ts';
import { categoryHref, site, words } from './site.ts';

export const byNewest = (one: Article, other: Article) => dateOf(other).valueOf() - dateOf(one).valueOf();

export interface Category {
  name: string;
  /** Its part of the address. */
  slug: string;
  /** The address of its page, without the host. */
  href: string;
  articles: Article[];
}

/** Every page has the menu, and a build gives all pages the same articles. */
const known = new WeakMap<readonly Article[], Category[]>();

/** Returns the categories, those with the most articles first. Names that differ only in accents or case are one. */
export function categoriesOf(articles: readonly Article[]): Category[] {
  const sorted = known.get(articles) ?? sortedCategories(articles);
  known.set(articles, sorted);
  return sorted;
}

function sortedCategories(articles: readonly Article[]): Category[] {
  const categories = new Map<string, Category>();
  for (const article of articles) {
    const slug = categorySlug(article);
    if (!slug) continue;
    const category = categories.get(slug);
    if (category) category.articles.push(article);
    else categories.set(slug, { name: '', slug, href: categoryHref(slug), articles: [article] });
  }
  for (const category of categories.values()) category.name = nameOf(category.articles);
  return [...categories.values()].sort((one, other) => other.articles.length - one.articles.length);
}

/** Returns the name of a category as most of its articles write it. Of two, the one that does not shout, then the newer one. */
function nameOf(articles: readonly Article[]): string {
  const counts = new Map<string, number>();
  for (const { category } of articles) counts.set(category ?? '', (counts.get(category ?? '') ?? 0) + 1);
  const shouts = (name: string) => Number(name === name.toUpperCase());
  const [first] = [...counts].sort(([one, of], [other, than]) => than - of || shouts(one) - shouts(other));
  return first?.[0].trim() ?? '';
}

/** Returns articles with the names of their categories as the menu has them. */
export function withNames(articles: readonly Article[]): Article[] {
  const names = new Map(sortedCategories(articles).map(({ slug, name }) => [slug, name]));
  return articles.map((article) => ({ ...article, category: names.get(categorySlug(article)) ?? null }));
}

/** Returns the part of the address of a category: `nos-pains`. Empty if there is no category. */
export const categorySlug = ({ category }: Article) => slugOf(category);

/** Returns a name as a part of an address: `nos-pains`. */
export function slugOf(name: string | null | undefined): string {
  const letters = (name ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? '';
}

/** Returns what to read after an article: of its category and its shop first, and of these, those that came before it. */
export function nextTo(article: Article, articles: readonly Article[]): Article[] {
  const index = articles.indexOf(article);
  const others = [...articles.slice(index + 1), ...articles.slice(0, index)];
  const closeness = ({ category, bulle_id }: Article) =>
    (category && category === article.category ? 2 : 0) + (bulle_id && bulle_id === article.bulle_id ? 1 : 0);
  const groups: Article[][] = [[], [], [], []];
  for (const other of others) groups[closeness(other)]?.push(other);
  return groups.reverse().flat().slice(0, 3);
}

/** Returns the date of the publication. */
export function dateOf({ published_at, created_at }: Article): Date {
  return parseTimestamp(published_at ?? created_at) ?? new Date(0);
}

/** Returns the name of the location, without the brand's: `Lyon Croix-Rousse`. */
export function placeOf({ bulle_name }: { bulle_name?: string | null | undefined }): string | undefined {
  return bulle_name?.split(/ [–—-] /).at(-1);
}

const format = new Intl.DateTimeFormat(site.language, { dateStyle: 'long', timeZone: site.timeZone });

/** Returns the date of the publication as a text: `3 mai 2026`. */
export function dateInWords(article: Article): string {
  return format.format(dateOf(article));
}

/** A text of the service, its entities decoded: `Bread &amp; salt` is `Bread & salt`. What looks like a tag is text. */
const plain = (text: string | null | undefined) => excerpt(text?.replaceAll('<', '&lt;'), { max: 1000 });

/** Returns an article as pages show it: without a title, its date is one. */
export const titled = (article: Article): Article => ({
  ...article,
  title: plain(article.title) || words.untitled(dateInWords(article)),
  category: plain(article.category) || null,
  meta_title: plain(article.meta_title) || null,
  meta_description: plain(article.meta_description) || null,
});

const LETTER = /\p{L}/gu;
const RTL_LETTER = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Returns the direction of the writing of a text, or a piece of HTML: that of most of its letters. */
export function directionOf(html: string): 'ltr' | 'rtl' {
  const letters = html.replace(/<[^>]*>|&\w+;/g, '').match(LETTER) ?? [];
  if (letters.length === 0) return site.dir;
  return letters.filter((letter) => RTL_LETTER.test(letter)).length > letters.length / 2 ? 'rtl' : 'ltr';
}

/** The `dir` of an element with this text. `undefined` if the direction is that of the site. */
export function dirOf(html: string): 'ltr' | 'rtl' | undefined {
  const direction = directionOf(html);
  return direction === site.dir ? undefined : direction;
}

/** Keeps the signs of French at their word, so that no line begins with a colon. */
export function unbroken(text: string | null | undefined): string {
  return (text ?? '').replace(/ (?=[:;!?»%€])|(?<=«) /g, '\u00a0');
}

/** Gives each table a frame that scrolls, even with the keyboard. A table within another has none. */
export function withWideTables(html: string): string {
  let depth = 0;
  return html.replace(/<(\/?)table\b[^>]*>/g, (tag, end: string, at: number) => {
    if (end) return --depth > 0 ? tag : `${tag}</div>`;
    if (++depth > 1) return tag;
    const rows = html.slice(at, html.indexOf('</table>', at));
    const cells = [...rows.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) => cell);
    const columns = cells.length / Math.max(1, rows.split('</tr>').length - 1);
    const isBroad = columns > 5 && cells.every((cell) => cell.replace(/<[^>]*>/g, '').trim().length <= SHORT);
    const frame = `<div class="wide${isBroad ? ' broad' : ''}" tabindex="0" role="group" aria-label="${words.table}">`;
    return frame + tag.replace(' tabindex="0"', '');
  });
}

/** Letters of a cell that is not parted. */
const SHORT = 16;

/** Keeps the signs of French and the units of numbers at their word in a text, but not in code. */
export const unbrokenHtml = (html: string) =>
  html.replace(/<(pre|code)\b[\s\S]*?<\/\1>|<[^>]*>|[^<]+/g, (part) =>
    part.startsWith('<')
      ? part
      : unbroken(part)
          .replace(/(\d) (?=(?:h|min|km|kg|cm|mm|ml|cl|g|m²|m|l|°C)(?![\p{L}\d]))/gu, '$1\u00a0')
          .replace(/(?<=\d\u00a0h) (?=\d\d(?!\d))/g, '\u00a0'),
  );

/** A text with more headings than this has a list of contents. */
const FEW_HEADINGS = 8;
const HEADING = /<h2((?: [^>]*)?)>([\s\S]*?)<\/h2>(\s*<[uo]l[^>]*>\s*<li[^>]*>(?:<p[^>]*>)?\s*<a href="#)?/g;

export interface Contents {
  /** The text, in which each heading has a name. */
  html: string;
  /** The headings of a long text, as HTML, each with the name of its place. */
  headings: { id: string; text: string }[];
  /** Whether the text has a list of its own. */
  isListed: boolean;
}

/** Returns the list of contents of a text that `sanitize` has written. */
export function contentsOf(html: string): Contents {
  const headings: Contents['headings'] = [];
  const named = html.replace(HEADING, (all, attributes: string, inner: string, ownList = '') => {
    const text = inner.replace(/<[^>]*>/g, '').trim();
    // The title of the text's own list is no part of it.
    if (!text || ownList) return all;
    const own = attributeOf(attributes, 'id')?.replaceAll('&amp;', '&');
    const id = own ?? `part-${headings.length + 1}`;
    headings.push({ id, text });
    return own ? all : `<h2 id="${id}"${attributes}>${inner}</h2>`;
  });
  if (headings.length <= FEW_HEADINGS) return { html, headings: [], isListed: false };
  const links = html.match(/<li[^>]*>(?:<p[^>]*>)?\s*<a href="#/g) ?? [];
  return { html: named, headings, isListed: links.length > headings.length / 2 };
}

/** A word that has no place in a line of a phone. */
const LONG_WORD = /[^\s-]{18}/;

/** The class of a title that needs smaller letters. */
export function sizeOf(title: string | null | undefined): 'long' | 'longer' | undefined {
  const { length } = [...(title ?? '')];
  if (length > 120 || LONG_WORD.test(title ?? '')) return 'longer';
  return length > 60 ? 'long' : undefined;
}
