import type { Metadata } from 'next';
import { wordsOf } from './words.ts';

/** What is yours: the names, the address, and the links. `words.ts` has every word that is not in an article. */
export const site = {
  name: 'Le journal du fournil',
  publisher: 'Les Fournils d’Augustine',
  description: 'Pains, recettes et vie de nos boulangeries, racontés par celles et ceux qui pétrissent.',
  /** The address of the home page. */
  url: 'https://www.example.com/',
  /** A picture in `public`, before the name at the top of each page. `undefined`: the name only. */
  logo: 'favicon.svg' as string | undefined,
  /** A picture of 1200 × 630 pixels in `public`: what networks show of pages without a card of their own. `undefined`: a card. */
  picture: undefined as string | undefined,
  /** `words.ts` has `fr`, `en`, `de`, `es`, `it` and `nl`. */
  language: 'fr',
  /** The direction of the writing: `rtl` for Arabic and Hebrew. */
  dir: 'ltr' as 'ltr' | 'rtl',
  /** The language and the country, as networks want it. */
  locale: 'fr_FR',
  timeZone: 'Europe/Paris',
  /** Articles on a page of a list. It begins with a row of one and a row of two, so a multiple of 3 fills every row, and an odd one also those of a tablet. */
  pageSize: 21,
  /** Categories at the top of each page: those with the most articles. */
  menuSize: 4,
  /** The part of the address of the pages of your locations: `/boutiques/lyon-croix-rousse/`. `undefined`: no such pages. */
  places: 'boutiques' as string | undefined,
  /** Where the relative addresses in articles lead: pictures that were written for another site. `undefined`: to this site. */
  base: undefined as string | undefined,
  /** The hosts whose frames a click loads, with their names. Frames of others are links. The Content Security Policy has the same hosts. */
  embeds: {
    'www.youtube-nocookie.com': 'YouTube',
    'player.vimeo.com': 'Vimeo',
    'www.dailymotion.com': 'Dailymotion',
    'geo.dailymotion.com': 'Dailymotion',
    'open.spotify.com': 'Spotify',
    'w.soundcloud.com': 'SoundCloud',
    'www.google.com': 'Google',
  } as Record<string, string>,
  /** The hosts of your pictures, such as `images.example.com`. Next.js serves their pictures in several sizes. */
  pictureHosts: [] as string[],
};

/** Other hosts that pages may use. The Content Security Policy has them, and blocks all others. */
export const allow = {
  /** Hosts to which a form of yours may send, such as `forms.my-agency.com`. */
  forms: [] as string[],
  /** Hosts of scripts, such as those of statistics or of a booking. */
  scripts: [] as string[],
  /** Hosts that scripts may ask. */
  connect: [] as string[],
  /** Hosts of frames that your own pages have, such as a calendar. Those of articles are in `embeds`. */
  frames: [] as string[],
};

/** The hosts of a list as a Content Security Policy has them. */
export const sources = (hosts: readonly string[]) => hosts.map((host) => ` https://${host}`).join('');

/** Returns the language of an article that is written in another one than the site, such as `de`. By its location, for example. */
export const languageOf = (_article: { bulle_id?: string | null; category?: string | null }): string | undefined =>
  undefined;

/** At the foot of each page. An address without a host is a page of this site, which you add to `app`. */
export const links = {
  legal: [
    { text: 'Mentions légales', href: 'https://www.example.com/mentions-legales/' },
    { text: 'Confidentialité', href: 'https://www.example.com/confidentialite/' },
  ],
  social: [
    { text: 'Instagram', href: 'https://www.instagram.com/' },
    { text: 'Facebook', href: 'https://www.facebook.com/' },
  ],
};

/** The words of the language, see `words.ts`. */
export const words = wordsOf(site.language);

/** The absolute address of a page: `urlOf('/feed.xml')`. */
export const urlOf = (path: string) => new URL(path, site.url).href;

export const publisher = { name: site.publisher, url: site.url, logo: site.logo && urlOf(`/${site.logo}`) };

interface Named {
  id: number;
  slug?: string | null | undefined;
}

/** The last part of an article's address. Slug and id never change, and a page finds its article by the id. */
export const pageName = ({ id, slug }: Named) => `${/^[a-z0-9][\w-]*$/i.test(slug ?? '') ? slug : 'article'}-${id}`;

export const pathOf = (article: Named) => `/articles/${pageName(article)}`;

/** The address of the page of a category, without the host. */
export const categoryHref = (slug: string) => `/categories/${slug}`;

/** The address of the page of a location, or of their list, without the host. */
export const placeHref = (slug = '') => `/${site.places}${slug && `/${slug}`}`;

/** The number of pages of a list. An empty list has one. */
export const pagesOf = (articles: number) => Math.max(1, Math.ceil(articles / site.pageSize));

/** The id in an article's address. `NaN` if there is none. */
export const idOf = (page: string) => Number(/-(\d+)$/.exec(page)?.[1]);

/** What a page with a list says about itself. `card`: the name of what networks show of it, see `app/cards`. */
export function metaOf(path: string, title: string, description = site.description, card = 'site'): Metadata {
  const url = urlOf(path);
  const { publisher: siteName, locale, picture } = site;
  const image = picture && card === 'site' ? `/${picture}` : `/cards/${card}.png`;
  return {
    title,
    description,
    alternates: { canonical: url },
    openGraph: {
      type: 'website',
      url,
      title,
      description,
      siteName,
      locale,
      images: { url: urlOf(image), width: 1200, height: 630, alt: title },
    },
    twitter: { card: 'summary_large_image' },
  };
}
