import { List } from '@/components/list';
import { Page } from '@/components/page';
import { listArticles } from '@/lib/articles';
import { unbroken } from '@/lib/journal';
import { siteJsonLd } from '@/lib/jsonld';
import { metaOf, site, words } from '@/lib/site';

export const metadata = metaOf('/', site.name);

export default async function Home() {
  const articles = await listArticles();
  return (
    <Page>
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: siteJsonLd() }} />
      <div className="opening">
        <h1>{unbroken(site.name)}</h1>
        <p>{site.description}</p>
      </div>
      {articles.length === 0 && <p className="empty">{words.empty}</p>}
      <List articles={articles} page={1} path={(page) => `/page/${page}`} />
    </Page>
  );
}
