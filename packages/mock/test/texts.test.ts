import { expect, test } from 'vitest';
import { createMockApi, type MockArticle } from '../src/index.js';
import { generateArticle } from '../src/resources/articles/writer.js';
import { NOW } from './helpers.js';

const api = createMockApi({ now: NOW });
const all = api.articles.all();

const paragraphsOf = (html: string): string[] => [...html.matchAll(/<p>(.*?)<\/p>/g)].map(([, text = '']) => text);
const sentencesOf = (html: string): string[] =>
  paragraphsOf(html).flatMap((text) => text.split(/(?<=[.!?…]) (?=\p{Lu})/u));
const countWords = (html: string): number =>
  html.replace(/<[^>]+>/g, ' ').match(/[\p{L}\d][\p{L}\d’'-]*/gu)?.length ?? 0;
const articlesWith = (test: (article: MockArticle) => boolean): number => all.filter(test).length;

test('an article has 400 to 900 words, and no sentence twice', () => {
  for (const { id, content_html } of all) {
    expect([id, countWords(content_html) >= 400, countWords(content_html) <= 900]).toEqual([id, true, true]);
    const sentences = sentencesOf(content_html);
    expect(new Set(sentences).size).toBe(sentences.length);
  }
});

test.each(['<h3>', '<blockquote>', '<table>', '<figure>', '<ul>', '<ol>'])(
  '%s is in some articles of every month, and not in all',
  (tag) => {
    for (let from = 0; from < all.length; from += 24) {
      const some = all.slice(from, from + 24).filter(({ content_html }) => content_html.includes(tag)).length;
      expect(some).toBeGreaterThan(2);
      expect(some).toBeLessThan(22);
    }
    expect(articlesWith(({ content_html }) => content_html.includes('<h2>'))).toBe(all.length);
  },
);

test('some titles are long, and some articles have no picture', () => {
  for (const count of [
    articlesWith(({ title }) => title.length >= 90),
    articlesWith(({ featured_image_url }) => featured_image_url === null),
  ]) {
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThan(60);
  }
});

test('articles that follow each other share at most a few sentences', () => {
  for (const [at, { content_html }] of all.entries()) {
    const before = new Set(sentencesOf(all[at - 1]?.content_html ?? ''));
    const sentences = sentencesOf(content_html);
    expect(sentences.filter((sentence) => before.has(sentence)).length / sentences.length).toBeLessThan(0.25);
  }
});

test('authors have rhythms of their own: short and long paragraphs, and small headings', () => {
  const lengths = all.map(({ content_html }) => countWords(content_html) / paragraphsOf(content_html).length);
  expect(lengths.filter((length) => length < 25).length).toBeGreaterThan(40);
  expect(lengths.filter((length) => length > 50).length).toBeGreaterThan(40);
});

test.each([300, 800, 1500])('a text of about %i words can be ordered', (words) => {
  const { content_html } = generateArticle('Le pain <de> seigle', 'pain & seigle', words, 'https://x.test/files');
  expect(Math.abs(countWords(content_html) - words)).toBeLessThan(0.15 * words);
  const sentences = sentencesOf(content_html);
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(content_html).toContain('pain &amp; seigle');
  expect(content_html).not.toMatch(/undefined|[{}[\]]|<(\w+)><\/\1>/);
});
