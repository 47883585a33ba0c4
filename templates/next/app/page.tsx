import type { Metadata } from 'next';
import { List } from '@/components/list';
import { listArticles } from '@/lib/articles';
import { site, urlOf, words } from '@/lib/site';

export const metadata: Metadata = { alternates: { canonical: urlOf('/') } };

export default async function Home() {
  const articles = await listArticles();
  return (
    <>
      <div className="opening">
        <h1>{site.name}</h1>
        <p>{site.description}</p>
      </div>
      {articles.length === 0 && <p>{words.empty}</p>}
      <List articles={articles} page={1} hrefOf={(page) => (page === 1 ? '/' : `/pages/${page}`)} />
    </>
  );
}
