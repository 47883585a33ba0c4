import DOMPurify from 'dompurify';

const purify = DOMPurify();

purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName === 'A') node.setAttribute('rel', 'noopener');
  if (node.nodeName !== 'IMG') return;
  node.setAttribute('loading', 'lazy');
  // Without an alternative text, screen readers would read the address of an image.
  if (!node.hasAttribute('alt')) node.setAttribute('alt', '');
});

/**
 * Removes everything from the text of an article that it does not need: scripts, styles, forms, frames, ids, handlers.
 */
export function sanitise(html: string): DocumentFragment {
  const content = purify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    // biome-ignore format: a list to be read
    ALLOWED_TAGS: [
      'p', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br', 'a', 'strong', 'em', 'b', 'i', 'sup',
      'sub', 'figure', 'figcaption', 'img', 'table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td',
    ],
    ALLOWED_ATTR: ['href', 'title', 'src', 'alt', 'width', 'height', 'colspan', 'rowspan', 'scope'],
    ALLOWED_URI_REGEXP: /^(?:https:|mailto:|tel:|\/(?!\/)|#)/i,
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
  });
  // The page has its own title.
  for (const title of content.querySelectorAll('h1')) {
    const heading = document.createElement('h2');
    heading.append(...title.childNodes);
    title.replaceWith(heading);
  }
  return content;
}
