import type { Metadata } from 'next';
import { List, lastPage, pageFrom } from '@/components/list';
import { listArticles } from '@/lib/articles';
import { urlOf, words } from '@/lib/site';

interface Props {
  params: Promise<{ page: string }>;
}

const hrefOf = (page: number) => (page === 1 ? '/' : `/pages/${page}`);

export const ensureStatic = 'navigation';

/** Next.js requires at least one page, also for an account with few articles. */
export async function generateStaticParams(): Promise<{ page: string }[]> {
  const last = lastPage(await listArticles());
  return Array.from({ length: Math.max(1, last - 1) }, (_, index) => ({ page: String(index + 2) }));
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const articles = await listArticles();
  const page = pageFrom((await params).page, articles);
  return { title: words.page(page, lastPage(articles)), alternates: { canonical: urlOf(hrefOf(page)) } };
}

export default async function Page({ params }: Props) {
  const articles = await listArticles();
  const page = pageFrom((await params).page, articles);
  return (
    <>
      <h1 className="list-title">
        {words.latest}
        <small>{words.page(page, lastPage(articles))}</small>
      </h1>
      <List articles={articles} page={page} hrefOf={hrefOf} />
    </>
  );
}
