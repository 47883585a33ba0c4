// cspell:disable the words of a calendar in French
import { rowOf } from '@multilocal/plans/operations';
import type { Locale } from '@multilocal/plans/words';

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const en = {
  locale: 'en' as Locale,
  title: 'Publications',
  publications: (count: number) => counted(count, 'publication'),
  locations: (count: number) => counted(count, 'location'),
  span: (first: string, last: string) => `${first} to ${last}`,
  zone: (name: string, zone: string) => `Times are local: ${name} (${zone})`,
  undated: 'Without a fixed date',
  nothing: 'Nothing is planned.',
  now: 'When the plan is carried out',
  later: 'One hour after the plan is carried out',
  withoutDate: 'without a date',
  several: 'Several times',
  plan: 'Plan',
  placed: 'This code stands for exactly these publications. If a text, a date or a location changes, the code changes.',
  unplaced:
    'This code stands for these texts and dates. Some actions name no location: approve the code that a rehearsal with your key shows.',
  approve: 'Approve by e-mail',
  approved: (names: string, codes: string) => `Approved: ${names} (${codes})`,
  body: 'I approve exactly these publications:',
  sign: ['Date', 'Name', 'Signature'],
  colon: ': ',
  columns: 'date,time,zone,utc,bulle_id,location,city,platforms,text,links,operation,remark,plan,hash',
  /** Where its words stand in `LABELS`. */
  labels: 0,
  client: (name: string) => `For ${name}`,
  leftOvers: (count: number) => `${count} of an earlier version`,
  onDay: (day: string, time: string) => `${day}, ${time}`,
  movedTo: (when: string) => `Instead of it: ${when}`,
  movedFrom: (when: string) => `Instead of the publication of ${when}`,
};

const fr: typeof en = {
  locale: 'fr',
  title: 'Publications',
  publications: (count) => `${count} publication${count > 1 ? 's' : ''}`,
  locations: (count) => `${count} lieu${count > 1 ? 'x' : ''}`,
  span: (first, last) => `du ${first} au ${last}`,
  zone: (name, zone) => `Heures locales : ${name} (${zone})`,
  undated: 'Sans date fixe',
  nothing: 'Rien n’est prévu.',
  now: 'À l’exécution du plan',
  later: 'Une heure après l’exécution du plan',
  withoutDate: 'sans date',
  several: 'Plusieurs heures',
  plan: 'Plan',
  placed:
    'Ce code représente exactement ces publications. Si un texte, une date ou un lieu change, le code change aussi.',
  unplaced:
    'Ce code représente ces textes et ces dates. Certaines actions ne nomment aucun lieu : approuvez le code qu’une répétition avec votre clé affiche.',
  approve: 'J’approuve par e-mail',
  approved: (names, codes) => `Approuvé : ${names} (${codes})`,
  body: 'J’approuve exactement ces publications :',
  sign: ['Date', 'Nom', 'Signature'],
  colon: ' : ',
  columns: 'date,heure,fuseau,utc,bulle_id,lieu,ville,réseaux,texte,liens,opération,remarque,plan,code',
  labels: 1,
  client: (name) => `Pour ${name}`,
  leftOvers: (count) => `${count} d’une version précédente`,
  onDay: (day, time) => `${day} à ${time}`,
  movedTo: (when) => `À sa place : ${when}`,
  movedFrom: (when) => `À la place de la publication du ${when}`,
};

/** Every word of a calendar, by language. */
export const WORDS: Readonly<Record<Locale, typeof en>> = { en, fr };

export type Words = typeof en;

/** The words for parameters and statuses, in English and French. Operations have theirs. */
const LABELS: ReadonlyMap<string, readonly [string, string]> = new Map(
  Object.entries({
    review: ['review', 'avis'],
    title: ['title', 'titre'],
    target_keyword: ['target_keyword', 'mot-clé'],
    field: ['field', 'champ'],
    value: ['value', 'valeur'],
    pending: ['pending', 'en attente'],
    published: ['published', 'publié'],
    error: ['error', 'en échec'],
    // What became of an action.
    open: ['not carried out', 'à exécuter'],
    scheduled: ['pending', 'en attente'],
    publishing: ['publishing', 'en cours de publication'],
    online: ['online', 'en ligne'],
    done: ['done', 'fait'],
    failed: ['failed', 'en échec'],
    gone: ['gone', 'supprimée'],
    'several gone': ['gone', 'supprimées'],
    unknown: ['of unknown outcome', 'résultat inconnu'],
    // What becomes of the posts of an earlier version of the plan.
    delete: ['Deleted: it does not appear', 'Supprimée : elle ne paraîtra pas'],
    adopt: ['Moved or changed', 'Déplacée ou modifiée'],
    keep: ['Stays, beside the plan', 'Reste, à côté du plan'],
    refuse: ['Still scheduled, and no longer in the plan', 'Toujours programmée, mais absente du plan'],
    // The words of a location.
    name: ['location', 'lieu'],
    city: ['city', 'ville'],
  }),
);

/** The word for an operation, a parameter or a status of so many publications, or the name itself. */
export function labelOf({ labels }: Words, name: string, count = 1): string {
  const label = count > 1 ? LABELS.get(`several ${name}`) : undefined;
  return (label ?? rowOf(name).label ?? LABELS.get(name))?.[labels] ?? name;
}

const TAGS = { en: 'en-GB', fr: 'fr-FR' } as const;

/** `Thursday 24 December 2026`, `jeudi 24 décembre 2026`. Runtimes put a comma there or not. */
export function dayInWords(day: string, locale: Locale): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  const words = new Date(`${day}T00:00Z`).toLocaleDateString(TAGS[locale], options).replace(',', '');
  return locale === 'fr' ? words.replace(' 1 ', ' 1er ') : words;
}

/** `heure de La Réunion`. */
export function zoneInWords(timeZone: string, moment: Date, locale: Locale): string {
  const format = new Intl.DateTimeFormat(TAGS[locale], { timeZone, timeZoneName: 'longGeneric' });
  return format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
