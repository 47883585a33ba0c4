const EN = {
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
  minutes: (count: number) => `${count} min read`,
  added: (count: number) => (count === 1 ? '1 more article' : `${count} more articles`),
};

const FR: typeof EN = {
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

/** The words of the component itself: French if the nearest `lang` says so, else English. */
export function wordsFor(element: Element) {
  const words = element.matches(':lang(fr)') ? FR : EN;
  const timeZone = element.getAttribute('time-zone') || undefined;
  /** @throws a `RangeError` if the attribute `time-zone` names none. */
  const date = (iso: string) =>
    new Intl.DateTimeFormat(words.language, { dateStyle: 'long', timeZone }).format(new Date(iso));
  return { ...words, date };
}

export type Words = ReturnType<typeof wordsFor>;
