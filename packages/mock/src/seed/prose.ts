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
  text.replace(/ (?=[;!?])/g, '\u202f').replace(/ (?=[:»])|(?<=«) /g, '\u00a0');

/** Escapes titles, which come from users. The texts of the seed need no escaping. */
export const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

export const paragraph = (text: string): string => `<p>${text}</p>`;
export const heading = (text: string, level = 2): string => `<h${level}>${text}</h${level}>`;
export const bullets = (items: readonly string[], tag: 'ul' | 'ol' = 'ul'): string =>
  `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;

/** Cuts a text at a word, for the titles and descriptions that search engines show. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\s,;:.!?’']+\S*$/, '')}…`;
}

/**
 * Returns `count` items of the list from `start` on, and continues at the beginning: a choice without chance or
 * repetition.
 */
export const pick = <T>(list: readonly T[], start: number, count: number): T[] =>
  Array.from({ length: Math.min(count, list.length) }, (_, index) => list[(start + index) % list.length] as T);

/** The breads of the chain, in the form that French sentences need. */
export const BREADS = [
  'la baguette de tradition',
  'le pain de campagne',
  'le pain au levain',
  'la tourte de seigle',
  'le pain à l’épeautre',
  'le pain complet',
  'le pain aux noix',
  'la fougasse aux olives',
  'le pain de mie',
  'la brioche tressée',
  'le pain aux céréales',
  'la ficelle au sésame',
  'la ciabatta',
  'le pain de maïs',
  'le pain viennois',
  'la baguette aux graines',
  'le pain de sarrasin',
  'la focaccia au romarin',
  'le pain au petit épeautre',
  'l’étoile de Noël au pavot',
] as const;
