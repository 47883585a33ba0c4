import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Page } from '@/components/page';
import { listPlaces } from '@/lib/articles';
import { addressOf, ratingOf } from '@/lib/places';
import { metaOf, placeHref, site, words } from '@/lib/site';

export const metadata: Metadata = metaOf(
  placeHref(),
  `${words.places} · ${site.name}`,
  words.placesText(site.publisher),
);

/** `next.config.ts` shows it at the address that `site.places` names. */
export default async function Places() {
  const places = await listPlaces();
  if (places.length === 0) notFound();
  return (
    <Page here={placeHref()}>
      <h1 className="list-title">{words.places}</h1>
      <ul className="places">
        {places.map((place) => (
          <li key={place.slug}>
            {place.town && !place.name.includes(place.town) && <p className="kicker">{place.town}</p>}
            <h2>
              <a href={place.href}>{place.name}</a>
            </h2>
            <p>{addressOf(place)}</p>
            {ratingOf(place) && <p className="rating">{ratingOf(place)}</p>}
          </li>
        ))}
      </ul>
    </Page>
  );
}
