/** The words of the component itself. */
export interface Words {
  language: 'en' | 'fr';
  articles: string;
  loading: string;
  empty: string;
  failed: string;
  missing: string;
  retry: string;
  more: string;
  back: string;
  untitled: string;
  table: string;
  minutes(count: number): string;
  added(count: number): string;
}

const EN: Words = {
  language: 'en',
  articles: 'Articles',
  loading: 'Loading…',
  empty: 'There are no articles yet.',
  failed: 'The text could not be loaded.',
  missing: 'This article is not online.',
  retry: 'Try again',
  more: 'More articles',
  back: 'All articles',
  untitled: 'Untitled',
  table: 'Table',
  minutes: (count) => `${count} min read`,
  added: (count) => (count === 1 ? '1 more article' : `${count} more articles`),
};

const FR: Words = {
  language: 'fr',
  articles: 'Articles',
  loading: 'Chargement…',
  empty: 'Il n’y a pas encore d’article.',
  failed: 'Le texte n’a pas pu être chargé.',
  missing: 'Cet article n’est pas en ligne.',
  retry: 'Réessayer',
  more: 'Plus d’articles',
  back: 'Tous les articles',
  untitled: 'Sans titre',
  table: 'Tableau',
  minutes: (count) => `${count}\u00a0min de lecture`,
  added: (count) => (count === 1 ? '1\u00a0article de plus' : `${count}\u00a0articles de plus`),
};

/** French if the nearest `lang` says so, else English. */
export function wordsFor(element: Element): Words {
  return element.matches(':lang(fr)') ? FR : EN;
}
