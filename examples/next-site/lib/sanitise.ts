import sanitizeHtml from 'sanitize-html';

// A figure that has lost its picture.
const EMPTY_FIGURE =
  /<figure>\s*(?:<figcaption>[\s\S]*?<\/figcaption>\s*)?<\/figure>/g;

/**
 * Removes everything from the text of an article that it does not need:
 * scripts, styles, forms, frames, event handlers. All text of other origin
 * goes through this function before it goes into a page.
 */
export function sanitise(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: sanitizeHtml.defaults.allowedTags
      .concat('img')
      .filter((tag) => tag !== 'h1'),
    allowedAttributes: {
      a: ['href', 'title', 'rel'],
      img: ['src', 'alt', 'width', 'height', 'loading'],
      th: ['colspan', 'rowspan', 'scope'],
      td: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['https', 'mailto', 'tel'],
    transformTags: {
      // The page has its own title.
      h1: 'h2',
      a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }),
      img: sanitizeHtml.simpleTransform('img', { loading: 'lazy' }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  }).replace(EMPTY_FIGURE, '');
}
