// cspell:disable the names of entities
const ENTITY = /&(?:#(x[\da-f]+|\d+)|(\w{2,}));/gi;

/**
 * The characters from 128 to 159 of Windows-1252 that texts have: HTML means these by the numbers, and not controls.
 * `TextDecoder` of Node 20 does not know them.
 */
const WINDOWS = '€ ‚ „…†  ‰  Œ    ‘’“”•–— ™  œ   ';

/** The character with a number. `oneLine` removes what is not a character. */
const numbered = (code: number): string => WINDOWS[code - 128] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** The names of the characters from 34 on, with a comma after each character. A letter with an accent needs no name of its own. */
const NAMES = (
  'quot,,,,amp,apos,,,,,,,,,,,,,,,,,,,,,lt,,gt,' +
  ','.repeat(65) +
  'euro,,sbquo,,bdquo,hellip,,,,,,,OElig,,,,,lsquo,rsquo,ldquo,rdquo,bull,ndash,mdash,,trade,,,oelig,,,,' +
  'nbsp,iexcl,,pound,,,,sect,,copy,ordf,laquo,,shy,reg,,deg,plusmn,sup2,sup3,,,para,middot,,sup1,ordm,raquo,frac14,frac12,frac34,iquest,' +
  ',,,,,,AElig,,,,,,,,,,,,,,,,,times,Oslash,,,,,,,szlig,,,,,,,aelig,,,,,,,,,,,,,,,,,,oslash'
).split(',');
/** What follows the letter in `&eacute;`: the names of the combining accents from 768 on, in the same way. */
const ACCENTS = 'grave,acute,circ,tilde,,,,,uml,,ring,,,,,,,,,,,,,,,,,,,,,,,,,,,,,cedil'.split(',');

function named(name: string): string | undefined {
  const accent = ACCENTS.indexOf(name.slice(1));
  if (accent >= 0) return (name.charAt(0) + numbered(768 + accent)).normalize();
  return NAMES.includes(name) ? numbered(34 + NAMES.indexOf(name)) : undefined;
}

/** Replaces the entities of HTML. Names that we do not know stay as they are. */
export const decodeEntities = (text: string): string =>
  text.replace(ENTITY, (entity, code, name) => (code ? numbered(Number(`0${code}`)) : (named(name) ?? entity)));
