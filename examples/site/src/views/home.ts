import type { Article } from 'multilocal/articles';
import { element } from '../dom.js';
import { pathOf, placeOf, publicationOf, SITE, typeset } from '../site.js';
import { byline } from './byline.js';
import { cover } from './cover.js';

/** Number of articles with a card, after the newest one. */
const CARDS = 6;

/** The newest article large, some cards, and the rest by month. */
export function homePage(articles: readonly Article[]): Node {
  const [newest, ...others] = articles;
  const months = new Map<string, Article[]>();
  for (const article of others.slice(CARDS)) {
    const month = monthOf(article);
    months.set(month, [...(months.get(month) ?? []), article]);
  }
  return element(
    'div',
    { class: 'home' },
    element(
      'header',
      { class: 'welcome' },
      element('h1', { tabindex: '-1' }, 'Le journal du fournil'),
      element('p', {}, typeset(SITE.description)),
    ),
    newest && lead(newest),
    section('recent', 'À la une', element('ul', { class: 'cards' }, ...others.slice(0, CARDS).map(card))),
    ...[...months].map(([month, items], index) =>
      section(`month-${index}`, month, element('ul', { class: 'rows' }, ...items.map(row))),
    ),
  );
}

const monthFormat = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'Europe/Paris' });
const dayFormat = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'short', timeZone: 'Europe/Paris' });

function monthOf(article: Article): string {
  const date = publicationOf(article);
  return date ? monthFormat.format(date) : 'Sans date';
}

function section(id: string, title: string, list: HTMLUListElement): HTMLElement | undefined {
  if (list.children.length === 0) return undefined;
  return element('section', { 'aria-labelledby': id }, element('h2', { class: 'section-title', id }, title), list);
}

const kicker = ({ category }: Article): HTMLElement | undefined =>
  category ? element('p', { class: 'kicker' }, category) : undefined;

const titleLink = (article: Article): HTMLElement =>
  element('a', { class: 'headline', href: pathOf(article) }, typeset(article.title));

const lead = (article: Article): HTMLElement =>
  element(
    'article',
    { class: 'lead' },
    cover(article),
    element(
      'div',
      {},
      kicker(article),
      element('h2', {}, titleLink(article)),
      element('p', { class: 'standfirst' }, typeset(article.excerpt ?? '')),
      byline(article),
    ),
  );

export const card = (article: Article): HTMLElement =>
  element(
    'li',
    {},
    element(
      'article',
      { class: 'card' },
      cover(article),
      kicker(article),
      element('h3', {}, titleLink(article)),
      byline(article),
    ),
  );

function row(article: Article): HTMLElement {
  const date = publicationOf(article);
  const about = [article.category, placeOf(article)].filter(Boolean).join(' · ');
  return element(
    'li',
    {},
    element(
      'article',
      { class: 'row' },
      date && element('time', { datetime: date.toISOString() }, dayFormat.format(date)),
      element('h3', {}, titleLink(article)),
      element('p', {}, about),
    ),
  );
}
