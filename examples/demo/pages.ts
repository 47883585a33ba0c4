import { type Article, parseTimestamp } from 'multilocal';
import { articleMeta } from 'multilocal/site';
import sanitizeHtml from 'sanitize-html';

/** The data of the site that every page shows. */
export interface SiteInfo {
  readonly name: string;
  /** Address of the site. Ends with a slash. */
  readonly url: string;
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

export function articlePage(article: Article, name: string, site: SiteInfo): string {
  const { title, excerpt, category } = article;
  const content = article.content_html ?? '';
  const head = articleMeta(article, { url: pageUrl(site, name), publisher: site }).html;
  return page(
    new Html(head),
    '../',
    site,
    html`<main class="article">
<nav aria-label="Fil d’Ariane"><a href="../index.html">${site.name}</a> › <a href="../index.html#${anchor(category)}">${category || OTHERS}</a></nav>
<article>
<header>
<h1>${title}</h1>
<p class="meta">${byline(article, site)}</p>
${excerpt && !content.includes(excerpt) ? html`<p class="lead">${excerpt}</p>` : ''}
</header>
${sanitise(content)}
</article>
<p class="back"><a href="../index.html">← Tous les articles</a></p>
</main>`,
  );
}

/** The home page: the articles by category, the largest category first and those without one last. */
export function indexPage(articles: readonly Article[], names: ReadonlyMap<number, string>, site: SiteInfo): string {
  const groups = new Map<string, Article[]>();
  for (const article of articles) {
    const category = article.category || OTHERS;
    groups.set(category, [...(groups.get(category) ?? []), article]);
  }
  const sections = [...groups].sort(([a, one], [b, other]) => {
    return Number(a === OTHERS) - Number(b === OTHERS) || other.length - one.length || a.localeCompare(b, 'fr');
  });
  const count = `${articles.length} article${articles.length === 1 ? '' : 's'}`;
  const card = (article: Article) => html`<li><article>
<h3><a href="articles/${names.get(article.id) ?? ''}.html">${article.title}</a></h3>
<p>${article.excerpt ?? ''}</p>
<p class="meta">${byline(article, site)}</p>
</article></li>`;

  const head = html`<title>${site.name}</title>
<meta name="description" content="${count} de ${site.name}">
<link rel="canonical" href="${site.url}">`;
  return page(
    head,
    '',
    site,
    html`<header class="masthead">
<h1>${site.name}</h1>
<p>${count}</p>
<nav aria-label="Catégories"><ul>
${sections.map(([category, items]) => html`<li><a href="#${anchor(category)}">${category} <span>${items.length}</span></a></li>`)}
</ul></nav>
</header>
<main class="index">
${sections.map(
  ([category, items]) => html`<section id="${anchor(category)}" aria-labelledby="${anchor(category)}-titre">
<h2 id="${anchor(category)}-titre">${category}</h2>
<ul>
${items.map(card)}
</ul>
</section>`,
)}
</main>`,
  );
}

/** `root` is the way from the page to the folder of the home page. */
const page = (head: Html, root: string, site: SiteInfo, body: Html): string =>
  html`<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}
<link rel="stylesheet" href="${root}style.css">
</head>
<body>
${body}
<footer><p>${site.name}</p></footer>
</body>
</html>
`.text;

const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' });

/** When and where: `14 novembre 2026 · Lyon Croix-Rousse`. Names of locations often begin with the brand's. */
function byline({ published_at, bulle_name }: Article, site: SiteInfo): Html {
  const date = parseTimestamp(published_at);
  const time = date ? html`<time datetime="${date.toISOString()}">${day.format(date)}</time>` : html``;
  const place = bulle_name?.replace(site.name, '').replace(/^[\s–—-]+/, '');
  return place ? html`${time}${date ? ' · ' : ''}${place}` : time;
}

const anchor = (category: string | null | undefined): string =>
  (category || OTHERS).trim().toLowerCase().replace(/\s+/g, '-');

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

/** A figure that has lost its picture. */
const EMPTY_FIGURE = /<figure>\s*(?:<figcaption>[\s\S]*?<\/figcaption>\s*)?<\/figure>/g;

/**
 * Removes everything from the text of an article that it does not need: scripts, styles, forms, frames, event handlers.
 */
export function sanitise(content: string): Html {
  const text = sanitizeHtml(content, {
    // biome-ignore format: a list to be read
    allowedTags: [
      'p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br', 'a', 'strong', 'em', 'b', 'i', 'sup', 'sub',
      'figure', 'figcaption', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td',
    ],
    allowedAttributes: {
      a: ['href', 'title', 'rel'],
      img: ['src', 'alt', 'width', 'height', 'loading'],
      th: ['colspan', 'rowspan', 'scope'],
      td: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['https', 'mailto', 'tel'],
    transformTags: {
      // The page has its own title.
      h1: 'h2',
      a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }),
      img: sanitizeHtml.simpleTransform('img', { loading: 'lazy' }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  });
  return new Html(text.replace(EMPTY_FIGURE, ''));
}
