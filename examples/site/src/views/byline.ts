import type { Article } from 'multilocal/articles';
import { element } from '../dom.js';
import { placeOf, publicationOf } from '../site.js';

const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' });

/** When and where: `14 novembre 2026 · Lyon Croix-Rousse`. */
export function byline(article: Article, ...more: string[]): HTMLElement {
  const date = publicationOf(article);
  const parts = [
    date && element('time', { datetime: date.toISOString() }, day.format(date)),
    placeOf(article),
    ...more,
  ].filter((part) => part !== undefined);
  return element('p', { class: 'byline' }, ...parts.map((part) => element('span', {}, part)));
}
