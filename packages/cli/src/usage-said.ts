// cspell:disable the sentences in French
import type { Both } from '@multilocal/plans/words';
import * as s from 'multilocal/internal/schema';
import { KEYS } from './errors-said.js';

/** What a usage error says, and what to do. */
type Usage = readonly [said: Both, hint: Both];

const ONLY_ONE: Both = ['Pass only one of them.', 'N’en donnez qu’un.'];
const CHECK_PATH: Both = ['Check its path and its rights.', 'Vérifiez son chemin et ses droits.'];
const SAVE: Both = ['Save it as UTF-8.', 'Enregistrez-le en UTF-8.'];
const ROWS: Both = [
  'Rows are a CSV file. Its first line with text names the columns.',
  'Les lignes sont un fichier CSV. Sa première ligne remplie nomme les colonnes.',
];
const SOURCES: Both = [
  'A plan is made of a campaign (.yaml, .json), or of a table of posts (.csv).',
  'Un plan se fait avec une campagne (.yaml, .json), ou avec un tableau de posts (.csv).',
];
const SETTLE: Both = [
  '`npx multilocal journal settle <key> applied|not_applied` notes what you have seen in the service.',
  '`npx multilocal journal settle <clé> applied|not_applied` note ce que vous avez vu dans le service.',
];
const ZONES = example('`--zone Europe/Paris --zone bul_reunion=Indian/Reunion`');
const KEY_PIPE: Both = [
  'Send the key to the command, for example from a secret manager: `secret-tool … | npx multilocal …`.',
  'Envoyez la clé à la commande, par exemple depuis un gestionnaire de secrets : `secret-tool … | npx multilocal …`.',
];

/** What carries a plan out, or does not ask before. Nobody who meant something else is told to. */
const UNASKED: ReadonlySet<string> = new Set(['run', 'yes']);

/** Ends a sentence about an unknown name, if a known one is near. */
function meant(name: string, known: readonly string[]): Both {
  const near = s.nearest(name, known);
  return near === undefined ? ['', ''] : [` Did you mean \`${near}\`?`, ` Vouliez-vous dire \`${near}\` ?`];
}

/** What a client needs and does not have, and what works without it. */
export const MISSING = {
  key: [
    'There is no key. Set MULTILOCAL_API_KEY, or use `--key-file` or `--key-stdin`.',
    'Il n’y a pas de clé. Réglez MULTILOCAL_API_KEY, ou utilisez `--key-file` ou `--key-stdin`.',
  ],
  address: [
    'There is no address. Set MULTILOCAL_BASE_URL, or use `--base-url`.',
    'Il n’y a pas d’adresse. Réglez MULTILOCAL_BASE_URL, ou utilisez `--base-url`.',
  ],
  offline: [
    'Without a key, as in a pull request of a fork, `--offline` checks the plan with its schemas. It sends nothing.',
    'Sans clé, comme pour une contribution venue d’un fork, `--offline` vérifie le plan avec ses schémas. Rien n’est envoyé.',
  ],
} as const satisfies Record<string, Both>;

/** The failure of a result that the system refuses. */
export const unwritable = (file: string, code: string) => ({
  code: 'file_unusable',
  said: [`${file} cannot be written (${code}).`, `${file} ne peut être écrit (${code}).`] as const,
  advice: [
    'Check the folder, its rights and the space on the disk.',
    'Vérifiez le dossier, ses droits et la place sur le disque.',
  ] as const,
});

/** What is wrong with a command line and the files that it names. */
export const USAGE = {
  // Flags and arguments.
  needsValue: (command: string, flag: string): Usage => [
    [`\`--${flag}\` needs a value.`, `\`--${flag}\` demande une valeur.`],
    helpOf(command),
  ],
  takesNoValue: (command: string, flag: string): Usage => [
    [`\`--${flag}\` takes no value.`, `\`--${flag}\` ne prend pas de valeur.`],
    helpOf(command),
  ],
  twice: (flag: string): Usage => [
    [`\`--${flag}\` has two values that exclude each other.`, `\`--${flag}\` a deux valeurs qui s’excluent.`],
    ONLY_ONE,
  ],
  choices: (command: string, flag: string, choices: readonly string[]): Usage => [
    [`\`--${flag}\` must be ${choices.join(' or ')}.`, `\`--${flag}\` doit être ${choices.join(' ou ')}.`],
    helpOf(command),
  ],
  needsArgument: (command: string, missing: string): Usage => [
    [`\`${command}\` needs <${missing}>.`, `\`${command}\` demande <${missing}>.`],
    helpOf(command),
  ],
  surplus: (command: string, wanted: readonly string[], given: number): Usage => {
    const names = `<${wanted.join('> <')}>`;
    const [en, fr] =
      wanted.length === 0
        ? ['takes no arguments', 'ne prend pas d’argument']
        : [`takes only ${names}`, `ne prend que ${names}`];
    return [[`\`${command}\` ${en}; received ${given}.`, `\`${command}\` ${fr} ; reçu : ${given}.`], helpOf(command)];
  },
  keyInSight: (): Usage => [
    [
      'A key on the command line can be read by other programs, so there is no flag for it.',
      'D’autres programmes peuvent lire une clé sur la ligne de commande : aucune option ne la prend.',
    ],
    [
      'Set MULTILOCAL_API_KEY, or use `--key-file` or `--key-stdin`.',
      'Réglez MULTILOCAL_API_KEY, ou utilisez `--key-file` ou `--key-stdin`.',
    ],
  ],
  unknownFlag: (command: string, flag: string, known: readonly string[]): Usage => {
    const isWord = /^[\w-]{1,30}$/.test(flag);
    const [en, fr] = meant(
      `--${flag}`,
      known.filter((one) => !UNASKED.has(one)).map((one) => `--${one}`),
    );
    return [
      [
        `${isWord ? `\`--${flag}\`` : 'A flag'} is unknown to \`${command}\`.${en}`,
        `\`${command}\` ne connaît pas ${isWord ? `\`--${flag}\`` : 'une option'}.${fr}`,
      ],
      helpOf(command),
    ];
  },
  integer: (flag: string, min: number): Usage => [
    [`\`--${flag}\` must be an integer, ${min} or more.`, `\`--${flag}\` doit être un nombre entier, ${min} ou plus.`],
    example(`\`--${flag} ${Math.max(min, 20)}\``),
  ],
  duration: (flag: string): Usage => [
    [
      `\`--${flag}\` must be a number of ms, or a time such as 30s, 10m or 1h.`,
      `\`--${flag}\` doit être un nombre de ms, ou une durée telle que 30s, 10m ou 1h.`,
    ],
    example(`\`--${flag} 30s\``),
  ],
  together: (flag: string, other: string, why: Both = ['', '']): Usage => [
    [
      `\`--${flag}\` cannot be combined with \`--${other}\`${why[0]}.`,
      `\`--${flag}\` ne va pas avec \`--${other}\`${why[1]}.`,
    ],
    ONLY_ONE,
  ],
  needsYes: (): Usage => [
    [
      'Without a terminal, `--run` needs `--yes`. Nothing was sent.',
      'Sans terminal, `--run` demande `--yes`. Rien n’a été envoyé.',
    ],
    [
      'Add `--yes` to carry the plan out, or leave out `--run` to rehearse it.',
      'Ajoutez `--yes` pour exécuter le plan, ou retirez `--run` pour le répéter.',
    ],
  ],
  longRehearsal: (requests: number, { left, limit }: { left: number; limit: number }): Usage => [
    [
      `The rehearsal needs up to ${requests} requests. The key has ${left} left of ${limit} a day.`,
      `La répétition demande jusqu’à ${requests} requêtes. Il en reste ${left} sur les ${limit} par jour de la clé.`,
    ],
    [
      'Make smaller plans of it, or let it wait for the next day: `--max-wait 24h`.',
      'Faites-en des plans plus petits, ou laissez-la attendre le lendemain : `--max-wait 24h`.',
    ],
  ],
  report: (): Usage => [
    ['`--report` must be gitlab or markdown=<file>.', '`--report` doit être gitlab ou markdown=<fichier>.'],
    ['Repeat the flag for both.', 'Répétez l’option pour avoir les deux.'],
  ],
  belongsToContract: (flag: string): Usage => [
    [`\`--${flag}\` belongs to \`--contract\`.`, `\`--${flag}\` va avec \`--contract\`.`],
    ['Add `--contract`.', 'Ajoutez `--contract`.'],
  ],
  probe: (): Usage => [
    ['`--probe-dry-run` takes the location that it may use.', '`--probe-dry-run` prend le lieu qu’il peut utiliser.'],
    [
      'Example: `--probe-dry-run bulle_id=<id>`. `npx multilocal call bulles.list` lists the ids.',
      'Exemple : `--probe-dry-run bulle_id=<id>`. `npx multilocal call bulles.list` montre les identifiants.',
    ],
  ],
  // The journal.
  settle: (): Usage => [
    [
      '`journal settle` needs a key and `applied` or `not_applied`.',
      '`journal settle` demande une clé et `applied` ou `not_applied`.',
    ],
    SETTLE,
  ],
  idOfNothing: (): Usage => [
    [
      '`--id` belongs to `applied`: what did not happen has made nothing.',
      '`--id` va avec `applied` : ce qui n’a pas eu lieu n’a rien créé.',
    ],
    SETTLE,
  ],
  journalTakes: (): Usage => [
    ['`journal` takes only a plan, or `settle`.', '`journal` ne prend qu’un plan, ou `settle`.'],
    SETTLE,
  ],
  belongsToSettle: (flag: string): Usage => [
    [`\`--${flag}\` belongs to \`journal settle\`.`, `\`--${flag}\` va avec \`journal settle\`.`],
    SETTLE,
  ],
  keyNotIn: (file: string): Usage => [[`The key is not in ${file}.`, `La clé n’est pas dans ${file}.`], KEYS],
  // Campaigns and tables.
  sameFile: (): Usage => [
    ['The same file is named twice. Nothing was written.', 'Le même fichier est nommé deux fois. Rien n’a été écrit.'],
    ['Give each result a file of its own.', 'Donnez à chaque résultat son fichier.'],
  ],
  rowsOfTable: (): Usage => [
    [
      '`--rows` is for campaigns. A table has rows of its own.',
      '`--rows` est pour les campagnes. Un tableau a ses propres lignes.',
    ],
    SOURCES,
  ],
  needsZone: (): Usage => [
    [
      'A table of posts needs `--zone`, the time zone of its locations.',
      'Un tableau de posts demande `--zone`, le fuseau horaire de ses lieux.',
    ],
    ZONES,
  ],
  zones: (): Usage => [
    [
      '`--zone` must be a time zone, and `<bulle_id>=<zone>` for single locations.',
      '`--zone` doit être un fuseau horaire, puis `<bulle_id>=<fuseau>` pour certains lieux.',
    ],
    ZONES,
  ],
  forTables: (flag: string): Usage => [
    [
      `\`--${flag}\` is for tables of posts (.csv). A campaign says it itself.`,
      `\`--${flag}\` est pour les tableaux de posts (.csv). Une campagne le dit elle-même.`,
    ],
    SOURCES,
  ],
  calendarFile: (): Usage => [
    [
      '`--calendar` needs a file that ends in .html, .ics or .csv.',
      '`--calendar` demande un fichier qui finit par .html, .ics ou .csv.',
    ],
    ['The ending is the format.', 'La fin du nom est le format.'],
  ],
  noPicture: (file: string): Usage => [
    [`${file} is no picture.`, `${file} n’est pas une image.`],
    ['Give a PNG, JPEG, GIF, WebP or SVG file.', 'Donnez un fichier PNG, JPEG, GIF, WebP ou SVG.'],
  ],
  largePicture: (file: string, kilobytes: number, most: number): Usage => [
    [
      `${file} has ${kilobytes} kB, and a logo may have ${most} kB.`,
      `${file} pèse ${kilobytes} ko, et un logo ne peut dépasser ${most} ko.`,
    ],
    [
      'Make the picture smaller: a page with a large one is no mail.',
      'Réduisez l’image : une page trop lourde ne s’envoie pas par e-mail.',
    ],
  ],
  // Files.
  unreadable: (file: string, code: string): Usage => [
    [`${file} cannot be read (${code}).`, `${file} ne peut être lu (${code}).`],
    CHECK_PATH,
  ],
  unreadableFile: (flag: string, code: string): Usage => [
    [`The file of \`${flag}\` cannot be read (${code}).`, `Le fichier de \`${flag}\` ne peut être lu (${code}).`],
    CHECK_PATH,
  ],
  noUnicode: (file: string): Usage => [
    [`${file} is neither UTF-8 nor UTF-16 text.`, `${file} n’est un texte ni en UTF-8 ni en UTF-16.`],
    SAVE,
  ],
  noDocument: (place: (said: string) => string, said: Both): Usage => [
    [place(said[0]), place(said[1])],
    [
      'It must be a JSON file, or a YAML file that ends in .yaml or .yml.',
      'Un fichier JSON est attendu, ou un fichier YAML qui finit par .yaml ou .yml.',
    ],
  ],
  row: (place: string, what: 'quotes' | 'names' | 'more' | 'unnamed'): Usage => {
    const said = {
      quotes: [
        'The quotation marks of this row do not match.',
        'Les guillemets de cette ligne ne vont pas par paires.',
      ],
      names: ['Two columns have the same name.', 'Deux colonnes ont le même nom.'],
      more: [
        'This row has more cells than there are columns.',
        'Cette ligne a plus de cellules qu’il n’y a de colonnes.',
      ],
      unnamed: [
        'This row has a cell in a column without a name.',
        'Cette ligne a une cellule dans une colonne sans nom.',
      ],
    } as const;
    return [[`${place}: ${said[what][0]}`, `${place} : ${said[what][1]}`], ROWS];
  },
  noIds: (place: string): Usage => [
    [`${place}: There is no column \`bulle_id\`.`, `${place} : Il n’y a pas de colonne \`bulle_id\`.`],
    ROWS,
  ],
  unknownEncoding: (place: string): Usage => [
    [
      `${place}: The text is neither UTF-8, UTF-16 nor Windows-1252, but perhaps MS-DOS or Macintosh.`,
      `${place} : Le texte n’est ni en UTF-8, ni en UTF-16, ni en Windows-1252, mais peut-être en MS-DOS ou Macintosh.`,
    ],
    ['Save it as UTF-8. In Excel: "CSV UTF-8".', 'Enregistrez-le en UTF-8. Dans Excel : « CSV UTF-8 ».'],
  ],
  // The key.
  keyFromTerminal: (): Usage => [
    [
      '`--key-stdin` reads the key from a pipe, not from a terminal.',
      '`--key-stdin` lit la clé dans un tube, non dans un terminal.',
    ],
    KEY_PIPE,
  ],
  noKeyInPipe: (): Usage => [['`--key-stdin` received no key.', '`--key-stdin` n’a reçu aucune clé.'], KEY_PIPE],
  namedKey: (): Usage => [
    ['`NAME=` stands before the key.', '`NOM=` est devant la clé.'],
    ['Keep only what follows `=`.', 'Ne gardez que ce qui suit `=`.'],
  ],
  keyInUtf16: (): Usage => [
    ['The file of `--key-file` is UTF-16, not UTF-8.', 'Le fichier de `--key-file` est en UTF-16, non en UTF-8.'],
    [
      'PowerShell 5 writes UTF-16 with `>`. Save it as UTF-8: `… | Set-Content -Encoding ascii <file>`.',
      'PowerShell 5 écrit en UTF-16 avec `>`. Enregistrez-le en UTF-8 : `… | Set-Content -Encoding ascii <fichier>`.',
    ],
  ],
  noKeyInFile: (): Usage => [
    ['The file of `--key-file` is empty.', 'Le fichier de `--key-file` est vide.'],
    ['It must contain the key only.', 'Il doit contenir la clé, et rien d’autre.'],
  ],
} as const;

function helpOf(command: string): Both {
  return [
    `\`npx multilocal ${command} --help\` lists the flags.`,
    `\`npx multilocal ${command} --help\` montre les options.`,
  ];
}

function example(code: string): Both {
  return [`Example: ${code}.`, `Exemple : ${code}.`];
}
