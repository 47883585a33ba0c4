import type { Article } from 'multilocal/articles';
import { element } from '../dom.js';
import { sanitise } from '../sanitise.js';
import { typeset } from '../site.js';
import { byline } from './byline.js';
import { cover } from './cover.js';
import { card } from './home.js';
import { typesetProse } from './prose.js';

const WORDS_PER_MINUTE = 220;

/** One article, and three others to read next. */
export function articlePage(article: Article, all: readonly Article[]): Node {
  const text = element('div', { class: 'prose' }, typesetProse(sanitise(article.content_html ?? '')));
  const words = text.textContent.trim().split(/\s+/).length;
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
  const next = nextReads(article, all);
  return element(
    'div',
    { class: 'reading' },
    element(
      'article',
      { 'aria-labelledby': 'title' },
      element(
        'header',
        {},
        element('nav', { 'aria-label': 'Fil d’Ariane' }, element('a', { class: 'back', href: '/' }, 'Le journal')),
        article.category ? element('p', { class: 'kicker' }, article.category) : undefined,
        element('h1', { id: 'title', tabindex: '-1' }, typeset(article.title)),
        byline(article, `${minutes} min de lecture`),
      ),
      cover(article),
      text,
    ),
    next.length > 0
      ? element(
          'aside',
          { 'aria-labelledby': 'next' },
          element('h2', { class: 'section-title', id: 'next' }, 'À lire ensuite'),
          element('ul', { class: 'cards' }, ...next.map(card)),
        )
      : undefined,
  );
}

/** The newest of the same category, then the newest of all. */
function nextReads(article: Article, all: readonly Article[]): Article[] {
  const others = all.filter(({ id }) => id !== article.id);
  const isNear = ({ category }: Article) => category === article.category;
  return [...others.filter(isNear), ...others.filter((other) => !isNear(other))].slice(0, 3);
}
