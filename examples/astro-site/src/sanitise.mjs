import sanitizeHtml from 'sanitize-html';

/**
 * The text of an article without what an article has no use for: scripts, styles, forms, frames, event handlers. What
 * comes from elsewhere goes into a page through here alone.
 *
 * @param {string} html
 */
export function sanitise(html) {
  return sanitizeHtml(html, {
    allowedTags: sanitizeHtml.defaults.allowedTags.concat('img').filter((tag) => tag !== 'h1'),
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
  });
}
