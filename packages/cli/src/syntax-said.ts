// cspell:disable the sentences in French
import type { Both } from '@multilocal/plans/words';

/** What is wrong with a file that is no JSON, by the code of its parser. */
const JSON_ERRORS: Readonly<Record<string, Both>> = {
  PropertyNameExpected: [
    'a name in double quotes is expected here (no comma may follow the last field)',
    'un nom entre guillemets doubles est attendu ici (pas de virgule après le dernier champ)',
  ],
  ValueExpected: [
    'a value is expected here (no comma may follow the last value)',
    'une valeur est attendue ici (pas de virgule après la dernière valeur)',
  ],
  ColonExpected: ['a colon is expected here', 'un deux-points est attendu ici'],
  CommaExpected: ['a comma is expected here', 'une virgule est attendue ici'],
  CloseBraceExpected: ['`}` is expected here', '`}` est attendu ici'],
  CloseBracketExpected: ['`]` is expected here', '`]` est attendu ici'],
  EndOfFileExpected: ['the file should end here', 'le fichier devrait finir ici'],
  InvalidCommentToken: [
    'comments are not allowed (YAML allows them)',
    'les commentaires ne sont pas permis (YAML les permet)',
  ],
  UnexpectedEndOfString: ['this string does not end on its line', 'ce texte ne finit pas sur sa ligne'],
  InvalidEscapeCharacter: [
    'this string has an unknown escape sequence',
    'ce texte a une séquence d’échappement inconnue',
  ],
  InvalidCharacter: [
    'this string has a control character, such as a tab',
    'ce texte a un caractère de contrôle, tel qu’une tabulation',
  ],
};

/** The same for YAML. The last three are our own. */
const YAML_ERRORS: Readonly<Record<string, Both>> = {
  MULTIPLE_DOCS: [
    'a plan is one document, and a second one begins here',
    'un plan est un seul document, et un deuxième commence ici',
  ],
  TAG_RESOLVE_FAILED: [
    'tags are not allowed. Put a text that begins with `!` in quotes',
    'les étiquettes ne sont pas permises. Mettez un texte qui commence par `!` entre guillemets',
  ],
  TAB_AS_INDENT: ['a tab is not allowed as indentation', 'une tabulation n’est pas permise en début de ligne'],
  BAD_INDENT: ['the indentation is wrong', 'le retrait de la ligne est faux'],
  RESOURCE_EXHAUSTION: ['it is nested too deeply', 'il est trop profond'],
  NO_ANCHOR: [
    'this alias has no anchor before it. Put a text that begins with `*` in quotes',
    'cet alias n’a pas d’ancre avant lui. Mettez un texte qui commence par `*` entre guillemets',
  ],
  DUPLICATE: ['duplicate key in this map', 'une clé est en double ici'],
  MERGE: ['`<<` takes a map or a list of maps', '`<<` prend un objet ou une liste d’objets'],
};

/** Why a file cannot be read, by the code of the system. */
const READ_ERRORS: Readonly<Record<string, Both>> = {
  ENOENT: ['There is no such file.', 'Ce fichier n’existe pas.'],
  EISDIR: ['This is a folder. Pass the path of a file.', 'C’est un dossier. Donnez le chemin d’un fichier.'],
  EACCES: ['This file may not be read by this user.', 'Cet utilisateur n’a pas le droit de lire ce fichier.'],
};

/** What is wrong with the text of a plan, a campaign or the columns of a table. */
export const SYNTAX = {
  json: (code: string): Both => {
    const [en, fr] = JSON_ERRORS[code] ?? ['this is not a JSON value', 'ce n’est pas une valeur JSON'];
    return [`The file is not JSON: ${en}.`, `Le fichier n’est pas du JSON : ${fr}.`];
  },
  yaml: (code: string): Both => {
    const [en, fr] = YAML_ERRORS[code] ?? [
      'this line cannot be read. Put a text that contains `: `, or begins with a mark such as `@`, in quotes',
      'cette ligne est illisible. Mettez entre guillemets un texte qui contient ` : ` ou commence par un signe tel que `@`',
    ];
    return [`The file is not YAML: ${en}.`, `Le fichier n’est pas du YAML : ${fr}.`];
  },
  circle: (name: string): Both => [
    `The file cannot be read: \`*${name}\` refers to itself.`,
    `Le fichier est illisible : \`*${name}\` renvoie à lui-même.`,
  ],
  aliases: (): Both => [
    'The file cannot be read: it has too many aliases.',
    'Le fichier est illisible : il a trop d’alias.',
  ],
  duplicate: (): Both => ['Duplicate key in this object.', 'Une clé est en double dans cet objet.'],
  deep: (): Both => ['The file is nested too deeply.', 'Le fichier est trop profond.'],
  quotes: (mark: string): Both => [
    `A text that begins with \`${mark}\` must be in quotes.`,
    `Un texte qui commence par \`${mark}\` doit être entre guillemets.`,
  ],
  comment: (): Both => [
    'Hashtags form a comment here and would be lost. Put the whole text in quotes, or indent the hashtags like their block. A comment begins with `# `.',
    'Les hashtags forment ici un commentaire et seraient perdus. Mettez tout le texte entre guillemets, ou alignez les hashtags sur leur bloc. Un commentaire commence par `# `.',
  ],
  unread: (code: string): Both =>
    READ_ERRORS[code] ?? [`The file cannot be read (${code}).`, `Le fichier ne peut être lu (${code}).`],
  encoding: (): Both => [
    'The file is neither UTF-8 nor UTF-16 text. Save it as UTF-8.',
    'Le fichier n’est un texte ni en UTF-8 ni en UTF-16. Enregistrez-le en UTF-8.',
  ],
  empty: (): Both => ['The file is empty.', 'Le fichier est vide.'],
  readable: (): Both => [
    'A plan is a JSON file, or a YAML file that ends in .yaml or .yml, with a list of `actions`.',
    'Un plan est un fichier JSON, ou un fichier YAML qui finit par .yaml ou .yml, avec une liste `actions`.',
  ],
} as const;
