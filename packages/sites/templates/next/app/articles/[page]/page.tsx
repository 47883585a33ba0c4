import type { Article } from 'multilocal';
import { articleJsonLd, articleMeta, excerpt, readingTime } from 'multilocal/site';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Byline, Card, Kicker } from '@/components/card';
import { Cover } from '@/components/cover';
import { Page } from '@/components/page';
import { findArticle, listArticles } from '@/lib/articles';
import { nextTo, unbroken, withWideTables } from '@/lib/journal';
import { pictureOf } from '@/lib/pictures';
import { idOf, pageName, pathOf, publisher, site, urlOf, words } from '@/lib/site';
import { socialOf } from '@/lib/social';

interface Props {
  params: Promise<{ page: string }>;
}

/** The page is static and comes at once, so it needs no placeholder. */
export const instant = false;

/** Next.js requires at least one page, also for an account without articles. */
export async function generateStaticParams(): Promise<{ page: string }[]> {
  const pages = (await listArticles()).map((article) => ({ page: pageName(article) }));
  return pages.length > 0 ? pages : [{ page: 'none' }];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const article = await articleOf(params);
  const { html: _, openGraph, ...meta } = articleMeta(article, { url: urlOf(pathOf(article)), publisher });
  return {
    ...meta,
    openGraph: { ...openGraph, locale: site.locale, images: socialOf(article) },
    twitter: { card: 'summary_large_image' },
  };
}

export default async function ArticlePage({ params }: Props) {
  const article = await articleOf(params);
  const { title, content_html } = article;
  const picture = pictureOf(article.featured_image_url, '(min-width: 66rem) 58rem, (min-width: 40rem) 38rem, 92vw');
  const articles = await listArticles();
  const listed = articles.find(({ id }) => id === article.id);
  const next = listed ? nextTo(listed, articles) : articles.slice(0, 3);
  const html = content_html ?? '';
  const deck = article.excerpt ?? '';
  // Some texts begin with their summary.
  const isRepeated = excerpt(html, { max: deck.length + 60 }).startsWith(deck);
  const jsonLd = articleJsonLd(article, { url: urlOf(pathOf(article)), publisher });
  return (
    <Page>
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonLd }} />
      <article className="reading">
        <header>
          <Kicker article={article} />
          <h1>{unbroken(title ?? '')}</h1>
          {!isRepeated && <p className="deck">{unbroken(deck)}</p>}
          <Byline article={article} minutes={readingTime(html)} />
        </header>
        {picture && <Cover picture={picture} first />}
        <div className="prose" dangerouslySetInnerHTML={{ __html: withWideTables(html) }} />
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

async function articleOf(params: Props['params']): Promise<Article> {
  const { page } = await params;
  const id = idOf(page);
  const article = Number.isSafeInteger(id) ? await findArticle(id) : undefined;
  if (!article || pageName(article) !== page) notFound();
  return article;
}
