/** A whole number below `below` that looks random and is the same for the same two numbers. */
export function scatter(index: number, salt: number, below: number): number {
  let hash = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) % below;
}

/** Turns a text into a salt for {@link scatter}, so that each id has different data. */
export const saltOf = (text: string): number =>
  [...text].reduce((hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 0x01000193), 0x811c9dc5) >>> 0;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `length` letters and digits, as in the identifiers of other services. */
export const letters = (salt: number, length: number): string =>
  Array.from({ length }, (_, index) => LETTERS[scatter(index, salt, LETTERS.length)]).join('');

/** The item of a list with this number. The list begins again after its end. */
export const cycle = <Item>(list: readonly Item[], number: number): Item => list[number % list.length] as Item;

/** Converts a title to a slug: `L’été à Dijon` becomes `l-ete-a-dijon`. */
export function slugify(text: string): string {
  return text
    .replace(/[œŒ]/g, 'oe')
    .replace(/[æÆ]/g, 'ae')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Puts a name after "de": `de Lyon`, `d’Annecy`. No name of the seed begins with an aspirated h. */
export const of = (name: string): string => (/^[aeiouyh]/i.test(name.normalize('NFD')) ? `d’${name}` : `de ${name}`);

/** Makes the spaces of French punctuation no-break spaces, so that no line begins with a colon. */
export const typeset = (text: string): string =>
  text
    .replace(/ (?=[;!?])/g, '\u202f')
    .replace(/ (?=[:»])/g, '\u00a0')
    .replace(/« /g, '«\u00a0');

/** Cuts a text at a word, for the titles and descriptions that search engines show. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\s,;:.!?’']+\S*$/, '')}…`;
}

/** The breads of the chain, in the form that French sentences need. */
export const BREADS =
  `la baguette de tradition|le pain de campagne|le pain au levain|la tourte de seigle|le pain à l’épeautre
|le pain complet|le pain aux noix|la fougasse aux olives|le pain de mie|la brioche tressée|le pain aux céréales
|la ficelle au sésame|la ciabatta|le pain de maïs|le pain viennois|la baguette aux graines|le pain de sarrasin
|la focaccia au romarin|le pain au petit épeautre|l’étoile de Noël au pavot`.split(/\n?\|/);
