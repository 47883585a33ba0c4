import { listingJsonLd } from 'multilocal/site';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { Card } from '@/components/card';
import { Page } from '@/components/page';
import { listPlaces } from '@/lib/articles';
import { breadcrumbJsonLd } from '@/lib/jsonld';
import { addressOf, type Place, ratingOf } from '@/lib/places';
import { metaOf, placeHref, site, urlOf, words } from '@/lib/site';

interface Props {
  params: Promise<{ place: string }>;
}

/** The page is static and comes at once, so it needs no placeholder. */
export const instant = false;

/** Next.js requires at least one page, even for an account without listings. */
export async function generateStaticParams(): Promise<{ place: string }[]> {
  const pages = (await listPlaces()).map(({ slug }) => ({ place: slug }));
  return pages.length > 0 ? pages : [{ place: 'none' }];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { href, name } = await placeAt(params);
  return metaOf(href, `${name} · ${site.publisher}`, words.place(name, site.publisher));
}

export default async function PlacePage({ params }: Props) {
  const place = await placeAt(params);
  const { name, listing, articles } = place;
  const url = urlOf(place.href);
  const rating = ratingOf(place);
  const jsonLd = [
    listingJsonLd(listing, { url }),
    breadcrumbJsonLd([
      { name: site.name, url: site.url },
      { name: words.places, url: urlOf(placeHref()) },
      { name, url },
    ]),
  ];
  return (
    <Page>
      {jsonLd.map((json) => (
        <script key={json} type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
      ))}
      <header className="place">
        <p className="kicker">
          <Link href={placeHref()}>{words.places}</Link>
        </p>
        <h1>{name}</h1>
        <p className="place-address">{addressOf(place)}</p>
        {rating && <p className="rating">{rating}</p>}
      </header>
      {articles.length > 0 && (
        <section className="next" aria-labelledby="news">
          <h2 id="news">{words.placeArticles}</h2>
          <div className="cards">
            {articles.map((article) => (
              <Card key={article.id} article={article} />
            ))}
          </div>
        </section>
      )}
    </Page>
  );
}

async function placeAt(params: Props['params']): Promise<Place> {
  const [{ place }, places] = await Promise.all([params, listPlaces()]);
  return places.find(({ slug }) => slug === decodeURIComponent(place)) ?? notFound();
}
