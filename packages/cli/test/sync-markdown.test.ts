// cspell:ignore Délai trois
// Articles as Markdown: nothing that a reader sees is lost, nothing becomes code, and the files are a store like those of JSON.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockApi } from 'multilocal/mock';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { prepareFolder } from '../src/sync/folder.js';
import { markdownStore } from '../src/sync/markdown.js';
import { htmlToMarkdown } from '../src/sync/to-markdown.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'multilocal-md-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it.each<[string, string, string]>([
  ['a list that begins at 3', '<ol start="3"><li>trois</li></ol>', '3. trois'],
  [
    'a table with a caption, a line break and a bar',
    '<table><caption>Heures</caption><tr><th>A|B</th></tr><tr><td>7 h<br>19 h</td></tr></table>',
    'Heures\n\n| A\\|B |\n| - |\n| 7 h<br>19 h |',
  ],
  [
    'cells over two columns',
    '<table><tr><td colspan="2">x</td></tr><tr><td>a</td><td>b</td></tr></table>',
    '| | |\n| - | - |\n| x | |\n| a | b |',
  ],
  [
    'a figure',
    '<figure><img src="/a b.jpg" alt="Four"><figcaption>Le <em>four</em></figcaption></figure>',
    '![Four](</a b.jpg>)\n\nLe *four*',
  ],
  ['code', '<pre><code class="language-js">a &lt; `b`</code></pre>', '```js\na < `b`\n```'],
  [
    'a footnote',
    '<p>1924<sup><a href="#n" id="r">1</a></sup></p><p id="n">Note <a href="#r">retour</a></p>',
    '1924<a id="r"></a>[1](#n)\n\n<a id="n"></a>Note [retour](#r)',
  ],
  [
    'an anchor of a table',
    '<a href="#t">là</a><table id="t"><tr><th>A</th></tr></table>',
    '[là](#t)\n\n| <a id="t"></a>A |\n| - |',
  ],
  ['signs above and below', '<p>H<sub>2</sub>O, m<sup>2</sup></p>', 'H<sub>2</sub>O, m<sup>2</sup>'],
  [
    'a frame with a title',
    '<iframe src="https://v.invalid/x" title="Visite"></iframe>',
    '[Visite](https://v.invalid/x)',
  ],
  [
    'a frame and a film without one',
    '<iframe src="https://v.invalid/x"></iframe><video><source src="https://v.invalid/y.mp4"></video>',
    '<https://v.invalid/x><https://v.invalid/y.mp4>',
  ],
  ['spaces within bold text', '<p>a<strong> b </strong>c</p>', 'a **b** c'],
  ['signs of Markdown', '<p>1. * _ # &lt;b&gt; &amp;amp;</p><p>- x</p>', '1\\. \\* \\_ # \\<b> \\&amp;\n\n\\- x'],
  [
    'signs of templates',
    '<p>{{ site }} {% x %} {{&lt; y &gt;}} {z}</p>',
    '{<!-- -->{ site }} {<!-- -->% x %} {<!-- -->{<!-- -->< y >}} {z}',
  ],
  [
    'what would run',
    '<p onclick="x()"><a href="java\tscript:x()">lien</a></p><script>x()</script><img src="javascript:x" alt="i">',
    'lien\n\n![i]()',
  ],
  ['nothing', '', ''],
])('writes %s', (_, html, markdown) => {
  expect(htmlToMarkdown(html).trim()).toBe(markdown);
});

it('keeps the words of every article of the mock', { tags: 'long' }, () => {
  const words = (text: string) => text.replace(/<[^>]*>|&[a-z]+;|^ *\d+\. |[^\p{L}\d]/gmu, '');
  const written = createMockApi()
    .articles.all()
    .filter(({ content_html }) => content_html);
  for (const { content_html } of written)
    expect(words(htmlToMarkdown(`${content_html}`).replace(/!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)/g, ''))).toBe(
      words(`${content_html}`),
    );
  expect(written.length).toBeGreaterThan(10);
});

it('writes front matter that generators read, whatever the title says', async () => {
  const path = folder();
  const store = await markdownStore(path);
  const title = '"Pain": --- {{ x }}\n# & l’été: oui';
  const article = {
    id: 7,
    title,
    slug: 'pain',
    category: 'Nos pains',
    published_at: '2026-12-24T09:00:00+01:00',
    updated_at: '2026-12-24T09:00:00.123456+00:00',
    meta_description: 'Délai: 2 jours',
    content_html: '<p>---</p><hr><p>Texte</p>',
  };
  await store.put(article as never);
  const text = readFileSync(join(path, '7.md'), 'utf8');
  const [, matter = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  expect(parse(matter)).toEqual({
    id: 7,
    title,
    slug: 'pain',
    date: '2026-12-24T08:00:00.000Z',
    lastmod: '2026-12-24T09:00:00.123Z',
    description: 'Délai: 2 jours',
    categories: ['Nos pains'],
    updated_at: article.updated_at,
  });
  expect(text.slice(matter.length + 9)).toBe('\n\\---\n\n***\n\nTexte\n');
});

it('leaves the files of others alone', async () => {
  const path = folder();
  for (const name of ['7.md', 'index.md']) writeFileSync(join(path, name), '# Mine\n');
  const store = await markdownStore(path);
  await expect(prepareFolder(path, store, 'md')).rejects.toThrow('7.md');
  await expect(store.put({ id: 7, updated_at: 'x', content_html: '' } as never)).rejects.toThrow(
    'Move or rename the file',
  );
  await store.remove(7);
  expect(readdirSync(path)).toEqual(['7.md', 'index.md']);
});
