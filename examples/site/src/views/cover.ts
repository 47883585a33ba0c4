import type { Article } from 'multilocal/articles';
import { element } from '../dom.js';
import { pictureOf } from '../site.js';
import { drawingOf } from './subject.js';

const PALETTES = 5;

const SVG = 'http://www.w3.org/2000/svg';

/** A drawing of the article's subject, with the article's image over it. */
export function cover(article: Article): HTMLElement {
  const frame = drawing(drawingOf(article), article.id % PALETTES);
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
