/** What is yours: the names, the address, the links, and every word that is not in an article. */
export const site = {
  name: 'Le journal du fournil',
  publisher: 'Les Fournils d’Augustine',
  description: 'Pains, recettes et vie de nos boulangeries, racontés par celles et ceux qui pétrissent.',
  /** The address of the home page. It may have a path, and ends with a slash. */
  url: 'https://www.example.com/',
  /** A picture in `public`, before the name at the top of each page. `undefined`: the name only. */
  logo: 'favicon.svg' as string | undefined,
  /** A picture of 1200 × 630 pixels in `public`: what networks show of pages without a card of their own. `undefined`: a card. */
  picture: undefined as string | undefined,
  language: 'fr',
  /** The language and the country, as networks want it. */
  locale: 'fr_FR',
  timeZone: 'Europe/Paris',
  /** Articles on a page of a list. It begins with a row of one and a row of two, so a multiple of 3 fills every row, and an odd one also those of a tablet. */
  pageSize: 21,
  /** Categories at the top of each page: those with the most articles. */
  menuSize: 4,
};

/** At the foot of each page. An address without a host is a page of this site, which you add to `src/pages`. */
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
  category: (name: string, publisher: string) => `${name} : tous les articles de ${publisher}.`,
  page: (page: number, last: number) => `Page ${page} sur ${last}`,
  pages: 'Pages',
  newer: 'Plus récents',
  older: 'Plus anciens',
  next: 'À lire ensuite',
  search: 'Rechercher',
  searchFor: 'Un pain, une recette, une ville…',
  searchText: 'Cherchez dans tous les articles du journal.',
  searchClear: 'Effacer',
  searchMore: 'Plus de résultats',
  /** `public/search.js` writes the number in place of `#`. */
  found: '# articles trouvés',
  foundOne: 'Un article trouvé',
  foundNone: 'Aucun article trouvé. Essayez un autre mot.',
  noSearch: 'La recherche est indisponible. Les rubriques ci-dessus mènent à tous les articles.',
  notFound: 'Page introuvable',
  notFoundText: 'Cette page n’existe pas, ou n’existe plus. Voici nos derniers articles.',
  home: 'Retour à l’accueil',
};

/** Returns the address of a page of the site: `address('feed.xml')`. */
export const address = (path = '') => new URL(path, site.url);

/** Returns the address of the page of a category, without the host. */
export const categoryHref = (slug: string) => address(`categories/${slug}/`).pathname;

/** Returns the name of an article's page. A slug that is no single part of an address is left out. */
export const pageName = ({ id, slug }: { id: number; slug?: string | null | undefined }) =>
  /^[\p{L}\p{N}_-]+$/u.test(slug ?? '') ? `${slug}` : `article-${id}`;

/** Returns the address of an article. */
export const articleUrl = (article: Parameters<typeof pageName>[0]) => address(`articles/${pageName(article)}/`).href;

export const publisher = { name: site.publisher, url: site.url };
