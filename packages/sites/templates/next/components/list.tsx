import type { Article } from 'multilocal';
import { Card } from '@/components/card';
import { pagesOf, site, words } from '@/lib/site';

interface Props {
  articles: readonly Article[];
  page: number;
  /** The address of a page of this list. */
  path: (page: number) => string;
}

/** One page of a list, and the way to the others. Each begins with a large article and two wide ones. */
export function List({ articles, page, path }: Props) {
  const sizes = ['lead', 'wide', 'wide'] as const;
  const last = pagesOf(articles.length);
  return (
    <>
      <div className="cards">
        {articles.slice((page - 1) * site.pageSize, page * site.pageSize).map((article, index) => (
          <Card key={article.id} article={article} size={sizes[index]} />
        ))}
      </div>
      {last > 1 && (
        <nav className="pages" aria-label={words.pages}>
          {page > 1 && (
            <a href={path(page - 1)} rel="prev">
              {words.newer}
            </a>
          )}
          <span>{words.page(page, last)}</span>
          {page < last && (
            <a href={path(page + 1)} rel="next">
              {words.older}
            </a>
          )}
        </nav>
      )}
    </>
  );
}
