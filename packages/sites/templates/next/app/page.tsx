import { List } from '@/components/list';
import { Page } from '@/components/page';
import { listArticles } from '@/lib/articles';
import { metaOf, site } from '@/lib/site';

export const metadata = metaOf('/', site.name);

export default async function Home() {
  return (
    <Page>
      <div className="opening">
        <h1>{site.name}</h1>
        <p>{site.description}</p>
      </div>
      <List articles={await listArticles()} page={1} path={(page) => `/page/${page}`} />
    </Page>
  );
}
