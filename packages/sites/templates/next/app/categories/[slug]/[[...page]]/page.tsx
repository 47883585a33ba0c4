import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { List } from '@/components/list';
import { Page } from '@/components/page';
import { listArticles } from '@/lib/articles';
import { categoriesOf, unbroken } from '@/lib/journal';
import { categoryHref, metaOf, pagesOf, site, words } from '@/lib/site';

interface Props {
  /** `/categories/nos-pains` has no page, `/categories/nos-pains/2` has one. */
  params: Promise<{ slug: string; page?: string[] }>;
}

/** The page is static and comes at once, so it needs no placeholder. */
export const instant = false;

export async function generateStaticParams(): Promise<{ slug: string; page: string[] }[]> {
  const pages = categoriesOf(await listArticles()).flatMap(({ slug, articles }) =>
    Array.from({ length: pagesOf(articles.length) }, (_, index) => ({
      slug,
      page: index === 0 ? [] : [`${index + 1}`],
    })),
  );
  // Next.js requires at least one page.
  return pages.length > 0 ? pages : [{ slug: 'none', page: [] }];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name, slug, page, place, path } = await categoryOf(params);
  const title = [name, ...place, site.name].join(' · ');
  return metaOf(path(page), title, words.category(name, site.publisher), `category-${slug}`);
}

export default async function CategoryPage({ params }: Props) {
  const { name, slug, articles, page, place, path } = await categoryOf(params);
  return (
    <Page here={categoryHref(slug)}>
      <h1 className="list-title">
        {unbroken(name)}
        {place.length > 0 && <small>{place}</small>}
      </h1>
      <div className="category">
        <List articles={articles} page={page} path={path} />
      </div>
    </Page>
  );
}

async function categoryOf(params: Props['params']) {
  const [{ slug, page: [digits = '1', ...more] = [] }, articles] = await Promise.all([params, listArticles()]);
  const category = categoriesOf(articles).find((one) => one.slug === decodeURIComponent(slug));
  const last = pagesOf(category?.articles.length ?? 0);
  const page = Number(digits);
  if (!category || more.length > 0 || !/^[1-9]\d*$/.test(digits) || page > last) notFound();
  return {
    ...category,
    page,
    place: page === 1 ? [] : [words.page(page, last)],
    path: (page: number) => category.href + (page === 1 ? '' : `/${page}`),
  };
}
