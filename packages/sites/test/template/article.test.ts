// What happens inside an article of both templates, and what becomes of an address.
import type { Article } from 'multilocal';
import { afterEach, describe, expect, it } from 'vitest';
import { finished } from '../../templates/astro/src/content.js';
import {
  categoriesOf,
  contentsOf,
  sizeOf,
  unbrokenHtml,
  withNames,
  withWideTables,
} from '../../templates/astro/src/journal.js';
import * as redirects from '../../templates/astro/src/redirects.js';
import { sanitize } from '../../templates/astro/src/sanitize.js';
import { pageName, site, sources } from '../../templates/astro/src/site.js';

afterEach(() => {
  site.base = undefined;
});

describe('sanitize keeps', () => {
  it.each<[string, string, string?]>([
    ['<h2 id="a1">a</h2><a href="#a1">b</a>', '<h2 id="text-a1">a</h2><a href="#text-a1" rel="noopener">b</a>'],
    ['<a name="n"></a><a href=" #n">b</a>', '<a id="text-n" rel="noopener"></a><a href="#text-n" rel="noopener">b</a>'],
    [
      '<p id="É 1">a</p><a href="#%C3%89%201">b</a>',
      '<p id="text-É-1">a</p><a href="#text-%C3%89-1" rel="noopener">b</a>',
    ],
    // A place that is not there, and an id that is one of the page.
    [
      '<a href="#no">a</a><a href="#%">b</a><a href="#">c</a>',
      '<a rel="noopener">a</a><a rel="noopener">b</a><a rel="noopener">c</a>',
    ],
    ['<code>&lt;a href="#no"&gt;</code>', 'same'],
    ['<p id="main" dir="rtl" lang="ar">a</p>', '<p id="text-main" dir="rtl" lang="ar">a</p>', 'same'],
    ['<ol type="a" start="3" reversed><li value="4">a</li></ol><ul type="square"></ul>', 'same'],
    ['<abbr title="x">a</abbr> <time datetime="2026">b</time> <q cite="https://x.example/">c</q>', 'same'],
    ['<ins datetime="2026">a</ins> <bdo dir="rtl">b</bdo> <data value="1">c</data>', 'same'],
    [
      '<table><tr><th id="h" abbr="x">a</th><td headers="h  i">b</td></tr></table>',
      '<table tabindex="0"><tr><th abbr="x" id="text-h">a</th><td headers="text-h text-i">b</td></tr></table>',
    ],
    ['<blockquote cite="javascript:x">a</blockquote>', '<blockquote>a</blockquote>'],
    ['<a href="/c.html">a</a>', '<a href="https://old.example/c.html" rel="noopener">a</a>'],
    ['<a href="c 2.html#x">a</a>', '<a href="https://old.example/blog/c%202.html#x" rel="noopener">a</a>'],
    ['<a href="?p=1">a</a>', '<a href="https://old.example/blog/?p=1" rel="noopener">a</a>'],
    ['<a href="mailto:a@b.example">a</a>', '<a href="mailto:a@b.example" rel="noopener">a</a>'],
    ['<a href="http://x.example/">a</a>', '<a href="http://x.example/" rel="noopener">a</a>'],
    ['<a href="javascript:x" name="y" onclick="z">a</a>', '<a id="text-y" rel="noopener">a</a>'],
  ])('%s', (html, expected) => {
    site.base = 'https://old.example/blog/';
    const parts = (text: string) =>
      text.replace(
        /<(\w+)((?: [^>]*)?)>/g,
        (_, tag, rest: string) =>
          `<${tag}${rest
            .split(/ (?=[\w-]+(?:=|$))/)
            .sort()
            .join(' ')}>`,
      );
    expect(parts(sanitize(html))).toBe(parts(expected === 'same' ? html : expected));
  });
});

it('a place without words stays, because links lead to it', () => {
  expect(finished('<p id="text-a"></p><p></p>', [])).toBe('<p id="text-a"></p>');
});

const article = (category: string) => ({ id: 1, category }) as Article;

it.each([
  [['NOS PAINS', 'Nos pains', 'Nos pains'], 'Nos pains'],
  [['nos pains', 'Nos Pains', 'Nos Pains '], 'nos pains'],
  [['NOS PAINS', 'Nos pains'], 'Nos pains'],
  [['NOS PAINS'], 'NOS PAINS'],
])('the category of %j is %j, on every card', (written, name) => {
  expect(categoriesOf(written.map(article)).map((category) => category.name)).toEqual([name]);
  expect(new Set(withNames(written.map(article)).map(({ category }) => category))).toEqual(new Set([name]));
});

describe('a long text', () => {
  const html = Array.from(
    { length: 9 },
    (_, index) => `<h2 id="text-a&amp;${index}">Art. ${index} &amp; b</h2><p>x</p>`,
  ).join('');

  it('has contents, whose places are in it, and a short one has none', () => {
    const { headings, isListed } = contentsOf(`<h2>Titre <b>b</b></h2>${html}`);
    expect(headings.slice(0, 2)).toEqual([
      { id: 'part-1', text: 'Titre b' },
      { id: 'text-a&0', text: 'Art. 0 &amp; b' },
    ]);
    expect(isListed).toBe(false);
    expect(contentsOf(`<h2>Titre</h2>${html}`).html).toMatch(/^<h2 id="part-1">Titre/);
    expect(contentsOf('<h2>a</h2>'.repeat(8))).toEqual({ html: '<h2>a</h2>'.repeat(8), headings: [], isListed: false });
  });

  it('may have a list of its own', () => {
    const own = `<h2>Sommaire</h2><ul>${'<li><a href="#text-a%261">a</a></li>'.repeat(9)}</ul>`;
    expect(contentsOf(own + html)).toMatchObject({ isListed: true, headings: { length: 9 } });
  });
});

it('a table has a frame with a name, and one of many short columns is broad', () => {
  const table = (cell: string, columns: number) => `<table><tr>${`<td>${cell}</td>`.repeat(columns)}</tr></table>`;
  const classes = [table('7 h', 8), table('7 h', 3), table('7 h – 19 h 30, et le dimanche', 8)].map(
    (html) => /class="([^"]*)" tabindex="0" role="group" aria-label="Tableau"/.exec(withWideTables(html))?.[1],
  );
  expect(classes).toEqual(['wide broad', 'wide', 'wide']);
  // One within a cell has no frame of its own.
  expect(withWideTables(`${table(table('a', 1), 1)}<p>b</p>`)).toMatch(
    /^<div [^>]*><table>.*<\/table><\/div><p>b<\/p>$/,
  );
});

it('signs and units stay at their word, but not in code', () => {
  const html = '<p title="a : b">à 19 h 30 : 500 g, 20 °C, 10 grands</p><code>a : 1 g</code>';
  expect(unbrokenHtml(html)).toBe(
    '<p title="a : b">à 19\u00a0h\u00a030\u00a0: 500\u00a0g, 20\u00a0°C, 10 grands</p><code>a : 1 g</code>',
  );
});

it('long titles are smaller, and those with a word that fills a line', () => {
  const titles = [60, 61, 121].map((length) => 'a '.repeat(61).slice(0, length));
  expect([...titles, 'Unsere Behandlungsbedingungen'].map(sizeOf)).toEqual([undefined, 'long', 'longer', 'longer']);
});

it.each([
  ['levain', 'levain-12'],
  ['levain-12', 'levain-12'],
  ['levain-12-12', 'levain-12'],
  ['pâte', 'pâte-12'],
  ['../a', 'article-12'],
  [null, 'article-12'],
])('the page of article 12 with the slug %j is %s, whatever the others are called', (slug, name) => {
  expect(pageName({ id: 12, slug })).toBe(name);
});

it('other hosts are in the policy', () => {
  expect([sources([]), sources(['a.example', 'b.example'])]).toEqual(['', ' https://a.example https://b.example']);
});

describe('old addresses', () => {
  const pages = ['/articles/le-levain-12/', '/contact/', '/articles/neuf-3/'];
  const isPage = (path: string) => pages.includes(path) || pages.includes(`${path}/`);
  const read = (csv: string) =>
    redirects.redirectsOf(csv, (id) => pages.find((path) => path.endsWith(`-${id}/`)), isPage);

  it('come from a table, with ids or paths', () => {
    const csv =
      '# old,new\nhttps://old.example/2019/levain.html,12\r\n"/contact.php";"/contact/"\n\n/contact/\t/contact/\n/contact.php/,/contact/\n';
    expect(read(csv)).toEqual([
      { from: '/2019/levain.html', to: '/articles/le-levain-12/' },
      { from: '/contact.php', to: '/contact/' },
    ]);
    const noPage = 'which is no page';
    for (const [wrong, reason] of [
      ['/a,99', noPage],
      ['/a,/nowhere/', noPage],
      ['a,12', noPage],
      ['/a', noPage],
      ['https://old.example/?p=123,12', 'has a query'],
      ['/?p=123,12', 'has a query'],
      ['/contact,12', 'is a page of this site'],
      ['/contact/index.html,12', 'is a page of this site'],
      ['/%62/,/contact/', 'also leads to `/articles/le-levain-12/`'],
      ['/100%-beurre/,12', 'cannot be decoded'],
      ['/caf%E9/,12', 'cannot be decoded'],
    ]) {
      expect(() => read(`/b,12\n${wrong}`)).toThrow(new RegExp(`^redirects.csv, line 2: .*${reason}`));
    }
  });

  it('are those that an article had, as long as it is online', () => {
    const first = redirects.remembered({}, ['/articles/vieux-3/', '/articles/parti-4/']);
    const known = redirects.remembered(first, ['/articles/neuf-3/']);
    expect(known).toEqual({ 3: ['/articles/vieux-3/', '/articles/neuf-3/'], 4: ['/articles/parti-4/'] });
    expect(redirects.moved(known, isPage)).toEqual([{ from: '/articles/vieux-3/', to: '/articles/neuf-3/' }]);
  });

  it('are written for each kind of host', () => {
    const all = [{ from: '/à/', to: '/contact/' }];
    expect(redirects.forHosts(all)).toBe('/%C3%A0/ /contact/ 301\n/%C3%A0 /contact/ 301\n');
    expect(redirects.forNginx(all)).toBe('"/à/" /contact/;\n"/à" /contact/;\n');
    expect(redirects.forReaders({ from: '/a', to: '/b/' }, 'https://a.example/')).toContain(
      'url=https://a.example/b/"',
    );
  });
});
