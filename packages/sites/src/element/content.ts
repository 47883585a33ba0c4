import DOMPurify from 'dompurify';
import { isLoopback } from 'multilocal/internal/config';
import { decodeEntities } from '../site/entities.js';
import { escapeHtml, webAddress } from '../site/values.js';
import { h } from './dom.js';
import type { Words } from './words.js';

/** What an article may contain. Of the others, only the words stay. */
const ELEMENTS =
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p picture pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'.split(
    ' ',
  );
/** What runs, styles or asks, and what is no text: it is removed with its content. */
const REMOVED =
  'html script style x-style template svg math form button select textarea noscript noembed noframes iframe object video audio canvas title xmp plaintext'.split(
    ' ',
  );
const ATTRIBUTES =
  'abbr alt cite colspan data-lazy-src data-src datetime dir headers height href id lang name reversed rowspan scope span src start title type value width'.split(
    ' ',
  );

/** The Sanitizer API, which the types of TypeScript do not have yet. */
interface Sanitizing {
  setHTML?(html: string, options: { sanitizer: Record<string, string[]> }): void;
}

/** A start tag. It ends at `<`, so that no input takes quadratic time. */
const TAG = /<[a-z][^\s/<>"']*(?=[\s/>])(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi;
/** The values of attributes, which stay, and the attributes that run or style. */
const ATTRIBUTE = /=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+)|\b(?:on\w+|style)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']*)/gi;

/** A frame or a player: its start tag, and what it holds for browsers without it. What an object holds stays. */
const EMBED =
  /<(?:(iframe|video|audio)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>(?:((?:(?!<\/?(?:iframe|video|audio)\b)[\s\S]){0,5000})<\/\1\s*>)?|(?:object|embed)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>)/gi;
/** One attribute after the other, so that nothing within the value of another one is read. */
const VALUE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/g;
/** Where editors keep the address of what loads late. */
const LATE = ['data-src', 'data-lazy-src'];
const SOURCES = ['src', 'data', ...LATE];
/** A player that refuses to be a page. Those of other hosts are pages, too. */
const YOUTUBE = /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/(?!videoseries)([\w-]+).*/;

/** The attributes of a tag. Of two with one name, the first counts. */
function valuesOf(tag = ''): Record<string, string> {
  const values = Array.from(tag.matchAll(VALUE), ([, name = '', one, two, three = '']) => [
    name.toLowerCase(),
    decodeEntities(one ?? two ?? three),
  ]);
  return Object.fromEntries(values.reverse());
}

/** Makes a link of each frame and player, whose host is named. Without an address there is nothing to lead to. */
function withLinks(html: string, watch: Words['watch']): string {
  return html.replace(EMBED, (_all, _tag, ofFrame = '', inside = '', ofObject = '') => {
    const values = valuesOf(ofFrame + ofObject);
    const { src } = valuesOf(/<source([^<>]*)/i.exec(inside)?.[1]);
    const sources = [...SOURCES.map((name) => values[name]), src];
    const address = sources.map((source) => webAddress(source, document.baseURI)).find(Boolean);
    if (!address) return '';
    const page = address.replace(/^http:/, 'https:').replace(YOUTUBE, 'https://www.youtube.com/watch?v=$1');
    const text = watch(new URL(page).hostname.replace(/^www\./, ''), (values.title ?? '').trim());
    return `<p><a href="${escapeHtml(page)}">${escapeHtml(text)}</a></p>`;
  });
}

/** The text of an article, without anything that runs, loads a page or styles it. */
export function contentOf(html: string, { table, watch }: Words): Iterable<Node> {
  const body = sanitised(quiet(withLinks(html, watch)));
  // A target as it was once written.
  for (const target of body.querySelectorAll('[name]')) {
    if (target.localName === 'a') target.id ||= target.getAttribute('name') ?? '';
    target.removeAttribute('name');
  }
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5')) lower(heading);
  for (const link of body.querySelectorAll('a')) secure(link);
  // Only secure images stay. A relative address would be a request to the page's own server.
  for (const image of body.querySelectorAll('img')) {
    const src = SOURCES.map((name) => secureImage(image.getAttribute(name))).find(Boolean);
    if (src) calm(image, src);
    else removeImage(image);
  }
  for (const name of LATE) for (const element of body.querySelectorAll(`[${name}]`)) element.removeAttribute(name);
  for (const wide of body.querySelectorAll('table')) {
    const scroller = h('div', { part: 'content-table', tabIndex: 0, role: 'group', ariaLabel: table });
    wide.replaceWith(scroller);
    scroller.append(wide);
  }
  return body.childNodes;
}

/**
 * Removes attributes such as `style`, which a Content-Security-Policy would report while the sanitiser parses them. This
 * only prevents reports: the sanitiser removes every such attribute, even those that this function misses.
 */
function quiet(html: string): string {
  return html
    .replace(TAG, (tag) =>
      // Safari before 16.4 refuses lookbehinds.
      tag.replace(ATTRIBUTE, (found, at) =>
        found.startsWith('=') || !/[\s/"']/.test(tag.charAt(at - 1)) ? found : '',
      ),
    )
    .replace(/<(\/?)style(?=[\s/>])/gi, '<$1x-style');
}

/** Sanitises in a document of its own, where no image is requested before its attributes are checked. */
function sanitised(html: string): HTMLElement {
  const body: HTMLElement & Sanitizing = document.implementation.createHTMLDocument('').body;
  if (body.setHTML) {
    // It wants the name of each element whose content stays.
    const names = Array.from(html.toLowerCase().matchAll(/<([a-z][^\s/>]*)/g), ([, name = '']) => name);
    const others = [...new Set(names)].filter((name) => ![...ELEMENTS, ...REMOVED].includes(name));
    const sanitizer = { elements: ELEMENTS, replaceWithChildrenElements: others, attributes: ATTRIBUTES };
    body.setHTML(html, { sanitizer });
  } else {
    const allowed = { ALLOWED_TAGS: [...ELEMENTS, '#text'], ALLOWED_ATTR: ATTRIBUTES, FORBID_CONTENTS: REMOVED };
    const refused = { ALLOW_ARIA_ATTR: false, ALLOW_DATA_ATTR: false };
    body.append(DOMPurify.sanitize(html, { ...allowed, ...refused, RETURN_DOM_FRAGMENT: true }));
  }
  return body;
}

/** Moves a heading below the title of the article, which is an `h2`. */
function lower(heading: Element): void {
  const level = Math.min(6, Math.max(3, Number(heading.localName.slice(1)) + 1)) as 3 | 4 | 5 | 6;
  const lowered = h(`h${level}`, {}, ...heading.childNodes);
  for (const { name, value } of heading.attributes) lowered.setAttribute(name, value);
  lowered.setAttribute('part', 'content-heading');
  heading.replaceWith(lowered);
}

function secure(link: HTMLAnchorElement): void {
  link.setAttribute('part', 'content-link');
  link.rel = 'noopener';
  const address = link.getAttribute('href') ?? '';
  const isAllowed = /^(?:mailto|tel):|^#/i.test(address) || webAddress(address, document.baseURI) !== undefined;
  if (!isAllowed) link.removeAttribute('href');
}

function calm(image: HTMLImageElement, src: string): void {
  image.src = src;
  image.setAttribute('part', 'content-image');
  image.loading = 'lazy';
  image.decoding = 'async';
  if (image.getAttribute('alt') === null) image.alt = '';
}

/** A missing image leaves no hole: its frame and caption go with it, unless the frame holds more. */
export function removeImage(image: HTMLImageElement): void {
  const figure = image.closest('figure');
  const isAll = figure?.querySelectorAll('img, table, pre, blockquote').length === 1;
  (isAll ? figure : image).remove();
}

/** The address of an image, if it begins with `https:`, or if page and image are on this machine, as with the mock. */
export function secureImage(address: unknown): string | undefined {
  const url = webAddress(address);
  const isSecure = url?.startsWith('https:') || (url && isLoopback(location) && isLoopback(new URL(url)));
  return isSecure ? url : undefined;
}
