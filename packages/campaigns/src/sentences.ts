// cspell:disable the sentences in French
import { type Both, inLocale, type Locale } from '@multilocal/plans/words';
import type { Issue } from 'multilocal';
import * as s from 'multilocal/internal/schema';

/** What is wrong with a place, in English and in French. */
export interface Said {
  readonly path: Issue['path'];
  readonly said: Both;
}

/** Says a problem in a language. */
export function toldIn<One extends Said>({ said, ...problem }: One, locale: Locale) {
  return { ...problem, message: inLocale(said, locale) };
}

/** One sentence behind the other. */
function joined(...parts: readonly Both[]): Both {
  return [parts.map(([en]) => en).join(''), parts.map(([, fr]) => fr).join('')];
}

/** Ends a sentence about an unknown name, if a known one is near. */
function meant(name: string, known: readonly string[]): Both {
  const near = s.nearest(name, known);
  return near === undefined ? NOTHING : didYouMean(near);
}

const NOTHING: Both = ['', ''];
const didYouMean = (name: string): Both => [` Did you mean \`${name}\`?`, ` Vouliez-vous dire \`${name}\` ?`];

/** What the campaign or the table itself may hold: the client says it in English only. By the field of a campaign or a post. */
const RULES: Readonly<Record<string, string>> = {
  campaign: 'un nom de 1 à 100 caractères est attendu, sans `/`',
  name: 'un nom de 1 à 100 caractères est attendu, sans `/`',
  at: 'une date et une heure après 1999 sont attendues, sans `Z` ni décalage, telles que 2026-12-24T09:00',
  zone: 'le nom d’un fuseau horaire est attendu, tel que Europe/Paris',
  zones: 'le nom d’un fuseau horaire est attendu pour chaque lieu, tel que Europe/Paris',
  for: '"all", "rows" ou un objet tel que { city: "Lyon" } est attendu',
  post: 'les paramètres d’un post sont attendus',
  columns: 'une colonne est attendue : location, date, time, platforms, text, image, images, video ou key',
  dateOrder: '"dmy" est attendu',
  content: 'un texte de 1 à 5000 caractères est attendu',
  text: 'un texte de 1 à 5000 caractères est attendu',
  platforms:
    'au moins un réseau est attendu, chacun une seule fois : facebook, instagram, gmb, linkedin, pinterest, tiktok, snapchat ou youtube',
  image_url: 'une adresse est attendue',
  image_urls: 'de 2 à 10 adresses sont attendues',
  video_url: 'une adresse est attendue',
};

/** Says a problem that the client has found with its schemas. */
export function saidOf({ path, message }: Issue): Said {
  const [first = '', second = first] = path;
  const rule = RULES[first === 'post' ? second : first];
  return { path, said: [message, rule ?? `valeur à corriger (${message})`] };
}

const PLACE = (row: number): Both => [`Row ${row}`, `Ligne ${row}`];
const COLUMN = (heading: string): Both => [
  `column ${heading.trim() || '(no heading)'}`,
  `colonne ${heading.trim() || '(sans titre)'}`,
];
const COLON: Both = [': ', ' : '];

/** What is wrong with a campaign, a table and their cells. */
export const SAID = {
  damaged: (): Both => [
    'has damaged accents. Save the file again as UTF-8',
    'accents abîmés. Enregistrez à nouveau le fichier en UTF-8',
  ],
  control: (code: string): Both => [
    `has a control character (${code}), which no text has. Write the text again`,
    `caractère de contrôle (${code}), qu’aucun texte ne contient. Saisissez à nouveau le texte`,
  ],
  formula: (shown: string): Both => [
    `is the formula ${shown}. Write its result`,
    `formule ${shown}. Écrivez son résultat`,
  ],
  spreadsheetError: (shown: string): Both => [
    `is ${shown}, an error of the spreadsheet. Correct the cell`,
    `erreur du tableur ${shown}. Corrigez la cellule`,
  ],
  errorOrHashtag: (shown: string): Both => [
    `is ${shown}, which looks like an error of the spreadsheet. Correct the cell, or write a hashtag in small letters`,
    `${shown} ressemble à une erreur du tableur. Corrigez la cellule, ou écrivez un hashtag en minuscules`,
  ],
  noLocation: (): Both => ['is required: the id of a location', 'l’identifiant d’un lieu est obligatoire'],
  unknownId: (id: string, known: readonly string[]): Both =>
    joined(['is not the id of a location of the key.', 'aucun lieu de la clé n’a cet identifiant.'], meant(id, known)),
  misspelled: (variable: string, columns: readonly string[]): Both | undefined => {
    const hint = meant(variable, columns);
    const said: Both = [`has no value for \`{{${variable}}}\`.`, `aucune valeur pour \`{{${variable}}}\`.`];
    return hint === NOTHING ? undefined : joined(said, hint);
  },
  braces: (variable: string): Both => [
    `has braces in the value of \`{{${variable}}}\``,
    `accolades dans la valeur de \`{{${variable}}}\``,
  ],
  noValue: (variable: string, known: readonly string[]): Both =>
    joined(
      [
        `has no value for \`{{${variable}}}\`. Add it to the rows, or write a default: \`{{${variable}|…}}\`.`,
        `aucune valeur pour \`{{${variable}}}\`. Ajoutez-la aux lignes, ou écrivez une valeur par défaut : \`{{${variable}|…}}\`.`,
      ],
      meant(variable, known),
    ),
  noMoment: (problem: string, zone: string): Both => [
    problem,
    `cette heure n’existe pas, ou existe deux fois, dans le fuseau ${zone} : c’est un changement d’heure. Choisissez une autre heure`,
  ],
  notVariable: (): Both => [
    'has braces that are not a variable: write `{{name}}`, or `{{name|default}}`',
    'accolades qui ne sont pas une variable : écrivez `{{nom}}`, ou `{{nom|défaut}}`',
  ],
  unquoted: (): Both => [
    'must be a text: in YAML, put a text with `{{name}}` in quotation marks',
    'un texte est attendu : en YAML, mettez un texte avec `{{nom}}` entre guillemets',
  ],
  // The cells of a table.
  severalLocations: (them: string): Both => [
    `stands for several locations: ${them}. Write the id`,
    `plusieurs lieux possibles : ${them}. Écrivez l’identifiant`,
  ],
  unknownLocation: (part: string | undefined, name: string, known: readonly string[]): Both =>
    joined(
      [
        'is not the id, the name or the city of a location of the key.',
        'aucun lieu de la clé n’a cet identifiant, ce nom ou cette ville.',
      ],
      part === undefined ? meant(name, known) : didYouMean(part),
    ),
  day: (order: 'known' | 'missing' | undefined): Both => {
    const hint = {
      missing: ['. For 24/12/2026, set `dateOrder` to "dmy"', '. Pour 24/12/2026, réglez `dateOrder` sur "dmy"'],
      known: [' or 24/12/2026', ' ou 24/12/2026'],
    } as const;
    const said: Both = ['must be a day such as 2026-12-24', 'un jour est attendu, tel que 2026-12-24'];
    return joined(said, order ? hint[order] : NOTHING);
  },
  year: (): Both => ['must be a day after 1999. Look at the year', 'un jour après 1999 est attendu. Vérifiez l’année'],
  noDay: (): Both => ['must be a day that exists', 'ce jour n’existe pas'],
  time: (): Both => ['must be a time such as 09:00, 9h or 9h30', 'une heure est attendue, telle que 09:00, 9h ou 9h30'],
  platform: (unknown: string, known: readonly string[]): Both =>
    joined([`has an unknown platform "${unknown}".`, `réseau inconnu « ${unknown} ».`], meant(unknown, known)),
  noText: (): Both => ['must be a text or a number', 'un texte ou un nombre est attendu'],
  empty: (): Both => ['is empty', 'cellule vide'],
  noHeading: (): Both => ['is in a column without a heading', 'cellule d’une colonne sans titre'],
  imageTwice: (): Both => [
    'cannot be combined with an image. Put all addresses into one cell',
    'ne va pas avec une image seule. Mettez toutes les adresses dans une cellule',
  ],
  address: (): Both => [
    'must be an address that begins with https://',
    'une adresse qui commence par https:// est attendue',
  ],
  longKey: (): Both => [
    'must have at most 90 characters on one line',
    'une ligne de 90 caractères au plus est attendue',
  ],
  keyOf: (row: number): Both => [`is the key of row ${row}`, `c’est la clé de la ligne ${row}`],
  // Rows and columns.
  inCell: (row: number, heading: string, said: Both): Both =>
    joined(PLACE(row), [', ', ', '], COLUMN(heading), COLON, said),
  ofColumn: (heading: string, said: Both): Both => joined(COLUMN(heading), COLON, said),
  sameMoment: (row: number, first: number): Both =>
    joined(PLACE(row), COLON, [
      `has the location, the date and the time of row ${first}. Give both a key of their own in a column \`key\` (or \`Clé\`)`,
      `même lieu, même date et même heure que la ligne ${first}. Donnez à chacune une clé, dans une colonne \`Clé\``,
    ]),
  missingColumn: (column: string, french: string): Both => [
    `there is no column \`${column}\` (or \`${french}\`)`,
    `il n’y a pas de colonne \`${french}\` (ou \`${column}\`)`,
  ],
  secondColumn: (column: string): Both => [
    `is the column \`${column}\` a second time`,
    `c’est une deuxième colonne \`${column}\``,
  ],
  sameHeading: (): Both => ['is a heading that is here already', 'ce titre est déjà là'],
  unusedHeading: (name: string, near: string | undefined): Both =>
    joined(
      ['no post uses it.', 'aucun post ne l’utilise.'],
      near === undefined ? [` Write \`_${name}\` for a note`, ` Écrivez \`_${name}\` pour une note`] : didYouMean(near),
    ),
  noRow: (): Both => ['there is no row with a post', 'aucune ligne n’a de post'],
  // Campaigns.
  repeatedRow: (): Both => [
    'is in an earlier row too. Keep one of them',
    'ce lieu est déjà dans une ligne précédente. Gardez-en une',
  ],
  keyWithoutLocation: (): Both => ['matches nothing: the key has no location', 'aucun lieu : la clé n’en couvre pas'],
  noRows: (): Both => ['must have at least one row', 'au moins une ligne est nécessaire'],
  valueOfNone: (value: string, present: readonly string[]): Both =>
    joined(['is the value of no location.', 'aucun lieu n’a cette valeur.'], meant(value, present)),
  matchesNone: (): Both => ['matches no location', 'aucun lieu ne correspond'],
  unusedColumn: (name: string): Both => [
    `have a column \`${name}\` that no text uses. Write \`{{${name}}}\` in a text, or \`_${name}\` for a note`,
    `aucun texte n’utilise la colonne \`${name}\`. Écrivez \`{{${name}}}\` dans un texte, ou \`_${name}\` pour une note`,
  ],
  unknownField: (english: string, name: string, known: readonly string[]): Both => {
    const [, hint] = meant(name, known);
    return [english, `aucun lieu n’a ce champ.${hint}`];
  },
  givenByFor: (): Both => ['must be absent: `for` chooses the locations', 'à retirer : `for` choisit les lieux'],
  givenByAt: (): Both => [
    'must be absent: `at` is the moment of the posts',
    'à retirer : `at` est le moment des posts',
  ],
} as const;
