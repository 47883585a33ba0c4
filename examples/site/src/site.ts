import { type Article, parseTimestamp } from 'multilocal';

export const SITE = {
  name: 'Les Fournils d’Augustine',
  title: 'Le journal des Fournils d’Augustine',
  description: 'Pains, recettes, saisons et vie des boutiques : ce que nos boulangers ont à raconter.',
} as const;

/** The address of an article on this site. What is published has a slug, and it never changes. */
export const pathOf = ({ id, slug }: Article): string => `/articles/${encodeURIComponent(slug || `article-${id}`)}`;

/** The one address of a page, whatever query it was opened with. */
export const urlOf = (path: string): string => new URL(path, location.origin).href;

/** Names of locations begin with the brand's: of `Les Fournils d'Augustine – Lyon Croix-Rousse`, the end is enough. */
export const placeOf = ({ bulle_name }: Article): string | undefined => bulle_name?.split(' – ').at(-1) || undefined;

export const publicationOf = ({ published_at }: Article): Date | undefined => parseTimestamp(published_at) ?? undefined;

/** The address of a picture that a page may show. */
export const pictureOf = ({ featured_image_url }: Article): string | undefined =>
  featured_image_url?.startsWith('https://') ? featured_image_url : undefined;

/** The title, where no line begins with a mark that French puts a space before. */
export const titleOf = ({ title }: Article): string => title.replace(/ (?=[?!:;»])|(?<=«) /g, '\u00a0');
