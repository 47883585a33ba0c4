/** `#` is a number or a host. */
const en = {
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
  /** A video, a map or a player of another site. */
  watch: 'See on #',
  minutes: '# min read',
};

const fr: typeof en = {
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
  watch: 'Voir sur #',
  minutes: '#\u00a0min de lecture',
};

const de: typeof en = {
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
  watch: 'Auf # ansehen',
  minutes: '#\u00a0Min. Lesezeit',
};

const es: typeof en = {
  articles: 'Artículos',
  loading: 'Cargando…',
  empty: 'Todavía no hay artículos.',
  failed: 'No se ha podido cargar el texto.',
  missing: 'Este artículo no está en línea.',
  retry: 'Reintentar',
  more: 'Más artículos',
  back: 'Todos los artículos',
  untitled: 'Sin título',
  table: 'Tabla',
  watch: 'Ver en #',
  minutes: '#\u00a0min de lectura',
};

const it: typeof en = {
  articles: 'Articoli',
  loading: 'Caricamento…',
  empty: 'Non ci sono ancora articoli.',
  failed: 'Il testo non può essere caricato.',
  missing: 'Questo articolo non è online.',
  retry: 'Riprova',
  more: 'Altri articoli',
  back: 'Tutti gli articoli',
  untitled: 'Senza titolo',
  table: 'Tabella',
  watch: 'Guarda su #',
  minutes: '#\u00a0min di lettura',
};

const nl: typeof en = {
  articles: 'Artikelen',
  loading: 'Laden…',
  empty: 'Er zijn nog geen artikelen.',
  failed: 'De tekst kan niet worden geladen.',
  missing: 'Dit artikel is niet online.',
  retry: 'Opnieuw proberen',
  more: 'Meer artikelen',
  back: 'Alle artikelen',
  untitled: 'Zonder titel',
  table: 'Tabel',
  watch: 'Bekijk op #',
  minutes: '#\u00a0min leestijd',
};

/** The words of the component itself, in the language of the nearest `lang`, else in English. */
export function wordsFor(element: Element) {
  const all = { en, fr, de, es, it, nl };
  const [language, words] = Object.entries(all).find(([name]) => element.matches(`:lang(${name})`)) ?? ['en', en];
  const colon = language === 'fr' ? '\u00a0: ' : ': ';
  const timeZone = element.getAttribute('time-zone') || undefined;
  /** @throws a `RangeError` if the attribute `time-zone` names none. */
  const date = (iso: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(iso));
  const watch = (host: string, title: string) => words.watch.replace('#', host) + (title && colon + title);
  const minutes = (count: number) => words.minutes.replace('#', `${count}`);
  /** How many articles came. */
  const added = (count: number) => words.more + colon + count;
  return { ...words, date, watch, minutes, added };
}

export type Words = ReturnType<typeof wordsFor>;
