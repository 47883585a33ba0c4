import type { Article } from 'multilocal';
import { articleJsonLd, articleMeta, excerpt, readingTime } from 'multilocal/site';
import type { Metadata } from 'next';
import { notFound, permanentRedirect } from 'next/navigation';
import { Byline, Card, Kicker } from '@/components/card';
import { Contents } from '@/components/contents';
import { Cover } from '@/components/cover';
import { Page } from '@/components/page';
import { findArticle, listArticles, listPlaces } from '@/lib/articles';
import { withoutEmbeds } from '@/lib/content';
import { categorySlug, contentsOf, dirOf, nextTo, sizeOf, unbroken, unbrokenHtml, withWideTables } from '@/lib/journal';
import { breadcrumbJsonLd } from '@/lib/jsonld';
import { pictureOf, reportPictures } from '@/lib/pictures';
import { addressOf, isOf } from '@/lib/places';
import { categoryHref, idOf, languageOf, pageName, pathOf, publisher, site, urlOf, words } from '@/lib/site';
import { socialOf } from '@/lib/social';
import { readArticles } from '@/lib/store';

interface Props {
  params: Promise<{ page: string }>;
}

/** The page is static and comes at once, so it needs no placeholder. */
export const instant = false;

/** Next.js requires at least one page, even for an account without articles. */
export async function generateStaticParams(): Promise<{ page: string }[]> {
  reportPictures(await readArticles());
  const pages = (await listArticles()).map((article) => ({ page: pageName(article) }));
  return pages.length > 0 ? pages : [{ page: 'none' }];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const article = await articleOf(params);
  const { html: _, openGraph, ...meta } = articleMeta(described(article), { url: urlOf(pathOf(article)), publisher });
  return {
    ...meta,
    openGraph: { ...openGraph, locale: site.locale, images: socialOf(article) },
    twitter: { card: 'summary_large_image' },
  };
}

export default async function ArticlePage({ params }: Props) {
  const article = await articleOf(params);
  // An address of this article from before: its slug has changed.
  if (pageName(article) !== decodeURIComponent((await params).page)) permanentRedirect(pathOf(article));
  const { title, content_html } = article;
  const picture = pictureOf(article.featured_image_url, '(min-width: 60rem) 58rem, (min-width: 40rem) 38rem, 92vw');
  const articles = await listArticles();
  const listed = articles.find(({ id }) => id === article.id);
  const next = listed ? nextTo(listed, articles) : articles.slice(0, 3);
  const contents = contentsOf(content_html ?? '');
  const html = contents.html;
  const lang = languageOf(article);
  const deck = excerpt(article.excerpt, { max: 1000 });
  // Some texts begin with their summary.
  const isRepeated = excerpt(html, { max: deck.length + 60 }).startsWith(deck);
  const url = urlOf(pathOf(article));
  const place = (await listPlaces()).find((one) => isOf(one, article));
  return (
    <Page>
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{
          __html: articleJsonLd(described(article), { url, publisher, language: lang ?? site.language }),
        }}
      />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: breadcrumbJsonLd(stepsTo(article, url)) }}
      />
      {html.includes(' data-embed=') && <script async src="/embed.js" />}
      <article className="reading">
        <header dir={dirOf(`${title} ${deck}`)}>
          <Kicker article={article} />
          <h1 className={sizeOf(title)} lang={lang}>
            {unbroken(title ?? '')}
          </h1>
          {!isRepeated && (
            <p className="deck" lang={lang}>
              {unbroken(deck)}
            </p>
          )}
          <Byline article={article} minutes={readingTime(html)} />
        </header>
        {picture && <Cover picture={picture} first />}
        {contents.headings.length > 0 && <Contents {...contents} />}
        <div
          className="prose"
          lang={lang}
          dir={dirOf(html)}
          dangerouslySetInnerHTML={{ __html: withWideTables(unbrokenHtml(html)) }}
        />
        {place && (
          <p className="article-place">
            <a href={place.href}>{place.name}</a> · {addressOf(place)}
          </p>
        )}
      </article>
      {next.length > 0 && (
        <aside className="next" aria-labelledby="next">
          <h2 id="next">{words.next}</h2>
          <div className="cards trio">
            {next.map((one) => (
              <Card key={one.id} article={one} />
            ))}
          </div>
        </aside>
      )}
    </Page>
  );
}

/** The description is of sentences, not of the links of frames. */
const described = (article: Article) => ({ ...article, content_html: withoutEmbeds(article.content_html ?? '') });

/** The way from the home page to an article. */
function stepsTo(article: Article, url: string) {
  const slug = categorySlug(article);
  return [
    { name: site.name, url: site.url },
    ...(slug ? [{ name: article.category ?? '', url: urlOf(categoryHref(slug)) }] : []),
    { name: article.title ?? '', url },
  ];
}

async function articleOf(params: Props['params']): Promise<Article> {
  const { page } = await params;
  const id = idOf(page);
  const article = Number.isSafeInteger(id) ? await findArticle(id) : undefined;
  if (!article) notFound();
  const listed = (await listArticles()).find(({ id }) => id === article.id);
  return listed ? { ...article, category: listed.category } : article;
}
