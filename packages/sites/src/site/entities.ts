// cspell:disable the names of entities
const ENTITY = /&(?:#(x[\da-f]+|\d+)|(\w{2,}));/gi;

/** What HTML means by the numbers from 128 to 159: the signs of Windows-1252, which `TextDecoder` of Node 20 does not know. */
const WINDOWS = '€ ‚ „…†  ‰  Œ    ‘’“”•–— ™  œ   ';

/** The character with a number. `oneLine` removes what is not a character. */
const numbered = (code: number): string => WINDOWS[code - 128] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** Names of entities, each with its character. `*` is any letter and takes a combining accent: `&eacute;`. */
const NAMED = new Map(
  (
    `amp& lt< gt> quot" apos' nbsp\u00a0 shy\u00ad laquo« raquo» lsquo‘ rsquo’ ldquo“ rdquo” bdquo„ ndash– mdash— hellip… ` +
    'bull• middot· euro€ deg° ordmº sup1¹ sup2² sup3³ frac12½ times× copy© oeligœ OEligŒ szligß ' +
    '*grave\u0300 *acute\u0301 *circ\u0302 *tilde\u0303 *uml\u0308 *ring\u030a *cedil\u0327'
  )
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
);

function named(name: string): string | undefined {
  const accent = NAMED.get(`*${name.slice(1)}`);
  return accent ? (name.charAt(0) + accent).normalize() : NAMED.get(name);
}

/** Replaces the entities of HTML. Names that we do not know stay as they are. */
export const decodeEntities = (text: string): string =>
  text.replace(ENTITY, (entity, code, name) => (code ? numbered(Number(`0${code}`)) : (named(name) ?? entity)));
