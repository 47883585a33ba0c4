/** The words of the component in each language, in the order of `LANGUAGES`. `#` is a host. */
const WORDS = {
  loading: ['Loading…', 'Chargement…', 'Wird geladen…', 'Cargando…', 'Caricamento…', 'Laden…'],
  empty: [
    'There are no articles yet.',
    'Il n’y a pas encore d’article.',
    'Es gibt noch keine Artikel.',
    'Todavía no hay artículos.',
    'Non ci sono ancora articoli.',
    'Er zijn nog geen artikelen.',
  ],
  failed: [
    'The text could not be loaded.',
    'Le texte n’a pas pu être chargé.',
    'Der Text konnte nicht geladen werden.',
    'El texto no se ha cargado.',
    'Il testo non è stato caricato.',
    'De tekst kan niet worden geladen.',
  ],
  missing: [
    'This article is not online.',
    'Cet article n’est pas en ligne.',
    'Dieser Artikel ist nicht online.',
    'Este artículo no está en línea.',
    'Questo articolo non è online.',
    'Dit artikel is niet online.',
  ],
  retry: ['Try again', 'Réessayer', 'Erneut versuchen', 'Reintentar', 'Riprova', 'Opnieuw proberen'],
  more: ['More articles', 'Plus d’articles', 'Weitere Artikel', 'Más artículos', 'Altri articoli', 'Meer artikelen'],
  /** What the link back leads to, too. */
  back: [
    'All articles',
    'Tous les articles',
    'Alle Artikel',
    'Todos los artículos',
    'Tutti gli articoli',
    'Alle artikelen',
  ],
  untitled: ['Untitled', 'Sans titre', 'Ohne Titel', 'Sin título', 'Senza titolo', 'Zonder titel'],
  table: ['Table', 'Tableau', 'Tabelle', 'Tabla', 'Tabella', 'Tabel'],
  /** A video, a map or a player of another site. */
  watch: ['See on #', 'Voir sur #', 'Auf # ansehen', 'Ver en #', 'Guarda su #', 'Bekijk op #'],
  minutes: ['min read', 'min de lecture', 'Min. Lesezeit', 'min de lectura', 'min di lettura', 'min leestijd'],
};
const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'nl'];

/** The words of the component itself, in the language of the nearest `lang`, else in English. */
export function wordsFor(element: Element) {
  const language = LANGUAGES.find((name) => element.matches(`:lang(${name})`)) ?? 'en';
  const index = LANGUAGES.indexOf(language);
  const rows = Object.entries(WORDS).map(([name, texts]) => [name, texts[index]]);
  const words = Object.fromEntries(rows) as Record<keyof typeof WORDS, string>;
  const colon = language === 'fr' ? '\u00a0: ' : ': ';
  const timeZone = element.getAttribute('time-zone') || undefined;
  /** @throws a `RangeError` if the attribute `time-zone` names none. */
  const date = (iso: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(iso));
  const watch = (host: string, title: string) => words.watch.replace('#', host) + (title && colon + title);
  const minutes = (count: number) => `${count}\u00a0${words.minutes}`;
  /** How many articles came. */
  const added = (count: number) => words.more + colon + count;
  return { ...words, date, watch, minutes, added };
}

export type Words = ReturnType<typeof wordsFor>;
