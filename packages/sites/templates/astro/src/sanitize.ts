import sanitizeHtml from 'sanitize-html';

/** Keeps what a text needs. Scripts, styles, forms, frames and event handlers are removed. See pictures.ts for its pictures. */
export const sanitize = (html: string) =>
  sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img'].filter((tag) => tag !== 'h1'),
    allowedAttributes: {
      a: ['href', 'title', 'rel'],
      img: ['src', 'alt', 'width', 'height', 'loading'],
      ol: ['start'],
      table: ['tabindex'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan', 'scope'],
    },
    allowedSchemes: ['https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https', 'http'] },
    transformTags: {
      // The page has its own title.
      h1: 'h2',
      a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }),
      img: (tagName, attribs) => ({ tagName, attribs: { alt: '', ...attribs, loading: 'lazy' } }),
      // Wide tables scroll, also with the keyboard.
      table: sanitizeHtml.simpleTransform('table', { tabindex: '0' }),
    },
  });
