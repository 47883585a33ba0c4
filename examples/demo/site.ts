// The chapters about articles: a synced folder becomes a static site in the look of the template of `init astro`.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Article, Identity } from 'multilocal';
import { directoryStore } from 'multilocal/node';
import { articleMeta } from 'multilocal/site';
import { dateInWords } from '../../packages/sites/templates/astro/src/journal.js';
import { sanitize } from '../../packages/sites/templates/astro/src/sanitize.js';
import { count, counted, type Demo, effectsOf, type Site, say, skip } from './shared.js';

const TEMPLATE = fileURLToPath(new URL('../../packages/sites/templates/astro', import.meta.url));
const FONTS = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/newsreader/package.json'));

/** One folder for each service and brand, because a cursor is only valid for one of them. That of the mock is emptied. */
export async function siteIn(
  out: string,
  owner: string | undefined,
  url: string | undefined,
  { sphere }: Identity,
): Promise<Site> {
  const folder = join(out, (owner ?? 'mock').replace(/[^\w.-]/g, '-'));
  if (!owner) await rm(folder, { recursive: true, force: true });
  const [content, pages] = [join(folder, 'content'), join(folder, 'public')];
  const store = directoryStore(join(content, 'articles'));
  const index = pathToFileURL(join(pages, 'index.html')).href;
  return { name: sphere.name ?? sphere.id, url, content, pages, index, store };
}

/** The stored articles, newest publication first. */
async function articlesOf({ content, store }: Site): Promise<Article[]> {
  const articles: Article[] = [];
  for await (const id of store.ids())
    articles.push(JSON.parse(await readFile(join(content, 'articles', `${id}.json`), 'utf8')));
  return articles.sort((a, b) => (b.published_at ?? '').localeCompare(a.published_at ?? '') || b.id - a.id);
}

export async function synchronise({ client, site, signal }: Demo): Promise<void> {
  // Reads only changes since the last run. With `reconcile: true`, for example once a day, it also finds deletions.
  const { upserted, unpublished, deleted, requests } = await client.articles.syncTo(site.store, {
    signal,
    onProgress: ({ upserted, total }) => count('articles', upserted, total ?? 0),
  });
  say(`${upserted} stored, ${unpublished + deleted} removed, ${counted(requests, 'request')}`);
}

export async function build({ site }: Demo): Promise<void> {
  say(`${counted((await buildSite(site)).written, 'page')} and the index`);
}

export async function confirm(demo: Demo): Promise<void> {
  if (!demo.mock && !demo.site.url)
    return skip('a confirmation tells the real service that a page is online; --site-url sends them');
  say(`${counted(await confirmPages(demo), 'page')} confirmed`);
}

export async function change(demo: Demo): Promise<void> {
  const { client, mock, site, signal } = demo;
  if (!mock) return skip('only the mock can be changed from outside; the next run brings what changed by then');
  const [edited = 0, withdrawn = 0, deleted = 0] = (await articlesOf(site)).map(({ id }) => id);
  // One editor pastes a script and characters that are special in HTML.
  const content_html = `<p onclick="track()">Relu.</p><script>track()</script>${mock.articles.get(edited).content_html}`;
  mock.articles.touch(edited, { title: 'Relu <& corrigé>', meta_title: null, content_html });
  mock.articles.unpublish(withdrawn);
  mock.articles.remove(deleted);
  const result = await client.articles.syncTo(site.store, { reconcile: true, signal });
  say(`The second sync: ${result.upserted} changed, ${result.unpublished} offline, ${result.deleted} deleted`);
  const { removed } = await buildSite(site);
  say(`The site follows: ${counted(removed, 'page')} removed, ${await confirmPages(demo)} confirmed again`);
}

export async function rehearse({ client, identity, signal }: Demo): Promise<void> {
  if (!identity.permissions.includes('publish')) return skip('the key may not publish');
  const { articles } = await client.articles.list({ status: 'draft' }, { signal });
  const draft = articles.find(({ content_html }) => content_html);
  if (!draft) return skip('there is no draft');
  // `client.dryRun` cannot publish by mistake: it refuses operations without a preview before it sends them.
  const preview = await client.dryRun.articles.publish(draft.id, {}, { signal });
  say(`Publishing “${draft.title}” would do this:`, effectsOf(preview));
}

/** Tells the service where each page is. A confirmation costs a request, so only new versions are confirmed. */
async function confirmPages({ client, site, signal }: Demo): Promise<number> {
  const file = join(site.content, 'confirmed.json');
  const done: Record<number, string> = await readFile(file, 'utf8').then(JSON.parse, () => ({}));
  const open = (await articlesOf(site)).filter(({ id, updated_at }) => done[id] !== updated_at);
  try {
    for (const [index, article] of open.entries()) {
      const { id, updated_at } = article;
      await client.articles.confirm(id, { rendered_url: pageUrl(site, article) }, { signal });
      done[id] = updated_at;
      count('pages confirmed', index + 1, open.length);
    }
  } finally {
    // Even after a failure, so that confirmed articles stay confirmed.
    await writeFile(file, JSON.stringify(done, null, 2));
  }
  return open.length;
}

const pageUrl = ({ url }: Site, article: Article) =>
  new URL(`articles/${nameOf(article)}.html`, url ?? 'https://www.example.com/blog/').href;

/** The file of a page: the slug, unless it is missing or not fit to be the name of a file. */
const nameOf = ({ id, slug }: Article) => (slug && /^[a-z0-9][\w-]*$/i.test(slug) ? slug : `article-${id}`);

/** Writes a page for each stored article and the index, and removes the pages of articles that are gone. */
async function buildSite(site: Site): Promise<{ written: number; removed: number }> {
  const articles = await articlesOf(site);
  const folder = join(site.pages, 'articles');
  await mkdir(folder, { recursive: true });
  const wanted = new Map(articles.map((article) => [`${nameOf(article)}.html`, article]));
  for (const [name, article] of wanted) await writeFile(join(folder, name), articlePage(article, site));
  const gone = (await readdir(folder)).filter((name) => !wanted.has(name));
  for (const name of gone) await rm(join(folder, name));

  const cards = [...wanted].map(
    ([name, article]) => `<article class="card"><div class="card-text">
<h2><a href="articles/${name}">${escaped(article.title ?? '')}</a></h2>
<p class="card-excerpt">${escaped(article.excerpt ?? '')}</p>${byline(article)}
</div></article>`,
  );
  const list = `<div class="opening"><h1>${escaped(site.name)}</h1></div>\n<div class="cards">\n${cards.join('\n')}\n</div>`;
  await writeFile(join(site.pages, 'index.html'), page(`<title>${escaped(site.name)}</title>`, '', list));
  await cp(join(TEMPLATE, 'src', 'styles', 'site.css'), join(site.pages, 'site.css'));
  await cp(FONTS, join(site.pages, 'fonts'), {
    recursive: true,
    filter: (path) => !/\.\w+$/.test(path) || /(opsz|wght-italic)\.css$|(opsz-normal|wght-italic)\.woff2$/.test(path),
  });
  return { written: articles.length, removed: gone.length };
}

function articlePage(article: Article, site: Site): string {
  const { title, content_html } = article;
  const url = pageUrl(site, article);
  return page(
    articleMeta(article, { url, publisher: { name: site.name, url } }).html,
    '../',
    `<article class="reading">
<header><h1>${escaped(title ?? '')}</h1>${byline(article)}</header>
<div class="prose">${sanitize(content_html ?? '')}</div>
<p><a href="../index.html">${escaped(site.name)}</a></p>
</article>`,
  );
}

/** The style puts a dot before each element of the line and clips the first, by the `dir` of the page. */
const byline = (article: Article): string => `<p class="byline"><time>${dateInWords(article)}</time></p>`;

/** `root` is the way from the page to the folder of the home page. */
const page = (head: string, root: string, main: string): string => `<!doctype html>
<html lang="fr" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<link rel="stylesheet" href="${root}fonts/opsz.css">
<link rel="stylesheet" href="${root}fonts/wght-italic.css">
<link rel="stylesheet" href="${root}site.css">
</head>
<body>
<main id="main">
${main}
</main>
</body>
</html>
`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
