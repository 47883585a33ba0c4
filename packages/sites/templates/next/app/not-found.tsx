import type { Metadata } from 'next';
import { Card } from '@/components/card';
import { Page } from '@/components/page';
import { listArticles } from '@/lib/articles';
import { site, words } from '@/lib/site';

export const metadata: Metadata = { title: `${words.notFound} · ${site.name}`, description: words.notFoundText };

export default async function NotFound() {
  const newest = (await listArticles()).slice(0, 3);
  return (
    <Page>
      {/* At addresses such as /articles/x, Next.js renders this page in the browser, where only such scripts run. React
          takes it for that of the layout if it has the same address. */}
      <script async src="/theme.js?404" />
      <div className="not-found">
        <p className="not-found-number" aria-hidden="true">
          404
        </p>
        <div>
          <h1>{words.notFound}</h1>
          <p>
            {words.notFoundText}
            {newest.length > 0 && ` ${words.notFoundLatest}`}
          </p>
          <form action="/search">
            <div className="search-field">
              <input
                type="search"
                name="q"
                aria-label={words.search}
                placeholder={words.searchFor}
                autoComplete="off"
              />
            </div>
          </form>
          <p>
            <a className="button" href="/">
              {words.home}
            </a>
          </p>
        </div>
      </div>
      <div className="cards trio">
        {newest.map((article) => (
          <Card key={article.id} article={article} />
        ))}
      </div>
    </Page>
  );
}
