import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Card } from '@/components/card';
import { Page } from '@/components/page';
import { listArticles, listPlaces } from '@/lib/articles';
import { breadcrumbJsonLd } from '@/lib/jsonld';
import { pictureOf } from '@/lib/pictures';
import { addressOf, type Place, placeJsonLd, placesReport, ratingOf, shopOf } from '@/lib/places';
import { metaOf, placeHref, site, urlOf, words } from '@/lib/site';

interface Props {
  params: Promise<{ place: string }>;
}

/** The page is static and comes at once, so it needs no placeholder. */
export const instant = false;

/** Next.js requires at least one page, even for an account without listings. */
export async function generateStaticParams(): Promise<{ place: string }[]> {
  const places = await listPlaces();
  const report = placesReport(places, await listArticles());
  if (report) console.warn(report);
  const pages = places.map(({ slug }) => ({ place: slug }));
  return pages.length > 0 ? pages : [{ place: 'none' }];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { href, name } = await placeAt(params);
  return metaOf(href, `${name} · ${site.publisher}`, words.place(name, site.publisher));
}

export default async function PlacePage({ params }: Props) {
  const place = await placeAt(params);
  const { name, articles } = place;
  const shop = shopOf(place);
  const url = urlOf(place.href);
  const rating = ratingOf(place);
  const jsonLd = [
    placeJsonLd(place, url),
    breadcrumbJsonLd([
      { name: site.name, url: site.url },
      { name: words.places, url: urlOf(placeHref()) },
      { name, url },
    ]),
  ];
  return (
    <Page here={placeHref()}>
      {jsonLd.map((json) => (
        <script key={json} type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
      ))}
      <header className="place">
        <p className="kicker">
          <a href={placeHref()}>{words.places}</a>
        </p>
        <h1>{name}</h1>
        <p className="place-address">
          {shop.map ? <a href={shop.map}>{addressOf(place) || words.map}</a> : addressOf(place)}
        </p>
        {rating && <p className="rating">{rating}</p>}
        <p className="actions">
          {shop.phone && (
            <a className="button" href={shop.phone.href}>
              <span>{words.call}</span> {shop.phone.text}
            </a>
          )}
          {shop.directions && (
            <a className="button" href={shop.directions}>
              {words.directions}
            </a>
          )}
          {shop.booking && (
            <a className="button" href={shop.booking}>
              {words.book}
            </a>
          )}
        </p>
      </header>
      <Shop name={name} {...shop} />
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

function Shop({ name, week, now, closures, photo, paragraphs }: ReturnType<typeof shopOf> & { name: string }) {
  const isFile = photo && !/^(https?:)?\/\//.test(photo);
  const picture = isFile ? { src: `/${photo}` } : pictureOf(photo, '(min-width: 46rem) 38rem, 92vw');
  const hasStory = picture || paragraphs.length > 0;
  if (!week && !hasStory) return null;
  return (
    <div className="shop">
      {week && (
        <section aria-labelledby="hours">
          <h2 id="hours">{words.hours}</h2>
          {/* An element of `open-now.js`, which React leaves alone. */}
          <p
            className="now"
            suppressHydrationWarning
            dangerouslySetInnerHTML={{ __html: `<open-now data-shop="${escaped(now)}"></open-now>` }}
          />
          <script async type="module" src="/open-now.js" />
          <dl className="hours">
            {week.map(([day, hours]) => (
              <div key={day} suppressHydrationWarning>
                <dt>{day}</dt>
                <dd>{hours.length === 0 ? words.closed : hours.map((one) => <span key={one}>{one}</span>)}</dd>
              </div>
            ))}
          </dl>
          {closures.length > 0 && (
            <p className="closures">
              {words.closures} {closures.join(', ')}
            </p>
          )}
        </section>
      )}
      {hasStory && (
        <div className="shop-story">
          {picture && <img className="shop-photo" {...picture} alt={name} />}
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      )}
    </div>
  );
}

const escaped = (text = '') => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

async function placeAt(params: Props['params']): Promise<Place> {
  const [{ place }, places] = await Promise.all([params, listPlaces()]);
  return places.find(({ slug }) => slug === decodeURIComponent(place)) ?? notFound();
}
