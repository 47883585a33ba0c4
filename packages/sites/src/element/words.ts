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
  /** A video, a map or a player of another site, with its title. */
  watch: (host: string, title: string) => `See on ${host}${title && `: ${title}`}`,
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
  watch: (host, title) => `Voir sur ${host}${title && `\u00a0: ${title}`}`,
  minutes: (count) => `${count}\u00a0min de lecture`,
  added: (count) => (count === 1 ? '1\u00a0article de plus' : `${count}\u00a0articles de plus`),
};

const DE: typeof EN = {
  language: 'de',
  articles: 'Artikel',
  loading: 'Wird geladen…',
  empty: 'Es gibt noch keine Artikel.',
  failed: 'Der Text konnte nicht geladen werden.',
  missing: 'Dieser Artikel ist nicht online.',
  retry: 'Noch einmal versuchen',
  more: 'Weitere Artikel',
  back: 'Alle Artikel',
  untitled: 'Ohne Titel',
  table: 'Tabelle',
  watch: (host, title) => `Auf ${host} ansehen${title && `: ${title}`}`,
  minutes: (count) => `${count}\u00a0Min. Lesezeit`,
  added: (count) => (count === 1 ? '1 weiterer Artikel' : `${count} weitere Artikel`),
};

/** The words of the component itself: French or German if the nearest `lang` says so, else English. */
export function wordsFor(element: Element) {
  const words = [FR, DE].find(({ language }) => element.matches(`:lang(${language})`)) ?? EN;
  const timeZone = element.getAttribute('time-zone') || undefined;
  /** @throws a `RangeError` if the attribute `time-zone` names none. */
  const date = (iso: string) =>
    new Intl.DateTimeFormat(words.language, { dateStyle: 'long', timeZone }).format(new Date(iso));
  return { ...words, date };
}

export type Words = ReturnType<typeof wordsFor>;
