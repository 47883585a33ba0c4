import type { Article } from 'multilocal';
import { excerpt, readingTime } from '../site/text.js';
import { isoOf, textOf, titleOf } from '../site/values.js';
import { contentOf, secureImage } from './content.js';
import { h } from './dom.js';
import type { Words } from './words.js';

/** Number of grey cards while the list is loading. */
const PLACEHOLDERS = 3;

/** Grey shapes. The live region says the same in words. */
export function loadingView(isArticle: boolean): HTMLElement {
  const lines = () => ['title', 'line', 'line'].map((kind) => h('span', { part: `placeholder ${kind}-placeholder` }));
  const shapes = Array.from({ length: isArticle ? 1 : PLACEHOLDERS }, () =>
    h('div', { part: isArticle ? 'loading-article' : 'card' }, ...lines()),
  );
  return h('div', { part: isArticle ? 'loading' : 'loading items', ariaHidden: 'true' }, ...shapes);
}

/** A sentence, with what the visitor can do about it. `alert`: screen readers say it at once. */
export function noticeView(text: string, action?: HTMLElement, isAlert = false): HTMLElement {
  return h('div', { part: 'notice', role: isAlert ? 'alert' : null }, h('p', {}, text), action);
}

export function buttonView(text: string, part: string, onclick: () => void): HTMLButtonElement {
  return h('button', { type: 'button', part: `button ${part}`, textContent: text, onclick });
}

/** A link of the component. The element sets its address, which depends on the page. */
export function linkTo(id: number | undefined, text: string, part: string): HTMLAnchorElement {
  const link = h('a', { part, textContent: text });
  link.dataset.article = id === undefined ? '' : String(id);
  return link;
}

export function listView(articles: readonly Article[], words: Words): HTMLElement {
  const items = h('ul', { part: 'items', role: 'list' }, ...articles.map((article) => itemView(article, words)));
  return h('div', { part: 'list', role: 'group', ariaLabel: words.articles, tabIndex: -1 }, items);
}

export function itemView(article: Article, words: Words): HTMLElement {
  const { id, excerpt: summary, content_html } = article;
  const title = titleOf(article) || words.untitled;
  // More than the three lines that a card shows.
  const teaser = excerpt(textOf(summary) ?? content_html, { max: 280 });
  const card = h(
    'article',
    { part: 'card' },
    initialView(article, title),
    imageView(article, 'card-image'),
    h(
      'div',
      { part: 'card-text' },
      categoryView(article),
      h('h2', { part: 'card-title' }, linkTo(id, title, 'link')),
      teaser ? h('p', { part: 'excerpt' }, teaser) : undefined,
      metaView(article, words),
    ),
  );
  return h('li', {}, card);
}

export function articleView(article: Article, words: Words, hasList: boolean): HTMLElement {
  return h(
    'article',
    { part: 'article' },
    hasList ? h('p', { part: 'back' }, linkTo(undefined, words.back, 'back-link')) : undefined,
    h(
      'header',
      { part: 'header' },
      categoryView(article),
      h('h2', { part: 'heading', tabIndex: -1 }, titleOf(article) || words.untitled),
      metaView(article, words),
    ),
    imageView(article, 'cover'),
    h('div', { part: 'content' }, contentOf(article.content_html ?? '', words.table)),
  );
}

function categoryView({ category }: Article): HTMLElement | undefined {
  const label = textOf(category);
  return label ? h('p', { part: 'category' }, label) : undefined;
}

/** Date and minutes to read, as far as they are known. Everything takes a minute, so one minute says nothing. */
function metaView({ published_at, content_html }: Article, words: Words): HTMLElement | undefined {
  const iso = isoOf(published_at);
  const date = iso && new Intl.DateTimeFormat(words.language, { dateStyle: 'long' }).format(new Date(iso));
  const minutes = readingTime(content_html);
  const parts = [
    iso && date ? h('time', { part: 'date', dateTime: iso }, date) : undefined,
    minutes > 1 ? h('span', { part: 'minutes' }, words.minutes(minutes)) : undefined,
  ];
  return parts.some((part) => part) ? h('p', { part: 'meta' }, ...parts) : undefined;
}

/** The initial of the title, which the picture covers. One of five colours, always the same for a category. */
function initialView({ category }: Article, title: string): HTMLElement {
  // The length of the category's part of an address, by which the template chooses the colour, too.
  const length =
    textOf(category)
      ?.normalize()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('-').length ?? 0;
  const initial = /[\p{L}\p{N}]/u.exec(title)?.[0].toUpperCase();
  return h('div', { part: 'initial', className: `cover-${length % 5}`, ariaHidden: 'true' }, initial);
}

/** The picture beside the title says nothing that the title does not, so it has no text. */
function imageView({ featured_image_url }: Article, part: string): HTMLElement | undefined {
  const src = secureImage(featured_image_url);
  return src ? h('img', { part, alt: '', loading: 'lazy', decoding: 'async', src }) : undefined;
}
