import { Page } from '@/components/page';
import { Search } from '@/components/search';
import { metaOf, site, words } from '@/lib/site';

export const metadata = metaOf('/search', `${words.search} · ${site.name}`, words.searchText);

export default function SearchPage() {
  return (
    <Page>
      <Search />
    </Page>
  );
}
