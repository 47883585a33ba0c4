import { type Article, parseTimestamp } from 'multilocal';

export const SITE = {
  name: 'Les Fournils d’Augustine',
  title: 'Le journal des Fournils d’Augustine',
  description: 'Pains, recettes, saisons et vie des boutiques : ce que nos boulangers ont à raconter.',
} as const;

/** The address of an article on this site. Published articles have a slug, which never changes. */
export const pathOf = ({ id, slug }: Article): string => `/articles/${encodeURIComponent(slug || `article-${id}`)}`;

/** The canonical address of a page, without any query. */
export const urlOf = (path: string): string => new URL(path, location.origin).href;

/**
 * Names of locations begin with the brand's name: for `Les Fournils d'Augustine – Lyon Croix-Rousse`, the end is
 * enough.
 */
export const placeOf = ({ bulle_name }: Article): string | undefined => bulle_name?.split(' – ').at(-1) || undefined;

export const publicationOf = ({ published_at }: Article): Date | undefined => parseTimestamp(published_at) ?? undefined;

/** The address of an image, if a page may show it. */
export const pictureOf = ({ featured_image_url }: Article): string | undefined =>
  featured_image_url?.startsWith('https://') ? featured_image_url : undefined;

/** A text with the no-break spaces of French typography, so that no line begins with a colon. */
export const typeset = (text: string): string =>
  text.replace(/ (?=[;!?])/g, '\u202f').replace(/ (?=[:»])|(?<=«) /g, '\u00a0');
