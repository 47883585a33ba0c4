import { getImage } from 'astro:assets';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Article } from 'multilocal';
import { CARD, colourOf, drawCard } from './card';
import { webAddress } from './content';
import { file } from './font';
import { pictureOf } from './pictures';
import { address, site } from './site';
import css from './styles/site.css?raw';

/** The logo, if it is a drawing. */
const logo = site.logo?.endsWith('.svg') ? readFileSync(join('public', site.logo), 'utf8') : undefined;

/** What networks show of a page. */
export interface Social {
  src: string;
  width: number;
  height: number;
  alt: string;
}

/** The colour of a browser around the page. */
export const paper = colourOf(css, 'paper');

/** Returns the card with a title. `pages/cards/[card].png.ts` makes it under this name. */
export const cardOf = (name: string, title: string): Social => ({
  src: address(`cards/${name}.png`).href,
  ...CARD,
  alt: title,
});

/** Of every page that is no article and no category. */
export const siteCard: Social = site.picture
  ? { src: address(site.picture).href, ...CARD, alt: site.name }
  : cardOf('site', site.name);

/** Of an article: its picture, if a build has copied one that is large enough, else a card. */
export async function socialOf({ id, title, featured_image_url }: Article): Promise<Social> {
  const picture = await pictureOf(featured_image_url);
  const src = webAddress(featured_image_url);
  if (!src || !picture?.srcset || (picture.width ?? 0) < 1000) return cardOf(`article-${id}`, title ?? site.name);
  const image = await getImage({ src, inferSize: true, ...CARD, fit: 'cover', format: 'jpeg' });
  return { src: new URL(image.src, site.url).href, ...CARD, alt: title ?? '' };
}

export const draw = (title: string) => drawCard(title, { css, font: file, logo, folder: '.cache/cards' });
