import sanitizeHtml from 'sanitize-html';
import { withoutEmptyFigures } from '@/lib/journal';
import { pictureOf } from '@/lib/pictures';

/** Keeps what a text needs. Scripts, styles, forms, frames and event handlers are removed. */
export const sanitize = (html: string) => withoutEmptyFigures(allowed(html));

const allowed = (html: string) =>
  sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img'].filter((tag) => tag !== 'h1'),
    allowedAttributes: {
      a: ['href', 'title', 'rel'],
      img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading'],
      ol: ['start'],
      table: ['tabindex'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan', 'scope'],
    },
    allowedSchemes: ['https', 'mailto', 'tel'],
    transformTags: {
      // The page has its own title.
      h1: 'h2',
      a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }),
      img: (tagName, { src, srcset: _srcset, sizes: _sizes, ...attribs }) => {
        const { srcSet, ...picture } = pictureOf(src, '(min-width: 40rem) 38rem, 92vw') ?? { src: '' };
        return {
          tagName,
          attribs: { alt: '', ...attribs, ...picture, ...(srcSet && { srcset: srcSet }), loading: 'lazy' },
        };
      },
      // Wide tables scroll, also with the keyboard.
      table: sanitizeHtml.simpleTransform('table', { tabindex: '0' }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  });
