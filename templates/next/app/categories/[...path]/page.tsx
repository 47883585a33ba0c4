import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { List, lastPage, pageFrom } from '@/components/list';
import { listArticles } from '@/lib/articles';
import { categoriesOf, unbroken } from '@/lib/journal';
import { site, urlOf, words } from '@/lib/site';

/** The address has the category, and from the second page on the number of the page. */
interface Props {
  params: Promise<{ path: string[] }>;
}

export const ensureStatic = 'navigation';

/** Next.js requires at least one page, also for an account without categories. */
export async function generateStaticParams(): Promise<{ path: string[] }[]> {
  const pages = categoriesOf(await listArticles()).flatMap(({ slug, articles }) =>
    Array.from({ length: lastPage(articles) }, (_, index) => ({ path: index === 0 ? [slug] : [slug, `${index + 1}`] })),
  );
  return pages.length > 0 ? pages : [{ path: ['none'] }];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name, page, hrefOf } = await listOf(params);
  const description = words.category(name, site.publisher);
  return { title: name, description, alternates: { canonical: urlOf(hrefOf(page)) } };
}

export default async function Page({ params }: Props) {
  const { name, articles, page, hrefOf } = await listOf(params);
  return (
    <>
      <h1 className="list-title">
        {unbroken(name)}
        {page > 1 && <small>{words.page(page, lastPage(articles))}</small>}
      </h1>
      <div className="category">
        <List articles={articles} page={page} hrefOf={hrefOf} />
      </div>
    </>
  );
}

async function listOf(params: Props['params']) {
  const [slug = '', number, ...more] = (await params).path;
  const category = categoriesOf(await listArticles()).find((one) => one.slug === decodeURIComponent(slug));
  if (!category || more.length > 0) notFound();
  const { name, href, articles } = category;
  const page = number === undefined ? 1 : pageFrom(number, articles);
  return { name, articles, page, hrefOf: (page: number) => (page === 1 ? href : `${href}/${page}`) };
}
