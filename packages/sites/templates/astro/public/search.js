// The search page. Pagefind writes its index and its code after the build, so there is none in development.
const PAGE = 20;
const root = document.querySelector('.search');
const [input, clear, state, results, more] = [
  'input',
  '.search-clear',
  '.search-state',
  '.results',
  '.search-more',
].map((name) => root.querySelector(name));
const { found, one, none, missing } = root.dataset;
const introduction = state.textContent;
/** What was found, and is not shown yet. */
let rest = [];

const loaded = import(new URL('pagefind/pagefind.js', import.meta.url)).catch(() => undefined);

async function search() {
  const query = input.value.trim();
  history.replaceState(null, '', query ? `?q=${encodeURIComponent(query)}` : location.pathname);
  const pagefind = await loaded;
  if (!pagefind) {
    state.textContent = missing;
    return;
  }
  const answer = query ? await pagefind.debouncedSearch(query) : { results: [] };
  // Another letter was typed meanwhile.
  if (!answer) return;
  rest = answer.results;
  const count = rest.length;
  const items = await nextItems();
  if (query !== input.value.trim()) return;
  results.replaceChildren(...items);
  state.textContent = query ? ([none, one][count] ?? found.replace('#', count)) : introduction;
}

async function nextItems() {
  const [now, later] = [rest.slice(0, PAGE), rest.slice(PAGE)];
  const pages = await Promise.all(now.map((result) => result.data()));
  rest = later;
  more.hidden = later.length === 0;
  return pages.map(item);
}

function item({ url, meta, excerpt, content }) {
  const link = element('a', { href: url, textContent: meta.title });
  const text = element('p');
  // Only the marks are kept from its HTML.
  const { body } = new DOMParser().parseFromString(unbroken(excerpt), 'text/html');
  const words = body.textContent.trim();
  if (!unbroken(content).startsWith(words)) text.append('… ');
  for (const { nodeName, textContent } of body.childNodes) {
    if (nodeName === 'MARK') text.append(...marked(textContent));
    else text.append(textContent);
  }
  if (!unbroken(content).trimEnd().endsWith(words)) text.append(' …');
  const about = [meta.category, meta.date].filter(Boolean).map((textContent) => {
    const part = element('span');
    part.append(element('bdi', { textContent }));
    return part;
  });
  const byline = element('p', { className: 'byline' });
  byline.append(...about);
  const isRtl = /^\P{L}*[\u0590-\u08ff]/u.test(meta.title);
  const entry = element('li', { dir: isRtl ? 'rtl' : 'ltr' });
  entry.append(link, text, byline);
  return entry;
}

/** A mark of Pagefind has the full stop after the word, too. */
function marked(text) {
  const [, word, sign] = /^(.*?)([^\p{L}\p{N}]*)$/su.exec(text);
  return [element('mark', { textContent: word }), sign];
}

/** Keeps the signs of French at their word, as `journal.ts` does. */
const unbroken = (text) => text.replace(/ (?=[:;!?»%€])|(?<=«) /g, '\u00a0');

const element = (name, properties) => Object.assign(document.createElement(name), properties);

// A fast reader has typed before this code came.
input.value ||= new URLSearchParams(location.search).get('q') ?? '';
input.addEventListener('input', search);
clear.onclick = () => {
  input.value = '';
  input.focus();
  search();
};
more.onclick = async () => {
  const items = await nextItems();
  results.append(...items);
  items[0]?.querySelector('a').focus();
};
input.focus();
if (input.value) search();
