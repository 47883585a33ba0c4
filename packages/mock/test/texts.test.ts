import { expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { NOW } from './helpers.js';

const api = createMockApi({ now: NOW });
const all = api.articles.all();

const countWords = (html: string): number =>
  html.replace(/<[^>]+>/g, ' ').match(/[\p{L}\d][\p{L}\d’'-]*/gu)?.length ?? 0;

// slow/control.test.ts says that titles do not repeat and that no text has a gap.
test('an article has 400 to 900 words', () => {
  const words = all.map(({ content_html }) => countWords(content_html));
  expect(words.filter((count) => count < 400 || count > 900)).toEqual([]);
});

test.each(['<h3>', '<blockquote>', '<table>', '<figure>', '<ul>', '<ol>'])(
  '%s is in some articles, not in all',
  (tag) => {
    const some = all.filter(({ content_html }) => content_html.includes(tag)).length;
    expect([some > 30, some < 200]).toEqual([true, true]);
  },
);

test('some titles are long, and some articles have no picture', () => {
  expect(all.filter(({ title }) => title.length >= 90).length).toBeGreaterThan(20);
  expect(all.filter(({ featured_image_url }) => featured_image_url === null)).toHaveLength(34);
});

test.each([300, 800, 1500])('a text of about %i words can be ordered', async (words) => {
  const { keys, ids, baseUrl } = api;
  const body = { title: 'Le pain <de> seigle', target_keyword: 'pain & seigle', ai_word_count_target: words };
  const headers = { 'x-api-key': keys.bulle, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ ...body, bulle_id: ids.bulle }) };
  await api.handle(`${baseUrl}/api/v2/articles`, request);
  api.advance(3_600_000);
  const { content_html = '' } = api.articles.all().at(-1) ?? {};
  expect(Math.abs(countWords(content_html) - words)).toBeLessThan(0.15 * words);
  expect(content_html).toContain('pain &amp; seigle');
});
