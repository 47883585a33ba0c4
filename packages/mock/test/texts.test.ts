import { expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { NOW } from './helpers.js';

const api = createMockApi({ now: NOW });

const countWords = (html: string): number =>
  html.replace(/<[^>]+>/g, ' ').match(/[\p{L}\d][\p{L}\d’'-]*/gu)?.length ?? 0;

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
