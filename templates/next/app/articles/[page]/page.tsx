import type { Article } from 'multilocal';
import { articleJsonLd, articleMeta, excerpt } from 'multilocal/site';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Byline, Card, Cover, Kicker } from '@/components/card';
import { findArticle, listArticles } from '@/lib/articles';
import { nextTo, unbroken } from '@/lib/journal';
import { mayShow } from '@/lib/sanitise';
import { idOf, pageName, pathOf, publisher, site, urlOf, words } from '@/lib/site';

interface Props {
  params: Promise<{ page: string }>;
}

/** The first visitor of a new article waits for the whole page. */
export const ensureStatic = 'navigation';

/** Next.js requires at least one page, also for an account without articles. */
export async function generateStaticParams(): Promise<{ page: string }[]> {
  const pages = (await listArticles()).map((article) => ({ page: pageName(article) }));
  return pages.length > 0 ? pages : [{ page: 'none' }];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const article = await articleOf(params);
  const { title, openGraph, ...meta } = articleMeta(article, about(article));
  const card = openGraph.images ? 'summary_large_image' : 'summary';
  return { ...meta, title: { absolute: title }, openGraph: { ...openGraph, locale: site.locale }, twitter: { card } };
}

export default async function Page({ params }: Props) {
  const article = await articleOf(params);
  const { title, content_html, featured_image_url: picture } = article;
  const html = content_html ?? '';
  const deck = article.excerpt ?? '';
  // Some texts begin with their summary.
  const isRepeated = excerpt(html, { max: deck.length + 60 }).startsWith(deck);
  const articles = await listArticles();
  const next = nextTo(articles.find(({ id }) => id === article.id) ?? article, articles);
  return (
    <>
      <article className="reading">
        <header>
          <Kicker article={article} />
          <h1>{unbroken(title)}</h1>
          {!isRepeated && <p className="deck">{unbroken(deck)}</p>}
          <Byline article={article} />
        </header>
        {mayShow(picture) && <Cover article={article} isFirst />}
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      </article>
      {next.length > 0 && (
        <aside className="next" aria-labelledby="next">
          <h2 id="next">{words.next}</h2>
          <div className="cards">
            {next.map((one) => (
              <Card key={one.id} article={one} />
            ))}
          </div>
        </aside>
      )}
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: articleJsonLd(article, about(article)) }} />
    </>
  );
}

const about = (article: Article) => ({ url: urlOf(pathOf(article)), publisher });

async function articleOf(params: Props['params']): Promise<Article> {
  const { page } = await params;
  const id = idOf(page);
  const article = Number.isSafeInteger(id) ? await findArticle(id) : undefined;
  if (!article || pageName(article) !== page) notFound();
  return article;
}
