import type { Article } from 'multilocal';

/** What is yours: the names, the address, the links, and every word that is not in an article. */
export const site = {
  name: 'Le journal du fournil',
  publisher: 'Les Fournils d’Augustine',
  description: 'Pains, recettes et vie de nos boulangeries, racontés par celles et ceux qui pétrissent.',
  /** The address of the home page: `SITE_URL` in the environment. */
  url: new URL(process.env.SITE_URL ?? 'http://localhost:3000').href,
  /** A picture in `public`, before the name at the top of each page. `undefined`: the name only. */
  logo: '/favicon.svg' as string | undefined,
  language: 'fr',
  /** The language and the country, as networks want it. */
  locale: 'fr_FR',
  timeZone: 'Europe/Paris',
  /** Articles on a page of a list. It begins with a row of one and a row of two, so a multiple of 3 fills every row, and an odd one also those of a tablet. */
  pageSize: 21,
  /** Categories at the top of each page: those with the most articles. */
  menuSize: 4,
};

/** At the foot of each page. */
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

export const words = {
  skip: 'Aller au contenu',
  theme: 'Changer de thème, clair ou sombre',
  menu: 'Rubriques',
  legal: 'Informations',
  follow: 'Nous suivre',
  feed: 'Flux RSS',
  readingTime: (minutes: number) => `${minutes} min de lecture`,
  latest: 'Tous les articles',
  empty: 'Le premier article est en train de lever.',
  category: (name: string, publisher: string) => `${name} : tous les articles de ${publisher}.`,
  page: (page: number, last: number) => `Page ${page} sur ${last}`,
  pages: 'Pages',
  newer: 'Plus récents',
  older: 'Plus anciens',
  next: 'À lire ensuite',
  notFound: 'Page introuvable',
  notFoundText: 'Cette page n’existe pas, ou n’existe plus. Voici nos derniers articles.',
  home: 'Retour à l’accueil',
};

/** Returns the address of a page of the site: `urlOf('/feed.xml')`. */
export const urlOf = (path: string) => new URL(path, site.url).href;

/** Returns the address of the page of a category, without the host. */
export const categoryHref = (slug: string) => `/categories/${slug}`;

/** Returns the last part of an article's address. Slug and id never change, and a page finds its article by the id. */
export function pageName({ id, slug }: Article): string {
  const name = slug && /^[a-z0-9][\w-]*$/i.test(slug) ? slug : 'article';
  return `${name}-${id}`;
}

export const pathOf = (article: Article) => `/articles/${pageName(article)}`;

/** Returns the id in the last part of an article's address. `NaN` if there is none. */
export const idOf = (page: string) => Number(/-(\d+)$/.exec(page)?.[1]);

export const publisher = { name: site.publisher, url: site.url };
