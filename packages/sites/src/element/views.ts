import type { Article } from 'multilocal';
import { excerpt, readingTime, textOf, titleOf } from '../site/text.js';
import { isoOf } from '../site/values.js';
import { contentOf, secureImage } from './content.js';
import { h } from './dom.js';
import type { Words } from './words.js';

/** Grey shapes: three cards, or an article. The live region says the same in words. */
export function loadingView(isArticle: boolean): HTMLElement {
  const lines = () => ['title', 'line', 'line'].map((kind) => h('span', { part: `placeholder ${kind}-placeholder` }));
  const parts = isArticle ? ['loading-article'] : ['card', 'card', 'card'];
  const shapes = parts.map((part) => h('div', { part }, ...lines()));
  return h('div', { part: isArticle ? 'loading' : 'loading items', ariaHidden: 'true' }, ...shapes);
}

/** A sentence, with what the visitor can do about it. `alert`: screen readers say it at once. */
export const noticeView = (text: string, action?: HTMLElement, isAlert = false) =>
  h('div', { part: 'notice', role: isAlert ? 'alert' : null }, h('p', {}, text), action);

export const buttonView = (text: string, part: string, onclick: () => void) =>
  h('button', { type: 'button', part: `button ${part}`, textContent: text, onclick });

/** A link of the component. The element sets its address, which depends on the page. */
export function linkTo(id: number | undefined, text: string, part: string): HTMLAnchorElement {
  const link = h('a', { part, textContent: text });
  link.dataset.article = id === undefined ? '' : String(id);
  return link;
}

export function listView(articles: readonly Article[], words: Words): HTMLElement {
  const items = h('ul', { part: 'items', role: 'list' }, ...articles.map((article) => itemView(article, words)));
  return h('div', { part: 'list', role: 'group', ariaLabel: words.back, tabIndex: -1 }, items);
}

export function itemView(article: Article, words: Words): HTMLElement {
  // As many words as a card has lines for: three, or five without a picture.
  const max = secureImage(article.featured_image_url) ? 120 : 200;
  const teaser = excerpt(article.excerpt, { max }) || excerpt(article.content_html, { max });
  const title = linkTo(article.id, titleIn(article, words), 'link');
  const text = h(
    'div',
    { part: 'card-text' },
    categoryView(article),
    h('h2', { part: 'card-title' }, title),
    teaser ? h('p', { part: 'excerpt' }, teaser) : undefined,
    metaView(article, words),
  );
  return h('li', {}, h('article', { part: 'card' }, imageView(article, 'card-image'), text));
}

export function articleView(article: Article, words: Words, hasList: boolean): HTMLElement {
  const heading = h('h2', { part: 'heading', tabIndex: -1 }, titleIn(article, words));
  return h(
    'article',
    { part: 'article' },
    hasList ? h('p', { part: 'back' }, linkTo(undefined, words.back, 'back-link')) : undefined,
    h('header', { part: 'header' }, categoryView(article), heading, metaView(article, words)),
    imageView(article, 'cover'),
    h('div', { part: 'content' }, ...contentOf(article.content_html ?? '', words)),
  );
}

function categoryView({ category }: Article): HTMLElement | undefined {
  const label = textOf(category);
  return label ? h('p', { part: 'category' }, label) : undefined;
}

const titleIn = (article: Article, { untitled }: Words) => titleOf(article) || untitled;

/** Date and minutes to read, as far as they are known. Everything takes a minute, so one minute says nothing. */
function metaView({ published_at, content_html }: Article, words: Words): HTMLElement | undefined {
  const iso = isoOf(published_at);
  const minutes = readingTime(content_html);
  const date = iso ? h('time', { part: 'date', dateTime: iso }, words.date(iso)) : undefined;
  const time = minutes > 1 ? h('span', { part: 'minutes' }, words.minutes(minutes)) : undefined;
  return date || time ? h('p', { part: 'meta' }, date, time) : undefined;
}

/** The picture beside the title says nothing that the title does not, so it has no text. */
function imageView({ featured_image_url }: Article, part: string): HTMLElement | undefined {
  const src = secureImage(featured_image_url);
  return src ? h('img', { part, alt: '', loading: 'lazy', decoding: 'async', src }) : undefined;
}
