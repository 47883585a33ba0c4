import type { Article } from 'multilocal/articles';
import { element } from '../dom.js';
import { pictureOf } from '../site.js';

/** Drawings in `public/covers.svg`, by category. */
const DRAWINGS: Readonly<Record<string, readonly string[]>> = {
  'Nos pains': ['loaf', 'baguettes', 'croissant'],
  Recettes: ['bowl', 'tart', 'jar'],
  Saisons: ['field', 'branch'],
  'La vie des boutiques': ['shop', 'oven'],
};
const OTHERS = ['wheat', 'loaf'];
const PALETTES = 5;
/** Multiples of it, modulo 1, are far apart for neighbours and for every step between ids. */
const GOLDEN_RATIO = 0.618034;

const SVG = 'http://www.w3.org/2000/svg';

/** A drawing that fits the category and is always the same for an article, with the article's image over it. */
export function cover(article: Article): HTMLElement {
  const { id, category } = article;
  const drawings = DRAWINGS[category ?? ''] ?? OTHERS;
  const name = drawings[Math.floor(((id * GOLDEN_RATIO) % 1) * drawings.length)];
  const frame = drawing(name ?? 'wheat', id % PALETTES);
  const src = pictureOf(article);
  if (src) {
    const picture = element('img', { src, alt: '', loading: 'lazy', decoding: 'async' });
    picture.addEventListener('error', () => picture.remove());
    frame.append(picture);
  }
  return frame;
}

/** A drawing of `public/covers.svg` in the colours of a palette of `base.css`. It is only decoration. */
export function drawing(name: string, palette: number): HTMLElement {
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `/covers.svg#${name}`);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 400 300');
  svg.setAttribute('preserveAspectRatio', 'xMidYMid slice');
  svg.append(use);
  return element('div', { class: 'cover', 'aria-hidden': 'true', 'data-palette': String(palette) }, svg);
}
