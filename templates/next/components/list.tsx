import type { Article } from 'multilocal';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { Card } from '@/components/card';
import { site, words } from '@/lib/site';

const SIZES = ['lead', 'wide', 'wide'] as const;

interface Props {
  articles: readonly Article[];
  page: number;
  /** The address of a page, without the host. */
  hrefOf: (page: number) => string;
}

/** One page of a list, and the way to the others. Each begins with a large article and two wide ones. */
export function List({ articles, page, hrefOf }: Props) {
  const last = lastPage(articles);
  const shown = articles.slice((page - 1) * site.pageSize, page * site.pageSize);
  return (
    <>
      <div className="cards">
        {shown.map((article, index) => (
          <Card key={article.id} article={article} size={SIZES[index]} />
        ))}
      </div>
      {last > 1 && (
        <nav className="pages" aria-label={words.pages}>
          {page > 1 && (
            <Link href={hrefOf(page - 1)} rel="prev">
              ← {words.newer}
            </Link>
          )}
          <span>{words.page(page, last)}</span>
          {page < last && (
            <Link href={hrefOf(page + 1)} rel="next">
              {words.older} →
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

export const lastPage = (articles: readonly Article[]) => Math.max(1, Math.ceil(articles.length / site.pageSize));

/** The number of a page from its address: 2 or more, because the first page has an address without one. */
export function pageFrom(text: string, articles: readonly Article[]): number {
  const page = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
  if (page < 2 || page > lastPage(articles)) notFound();
  return page;
}
