import { anyText } from '@multilocal/test/fuzz/arbitrary';
import * as fc from 'fast-check';
import type { Article } from 'multilocal';
import { decodeEntities } from '../../src/site/entities.js';

/** An article with every field. */
export const article: Article = {
  id: 42,
  title: 'Le levain, jour après jour',
  excerpt: 'Une semaine avec un levain de seigle.',
  content_html: '<h2>Jour 1</h2><p>De l’eau et de la farine&nbsp;!</p>',
  featured_image_url: 'https://images.example.com/levain.jpg',
  meta_title: 'Faire son levain | Fournils Augustine',
  meta_description: 'Faire son levain en une semaine.',
  target_keyword: 'levain',
  category: 'Recettes',
  status: 'published',
  published_at: '2026-11-20T08:00:00Z',
  created_at: '2026-11-19T08:00:00Z',
  updated_at: '2026-11-21T09:30:00.123456+00:00',
  slug: 'le-levain',
  bulle_id: 'b-lyon',
  bulle_name: 'Lyon',
};

export const url = 'https://www.example.com/blog/le-levain';
export const publisher = { name: 'Fournils Augustine', url: '/', logo: '/logo.png' };

/** Nothing but what every article has. */
export const bare: Article = {
  id: 7,
  title: 'Nu',
  excerpt: null,
  content_html: '',
  featured_image_url: null,
  meta_title: '',
  status: 'draft',
  published_at: null,
  created_at: '2026-11-19T08:00:00Z',
  updated_at: '2026-11-19T08:00:00Z',
};

/** What ends or begins an element, an attribute, a comment, a script or an entity. */
const MARKUP =
  '</script> <script>alert(1)</script> <!-- --> ]]> <![CDATA[ &amp; &lt; &#x3c; & < > " \' ` ${ <p a=" = ' +
  'javascript:alert(1) https://example.com/"onload=" data:text/html,x 😀 é mot « »';
/** White space, what XML forbids, and halves of characters. */
const CHARACTERS = [' ', ...'\n\u2028\u2029\u0000\u000b\ufffe\u00a0\u202f', '\ud800', '\udfff'];

/** Texts that break out of whatever they are put into, if anything does not escape them. */
export const hostile = fc.oneof(
  fc.array(fc.constantFrom(...MARKUP.split(' '), ...CHARACTERS), { maxLength: 8 }).map((parts) => parts.join('')),
  anyText,
);

/** Articles whose texts are hostile or missing. */
export const hostileArticle: fc.Arbitrary<Article> = fc
  .record({
    title: hostile,
    excerpt: fc.option(hostile),
    content_html: fc.option(hostile),
    featured_image_url: fc.option(hostile),
    meta_title: fc.option(hostile),
    meta_description: fc.option(hostile),
    target_keyword: fc.option(hostile),
    category: fc.option(hostile),
    published_at: fc.option(hostile),
    updated_at: hostile,
  })
  .map((fields) => ({ ...article, ...fields }));

/** An article of a later version of the service: fields of other types, and new ones. */
export const newer: Article = JSON.parse(
  JSON.stringify({
    ...article,
    title: { fr: 'Le levain' },
    excerpt: ['une', 'deux'],
    content_html: 12,
    featured_image_url: { href: 'https://images.example.com/1.jpg' },
    meta_description: 5,
    category: { id: 3, name: 'Recettes' },
    published_at: 1_764_000_000,
    updated_at: false,
    authors: [{ name: 'Ada' }],
  }),
);

/** What a text becomes on one line: decoded, without the characters that XML forbids. */
export const shown = (text: string): string =>
  decodeEntities(text)
    .replace(/[\p{Cs}\p{NChar}]|(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/\s+/g, (run) => (/[ \t\n\r\u2028\u2029]/.test(run) ? ' ' : run))
    .trim();
