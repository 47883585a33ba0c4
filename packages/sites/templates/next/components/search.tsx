'use client';

import { useEffect, useRef, useState } from 'react';
import { dirOf, unbroken } from '@/lib/journal';
import { words } from '@/lib/site';

/** An article in `/search.json`. */
interface Entry {
  title: string;
  excerpt: string;
  category: string;
  place: string;
  date: string;
  path: string;
}

const PAGE = 20;

/** The search page: looks through the titles, excerpts, categories and places of all articles. */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const [entries, setEntries] = useState<Entry[] | 'missing'>();
  const [query, setQuery] = useState('');
  const [shown, setShown] = useState(PAGE);

  useEffect(() => {
    setQuery((typed) => typed || (new URLSearchParams(location.search).get('q') ?? ''));
    input.current?.focus();
    fetch('/search.json')
      .then((response) => response.json())
      .then(setEntries, () => setEntries('missing'));
  }, []);

  function search(text: string) {
    setQuery(text);
    setShown(PAGE);
    history.replaceState(null, '', text.trim() ? `?q=${encodeURIComponent(text.trim())}` : location.pathname);
  }

  const terms = fold(query).match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = Array.isArray(entries) ? find(entries, terms) : [];
  return (
    <search className="search">
      <h1 className="list-title">{words.search}</h1>
      <div className="search-field">
        <input
          ref={input}
          type="search"
          aria-label={words.search}
          placeholder={words.searchFor}
          autoComplete="off"
          value={query}
          onChange={({ target }) => search(target.value)}
        />
        <button
          className="search-clear"
          type="button"
          aria-label={words.searchClear}
          title={words.searchClear}
          onClick={() => {
            search('');
            input.current?.focus();
          }}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m6 6 12 12M18 6 6 18" />
          </svg>
        </button>
      </div>
      <p className="search-state" role="status">
        {stateOf(entries, terms, found)}
      </p>
      <ol className="results">
        {found.slice(0, shown).map((entry) => (
          <Result key={entry.path} entry={entry} terms={terms} />
        ))}
      </ol>
      {found.length > shown && (
        <button className="button search-more" type="button" onClick={() => setShown(shown + PAGE)}>
          {words.searchMore}
        </button>
      )}
      <noscript>
        <p>{words.noSearch}</p>
      </noscript>
    </search>
  );
}

function Result({ entry, terms }: { entry: Entry; terms: readonly string[] }) {
  const { title, excerpt, category, date, path } = entry;
  return (
    <li dir={dirOf(title)}>
      <a href={path}>{unbroken(title)}</a>
      <p>{marked(unbroken(excerpt), terms)}</p>
      <p className="byline">
        {category && (
          <span>
            <bdi>{category}</bdi>
          </span>
        )}
        {date && (
          <span>
            <bdi>{date}</bdi>
          </span>
        )}
      </p>
    </li>
  );
}

function stateOf(entries: Entry[] | 'missing' | undefined, terms: readonly string[], found: readonly Entry[]): string {
  if (entries === 'missing') return words.noSearch;
  if (!entries || terms.length === 0) return words.searchText;
  if (entries.length === 0) return words.empty;
  return [words.foundNone, words.foundOne][found.length] ?? words.found.replace('#', `${found.length}`);
}

/** The articles with all words, those with all of them in the title first. */
function find(entries: readonly Entry[], terms: readonly string[]): Entry[] {
  if (terms.length === 0) return [];
  const has = (text: string) => terms.every((term) => fold(text).includes(term));
  const inTitle = entries.filter(({ title }) => has(title));
  const others = entries.filter(
    ({ title, excerpt, category, place }) => !has(title) && has(`${title} ${excerpt} ${category} ${place}`),
  );
  return [...inTitle, ...others];
}

/** Without accents and capital letters, sign for sign, so that places in a text stay. */
function fold(text: string): string {
  return Array.from(text.normalize(), (sign) => sign.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()).join('');
}

function marked(text: string, terms: readonly string[]) {
  let end = 0;
  return fold(text)
    .split(new RegExp(`(${terms.join('|')})`))
    .map((part, index) => {
      const start = end;
      end += part.length;
      const written = text.normalize().slice(start, end);
      return index % 2 ? <mark key={start}>{written}</mark> : written;
    });
}
