import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { List } from '@/components/list';
import { Page } from '@/components/page';
import { listArticles } from '@/lib/articles';
import { metaOf, pagesOf, site, words } from '@/lib/site';

interface Props {
  params: Promise<{ page: string }>;
}

/** The page is static and comes at once, so it needs no placeholder. */
export const instant = false;

/** Next.js requires at least one page, even for an account with few articles. */
export async function generateStaticParams(): Promise<{ page: string }[]> {
  const last = Math.max(2, pagesOf((await listArticles()).length));
  return Array.from({ length: last - 1 }, (_, index) => ({ page: `${index + 2}` }));
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { page, place } = await listOf(params);
  return metaOf(pathOf(page), `${place} · ${site.name}`);
}

export default async function ListPage({ params }: Props) {
  const { articles, page, place } = await listOf(params);
  return (
    <Page>
      <h1 className="list-title">
        {words.latest}
        <small>{place}</small>
      </h1>
      <List articles={articles} page={page} path={pathOf} />
    </Page>
  );
}

const pathOf = (page: number) => (page === 1 ? '/' : `/page/${page}`);

async function listOf(params: Props['params']) {
  const [{ page }, articles] = await Promise.all([params, listArticles()]);
  const last = pagesOf(articles.length);
  if (!/^[1-9]\d*$/.test(page) || page === '1' || Number(page) > last) notFound();
  return { articles, page: Number(page), place: words.page(Number(page), last) };
}
