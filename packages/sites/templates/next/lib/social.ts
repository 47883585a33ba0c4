import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Article } from 'multilocal';
import { cacheLife } from 'next/cache';
import { CARD, drawCard, drawIcon } from '@/lib/card';
import { pictureOf } from '@/lib/pictures';
import { site, urlOf } from '@/lib/site';

/** The file of `font.ts` from which cards are drawn. */
const FONT = join('node_modules', '@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2');

/** What networks show of an article: its picture, if it is of one of your hosts, else a card. */
export function socialOf({ id, title, featured_image_url }: Article) {
  const alt = title ?? site.name;
  const picture = pictureOf(featured_image_url, '100vw');
  return picture?.srcSet ? { url: urlOf(picture.src), alt } : { url: urlOf(`/cards/article-${id}.png`), ...CARD, alt };
}

/** Draws a card, see `app/cards`. */
export async function cardWith(title: string): Promise<Uint8Array<ArrayBuffer>> {
  'use cache';
  cacheLife('max');
  const [css, font] = await Promise.all([readFile(join('app', 'site.css'), 'utf8'), readFile(FONT)]);
  const logo = site.logo?.endsWith('.svg') ? await readFile(join('public', site.logo), 'utf8') : undefined;
  return drawCard(title, { css, font, logo, folder: join('.next', 'cache', 'cards') });
}

/** Draws the icon as PNG, for phones and browsers that take no SVG. */
export async function iconOf(size: number): Promise<Uint8Array<ArrayBuffer>> {
  'use cache';
  cacheLife('max');
  return drawIcon(await readFile(join('public', 'favicon.svg')), size);
}
