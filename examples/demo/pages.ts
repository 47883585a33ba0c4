import type { Article } from 'multilocal';
import { articleMeta, readingTime } from 'multilocal/site';
import {
  categoriesOf,
  categorySlug,
  dateInWords,
  dateOf,
  nextTo,
  placeOf,
  unbroken,
} from '../../packages/sites/templates/astro/src/journal.js';
import { sanitize } from '../../packages/sites/templates/astro/src/sanitize.js';
import { site as template, words } from '../../packages/sites/templates/astro/src/site.js';

/** The data of the site that every page shows. */
export interface SiteInfo {
  readonly name: string;
  /** Address of the site. Ends with a slash. */
  readonly url: string;
}

/** An article and the others, which its page names. */
export interface Journal {
  readonly info: SiteInfo;
  readonly articles: readonly Article[];
  readonly names: ReadonlyMap<number, string>;
}

const OTHERS = 'Autres articles';

/**
 * The file name of each article's page: its slug, which never changes after the publication, or its id if the slug is
 * missing, not usable as a file name, or already used by another article.
 */
export function pageNames(articles: readonly Article[]): Map<number, string> {
  const names = new Map<number, string>();
  const taken = new Set<string>();
  for (const { id, slug } of [...articles].sort((a, b) => a.id - b.id)) {
    const name = slug && /^[a-z0-9][\w-]*$/i.test(slug) && !taken.has(slug.toLowerCase()) ? slug : `article-${id}`;
    taken.add(name.toLowerCase());
    names.set(id, name);
  }
  return names;
}

/** The address of an article's page on the site. */
export const pageUrl = (site: SiteInfo, name: string): string => `${site.url}articles/${name}.html`;

/** The page of an article, in the design of the template. */
export function articlePage(article: Article, journal: Journal): string {
  const { info, articles, names } = journal;
  const { title, excerpt } = article;
  const head = articleMeta(article, { url: pageUrl(info, names.get(article.id) ?? ''), publisher: info }).html;
  const content = sanitize(article.content_html ?? '').replaceAll('src="pictures/', 'src="../pictures/');
  const minutes = readingTime(content);
  return page(
    new Html(head),
    '../',
    journal,
    html`<article class="reading">
<header>
${kicker(article, '../')}
<h1>${unbroken(title ?? '')}</h1>
${excerpt && !content.includes(excerpt) ? html`<p class="deck">${unbroken(excerpt)}</p>` : ''}
${byline(article, minutes > 1 ? words.readingTime(minutes) : undefined)}
</header>
${article.featured_image_url ? cover(article, '../') : ''}
<div class="prose">${new Html(content)}</div>
</article>
<aside class="next" aria-labelledby="next">
<h2 id="next">${words.next}</h2>
<div class="cards">${nextTo(article, articles).map((one) => card(one, journal, '../'))}</div>
</aside>`,
  );
}

/** The home page: the articles by category, the largest category first and those without one last. */
export function indexPage(journal: Journal): string {
  const { info, articles } = journal;
  const count = `${articles.length} article${articles.length === 1 ? '' : 's'}`;
  const others = articles.filter((article) => !categorySlug(article));
  const sections = [
    ...categoriesOf(articles),
    ...(others.length > 0 ? [{ name: OTHERS, slug: 'autres', articles: others }] : []),
  ];
  const head = html`<title>${info.name}</title>
<meta name="description" content="${count} de ${info.name}">
<link rel="canonical" href="${info.url}">`;
  return page(
    head,
    '',
    journal,
    html`<div class="opening">
<h1>${template.name}</h1>
<p>${template.description}</p>
</div>
${sections.map(
  ({ name, slug, articles }) => html`<section class="category" id="${slug}" aria-labelledby="${slug}-titre">
<h2 class="list-title" id="${slug}-titre">${name}<small>${articles.length}</small></h2>
<div class="cards">${articles.map((article, index) => card(article, journal, '', index === 0 ? 'lead' : ''))}</div>
</section>`,
)}`,
  );
}

/** `root` is the way from the page to the folder of the home page. */
const page = (head: Html, root: string, { info, articles }: Journal, main: Html): string => {
  const menu = categoriesOf(articles).map(({ name, slug }) => html`<a href="${root}index.html#${slug}">${name}</a>`);
  return html`<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<link rel="icon" href="${root}favicon.svg">
<link rel="stylesheet" href="${root}fonts/opsz.css">
<link rel="stylesheet" href="${root}fonts/wght-italic.css">
<link rel="stylesheet" href="${root}site.css">
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
<header class="masthead">
<a class="masthead-name" href="${root}index.html"><img src="${root}favicon.svg" alt="" width="32" height="32">${info.name}</a>
<nav class="menu" aria-label="${words.menu}">${menu}</nav>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="colophon">
<div><p class="colophon-name">${info.name}</p><p>${template.description}</p></div>
<div><h2>${words.menu}</h2><ul>${menu.map((link) => html`<li>${link}</li>`)}</ul></div>
</footer>
</body>
</html>
`.text;
};

function card(article: Article, { names }: Journal, root: string, size = ''): Html {
  return html`<article class="card ${size}">
${cover(article, root)}
<div class="card-text">
${kicker(article, root)}
<h2><a href="${root}articles/${names.get(article.id) ?? ''}.html">${unbroken(article.title ?? '')}</a></h2>
<p class="card-excerpt">${unbroken(article.excerpt ?? '')}</p>
${byline(article)}
</div>
</article>`;
}

/** The picture over the initial of the title. */
function cover(article: Article, root: string): Html {
  const { title, featured_image_url: picture } = article;
  const src = picture?.startsWith('pictures/') ? root + picture : picture;
  return html`<div class="cover cover-${categorySlug(article).length % 5}">
<svg viewBox="0 0 400 300" preserveAspectRatio="xMinYMax slice" aria-hidden="true"><text x="26" y="248">${/[\p{L}\p{N}]/u.exec(title ?? '')?.[0].toUpperCase() ?? ''}</text></svg>
${src ? html`<img src="${src}" alt="" loading="lazy">` : ''}
</div>`;
}

function kicker(article: Article, root: string): Html | '' {
  const slug = categorySlug(article);
  return slug && html`<p class="kicker"><a href="${root}index.html#${slug}">${article.category ?? ''}</a></p>`;
}

/** When and where: `14 novembre 2026 · Lyon Croix-Rousse`. */
function byline(article: Article, time?: string): Html {
  const others = [placeOf(article), time].filter((text) => text !== undefined);
  return html`<p class="byline"><time datetime="${dateOf(article).toISOString()}">${dateInWords(article)}</time>${others.map((text) => html`<span>${text}</span>`)}</p>`;
}

/** HTML that goes into a page unchanged. */
class Html {
  constructor(readonly text: string) {}
}

/** HTML from a template. Inserted values are escaped, unless they are HTML. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  const texts = values.map((value) => {
    if (value instanceof Html) return value.text;
    return typeof value === 'object' ? value.map(({ text }) => text).join('\n') : escapeHtml(String(value));
  });
  return new Html(String.raw({ raw: parts }, ...texts));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
