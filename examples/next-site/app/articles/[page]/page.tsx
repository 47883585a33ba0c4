import type { Article } from 'multilocal';
import { articleJsonLd, articleMeta, readingTime } from 'multilocal/site';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Byline } from '@/app/byline';
import { findArticle, listArticles } from '@/lib/articles';
import { idOf, pageName, pathOf, publisher, urlOf } from '@/lib/site';

interface Props {
  params: Promise<{ page: string }>;
}

/** The first visitor of a new article waits for the whole page. */
export const ensureStatic = 'navigation';

/** Next.js requires at least one page, also for an account without articles. */
export async function generateStaticParams(): Promise<{ page: string }[]> {
  const pages = (await listArticles()).map((article) => ({
    page: pageName(article),
  }));
  return pages.length > 0 ? pages : [{ page: 'none' }];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const article = await articleOf(params);
  return articleMeta(article, { url: urlOf(pathOf(article)), publisher });
}

export default async function Page({ params }: Props) {
  const article = await articleOf(params);
  const { title, content_html, featured_image_url } = article;
  const html = content_html ?? '';
  return (
    <article className="article">
      <h1 className="title">{title}</h1>
      <Byline article={article} more={`${readingTime(html)} min de lecture`} />
      {featured_image_url?.startsWith('https:') && (
        <img className="picture" src={featured_image_url} alt="" />
      )}
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{
          __html: articleJsonLd(article, {
            url: urlOf(pathOf(article)),
            publisher,
          }),
        }}
      />
    </article>
  );
}

async function articleOf(params: Props['params']): Promise<Article> {
  const { page } = await params;
  const id = idOf(page);
  const article = Number.isSafeInteger(id) ? await findArticle(id) : undefined;
  if (!article || pageName(article) !== page) notFound();
  return article;
}
