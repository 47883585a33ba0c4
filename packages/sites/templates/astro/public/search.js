// The search page. Pagefind writes its index and its code after the build, so there is none in development.
const root = document.querySelector('.search');
const [input, state, results] = ['input', '.search-state', '.results'].map((name) => root.querySelector(name));
const { found, one, none, missing } = root.dataset;
const introduction = state.textContent;

const loaded = import(new URL('pagefind/pagefind.js', import.meta.url)).catch(() => undefined);

async function show() {
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
  const pages = await Promise.all(answer.results.slice(0, 30).map((result) => result.data()));
  const count = answer.results.length;
  state.textContent = query ? ([none, one][count] ?? found.replace('#', count)) : introduction;
  results.replaceChildren(...pages.map(item));
}

function item({ url, meta, excerpt }) {
  const entry = document.createElement('li');
  const link = document.createElement('a');
  link.href = url;
  link.textContent = meta.title;
  const text = document.createElement('p');
  // Only the marks are kept from its HTML.
  const { body } = new DOMParser().parseFromString(excerpt, 'text/html');
  for (const { nodeName, textContent } of body.childNodes) {
    const part = nodeName === 'MARK' ? document.createElement('mark') : document.createElement('span');
    part.textContent = textContent;
    text.append(part);
  }
  entry.append(link, text);
  return entry;
}

// A fast reader has typed before this code came.
input.value ||= new URLSearchParams(location.search).get('q') ?? '';
input.addEventListener('input', show);
input.focus();
if (input.value) show();
