import sanitizeHtml from 'sanitize-html';

/** HTML that goes into a page unchanged. */
export class Html {
  constructor(readonly text: string) {}
}

/** HTML from a template. Inserted values are escaped, unless they are HTML. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  const texts = values.map((value) => {
    if (value instanceof Html) return value.text;
    return typeof value === 'object' ? value.map(({ text }) => text).join('\n') : escapeHtml(String(value));
  });
  return new Html(String.raw({ raw: parts }, ...texts));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/**
 * Removes everything from the text of an article that it does not need: scripts, styles, forms, frames, event handlers.
 */
export function sanitise(content: string): Html {
  const text = sanitizeHtml(content, {
    // biome-ignore format: a list to be read
    allowedTags: [
      'p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br', 'a', 'strong', 'em', 'b', 'i', 'sup', 'sub',
      'figure', 'figcaption', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td',
    ],
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
  return new Html(text);
}
