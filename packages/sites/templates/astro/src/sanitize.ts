import sanitizeHtml from 'sanitize-html';
import {
  embedOf,
  headingLevels,
  imageAttributes,
  linkAddress,
  playerAttributes,
  targetId,
  webAddress,
  withLivingLinks,
  withPlainFrames,
} from './content.ts';

type Transformer = sanitizeHtml.Transformer;

/** A frame becomes a link, see `embedOf`. Without an address it is removed. */
const embed: Transformer = (tagName, attribs) => ({ tagName: 'a', ...(embedOf(attribs) ?? { tagName, attribs: {} }) });
const player: Transformer = (tagName, attribs) => ({ tagName, attribs: playerAttributes(attribs) });

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Each text counts the levels of its own headings. */
function headings(): Record<string, Transformer> {
  const levelOf = headingLevels();
  const heading: Transformer = (tagName, attribs) => ({ tagName: `h${levelOf(Number(tagName[1]))}`, attribs });
  return Object.fromEntries(HEADINGS.map((name) => [name, heading]));
}

/** What is wider than the page scrolls, even with the keyboard. */
const scrolling = sanitizeHtml.simpleTransform('pre', { tabindex: '0' });

/** A link to a place of the text, or to another page. An editor of old writes `<a name="…">` for the place. */
const link: Transformer = (tagName, { href, name, id, title, lang, dir, hreflang }) => {
  const target = id || name;
  const kept = { href: linkAddress(href), id: target, title, lang, dir, hreflang, rel: 'noopener' };
  return { tagName, attribs: Object.fromEntries(Object.entries(kept).filter(([, value]) => value)) as Attributes };
};

/** Names of places get a prefix, so that none is one of the page. */
const named: Transformer = (tagName, { id, headers, cite, ...attribs }) => ({
  tagName,
  attribs: {
    ...attribs,
    ...(id?.trim() && { id: targetId(id) }),
    ...(headers?.trim() && { headers: headers.trim().split(/\s+/).map(targetId).join(' ') }),
    ...(cite && { cite: linkAddress(cite) }),
  } as Attributes,
});

type Attributes = Record<string, string>;

/**
 * Keeps what a text needs. Scripts, styles, forms and event handlers are removed, and frames become links. The pages
 * replace the pictures, see `pictures.ts`.
 */
export const sanitize = (html: string) => withLivingLinks(sanitizeHtml(withPlainFrames(html), OPTIONS()));

const OPTIONS = (): sanitizeHtml.IOptions => ({
  allowedTags: [
    ...sanitizeHtml.defaults.allowedTags.filter((tag) => tag !== 'h1'),
    ...['img', 'video', 'audio', 'source', 'del', 'ins', 'details', 'summary'],
  ],
  allowedAttributes: {
    '*': ['dir', 'lang', 'id'],
    a: ['href', 'hreflang', 'title', 'rel', 'class', 'data-embed'],
    abbr: ['title'],
    audio: ['src', 'controls', 'preload'],
    blockquote: ['cite'],
    col: ['span'],
    colgroup: ['span'],
    data: ['value'],
    del: ['cite', 'datetime'],
    details: ['open'],
    dfn: ['title'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ins: ['cite', 'datetime'],
    li: ['value', 'type'],
    ol: ['start', 'type', 'reversed'],
    pre: ['tabindex'],
    q: ['cite'],
    source: ['src', 'type'],
    table: ['tabindex'],
    td: ['colspan', 'rowspan', 'headers'],
    th: ['colspan', 'rowspan', 'headers', 'scope', 'abbr'],
    time: ['datetime'],
    ul: ['type'],
    video: ['src', 'poster', 'width', 'height', 'controls', 'preload'],
  },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  // The pages say which pictures they cannot show.
  allowedSchemesByTag: { img: ['https', 'http', 'data'] },
  transformTags: {
    ...headings(),
    a: link,
    '*': named,
    img: (tagName, attribs) => ({ tagName, attribs: imageAttributes(attribs) }),
    iframe: embed,
    embed,
    video: player,
    audio: player,
    source: (tagName, { src, ...attribs }) => ({ tagName, attribs: { ...attribs, src: webAddress(src) ?? '' } }),
    pre: scrolling,
    table: sanitizeHtml.simpleTransform('table', { tabindex: '0' }),
  },
  exclusiveFilter: ({ tag, attribs }) => (tag === 'img' || tag === 'source') && !attribs.src,
});
