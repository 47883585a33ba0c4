/** What is yours: the names, the address, and every word that is not in an article. */
export const site = {
  name: 'Le journal du fournil',
  publisher: 'Les Fournils d’Augustine',
  description: 'Pains, recettes et vie de nos boulangeries, racontés par celles et ceux qui pétrissent.',
  /** The address of the home page. It may have a path, and ends with a slash. */
  url: 'https://www.example.com/',
  language: 'fr',
  timeZone: 'Europe/Paris',
  /** Articles on a page of the list. The first one is large, so a multiple of 3 plus 1 fills every row. */
  pageSize: 25,
};

export const words = {
  skip: 'Aller au contenu',
  theme: 'Changer de thème, clair ou sombre',
  feed: 'Flux RSS',
  readingTime: (minutes: number) => `${minutes} min de lecture`,
  latest: 'Tous les articles',
  page: (page: number, last: number) => `Page ${page} sur ${last}`,
  pages: 'Pages',
  newer: 'Plus récents',
  older: 'Plus anciens',
  next: 'À lire ensuite',
  notFound: 'Page introuvable',
  notFoundText: 'Cette page n’existe pas, ou n’existe plus.',
  home: 'Retour à l’accueil',
};

/**
 * The drawings of `public/covers.svg` that articles without a picture get, by words of the title or the category. The
 * first that fits is taken. An article that fits none gets a plain shape.
 */
export const drawings: readonly (readonly [words: RegExp, drawing: string])[] = [
  [/soupe|salade/i, 'soup'],
  [/pizza|pissaladière/i, 'pizza'],
  [/tarte\b|quiche|clafoutis|galette des rois/i, 'tart'],
  [/tartine|croque|pain perdu|pain de mie/i, 'toast'],
  [/croissant|chausson|viennoiserie/i, 'croissant'],
  [/brioche/i, 'braid'],
  [/étoile/i, 'star'],
  [/fougasse|focaccia|ciabatta/i, 'flat'],
  [/baguette|ficelle|viennois/i, 'baguettes'],
  [/miel|confiture/i, 'jar'],
  [/producteur|\b(?:mars|avril|mai|juin|juillet|août) \d/i, 'field'],
  [/\b(?:septembre|octobre|novembre|décembre|janvier|février) \d|saisons/i, 'branch'],
  [/nuit au fournil/i, 'oven'],
  [/atelier|recette/i, 'bowl'],
  [/boutique|comptoir|équipe|horaires/i, 'shop'],
  [/pain|tourte/i, 'loaf'],
  [/farine|épi|levain/i, 'wheat'],
];

/** Returns the address of a page of the site: `address('feed.xml')`. */
export const address = (path = '') => new URL(path, site.url);

/** Returns the name of an article's page. A slug that is no single part of an address is left out. */
export const pageName = ({ id, slug }: { id: number; slug?: string | null | undefined }) =>
  /^[\p{L}\p{N}_-]+$/u.test(slug ?? '') ? `${slug}` : `article-${id}`;

/** Returns the address of an article. */
export const articleUrl = (article: Parameters<typeof pageName>[0]) => address(`articles/${pageName(article)}/`).href;

export const publisher = { name: site.publisher, url: site.url };
