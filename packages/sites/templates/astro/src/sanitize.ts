import sanitizeHtml from 'sanitize-html';
import { embedOf, headingLevels, imageAttributes, playerAttributes, webAddress, withPlainFrames } from './content.ts';

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

/**
 * Keeps what a text needs. Scripts, styles, forms and event handlers are removed, and frames become links. The pages
 * replace the pictures, see `pictures.ts`.
 */
export const sanitize = (html: string) =>
  sanitizeHtml(withPlainFrames(html), {
    allowedTags: [
      ...sanitizeHtml.defaults.allowedTags.filter((tag) => tag !== 'h1'),
      ...['img', 'video', 'audio', 'source', 'del', 'ins', 'details', 'summary'],
    ],
    allowedAttributes: {
      '*': ['dir', 'lang'],
      a: ['href', 'title', 'rel', 'class', 'data-embed'],
      audio: ['src', 'controls', 'preload'],
      img: ['src', 'alt', 'width', 'height', 'loading'],
      ol: ['start'],
      pre: ['tabindex'],
      source: ['src', 'type'],
      table: ['tabindex'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan', 'scope'],
      video: ['src', 'poster', 'width', 'height', 'controls', 'preload'],
    },
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    // The pages say which pictures they cannot show.
    allowedSchemesByTag: { img: ['https', 'http', 'data'] },
    transformTags: {
      ...headings(),
      a: (tagName, { href, title }) => ({
        tagName,
        attribs: { ...(href && { href }), ...(title && { title }), rel: 'noopener' },
      }),
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
