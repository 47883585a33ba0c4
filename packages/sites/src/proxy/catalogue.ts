import type { Article, ArticleList } from 'multilocal';
import { parseTimestamp, sortKey } from 'multilocal/internal/timestamps';
import type { ListQuery, PartQuery } from './request.js';

/** A published article with keys that sort like its timestamps. */
interface Entry {
  article: Article;
  published: string;
  changed: string;
  /** Milliseconds. */
  publishedAt: number;
}

/** The published articles of a copy, in memory. It never changes: a newer copy is another catalogue. */
export class Catalogue {
  readonly #byId = new Map<number, Entry>();
  readonly #newestFirst: readonly Entry[];
  readonly #oldestChangeFirst: readonly Entry[];
  /** The newest first, by the value of a field. Made when they are first asked for. */
  readonly #groups = new Map<'category' | 'slug', Map<unknown, Entry[]>>();

  /** @param before the copy before this one: articles of the same version keep their entries. */
  constructor(articles: Iterable<Article>, before?: Catalogue) {
    for (const article of articles) {
      if (article.status !== 'published') continue;
      this.#byId.set(article.id, entryOf(article, before));
    }
    const entries = [...this.#byId.values()];
    this.#newestFirst = entries.toSorted((a, b) => compare(b.published, a.published) || b.article.id - a.article.id);
    this.#oldestChangeFirst = entries.toSorted((a, b) => compare(a.changed, b.changed) || a.article.id - b.article.id);
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Article | undefined {
    return this.entry(id)?.article;
  }

  entry(id: number): Entry | undefined {
    return this.#byId.get(id);
  }

  /** One page, as the service sends it. */
  list(query: ListQuery): ArticleList<object> {
    const { order, updated_since, since, bulle_id, category, slug, offset, limit, fields } = query;
    const [changedAfter, publishedFrom] = [sortKey(updated_since), sortKey(since)];
    const isChanges = changedAfter !== undefined && order === undefined;
    const inCategory = category === undefined ? undefined : this.#with('category', category);
    const found = slug === undefined ? inCategory : this.#with('slug', slug);
    const matching = (isChanges ? this.#oldestChangeFirst : (found ?? this.#newestFirst)).filter(
      ({ article, changed, published }) =>
        (changedAfter === undefined || changed > changedAfter) &&
        (publishedFrom === undefined || (article.published_at != null && published >= publishedFrom)) &&
        (bulle_id === undefined || article.bulle_id === bulle_id) &&
        (category === undefined || article.category === category) &&
        (slug === undefined || article.slug === slug),
    );
    const articles = matching.slice(offset, offset + limit).map(({ article }) => part(article, fields));
    return { articles, total: matching.length, limit, offset };
  }

  /** The categories with their number of articles, in the order of the alphabet. */
  categories(bulle_id: string | undefined): { category: string; count: number }[] {
    const counts = new Map<string, number>();
    for (const { article } of this.#newestFirst) {
      const { category } = article;
      if (!category || (bulle_id !== undefined && article.bulle_id !== bulle_id)) continue;
      counts.set(category, (counts.get(category) ?? 0) + 1);
    }
    return [...counts]
      .map(([category, count]) => ({ category, count }))
      .sort((a, b) => compare(a.category, b.category));
  }

  #with(field: 'category' | 'slug', value: string): readonly Entry[] {
    let groups = this.#groups.get(field);
    if (!groups) {
      groups = new Map();
      for (const entry of this.#newestFirst) {
        const group = groups.get(entry.article[field]);
        if (group) group.push(entry);
        else groups.set(entry.article[field], [entry]);
      }
      this.#groups.set(field, groups);
    }
    return groups.get(value) ?? [];
  }

  /**
   * The articles to read after one: same category first, then same location, then nearest publication. `undefined` if
   * there is no such article.
   */
  related(id: number, { limit, fields }: PartQuery): object[] | undefined {
    const start = this.#byId.get(id);
    if (!start) return undefined;
    const { category, bulle_id } = start.article;
    const isSame = !category ? () => false : ({ article }: Entry) => article.category === category;
    const isHere = bulle_id == null ? () => false : ({ article }: Entry) => article.bulle_id === bulle_id;
    const ofCategory = !category ? [] : this.#with('category', category);
    const found: Entry[] = [];
    const add = (entries: readonly Entry[], fits: (entry: Entry) => boolean) => {
      if (found.length < limit) found.push(...nearest(entries, start, limit - found.length, fits));
    };
    add(ofCategory, isHere);
    add(ofCategory, (entry) => !isHere(entry));
    add(this.#newestFirst, (entry) => !isSame(entry) && isHere(entry));
    add(this.#newestFirst, (entry) => !isSame(entry) && !isHere(entry));
    return found.map(({ article }) => part(article, fields));
  }
}

/** Those that were published nearest to one of the articles. They are sorted by publication. */
function nearest(entries: readonly Entry[], start: Entry, limit: number, fits: (entry: Entry) => boolean): Entry[] {
  const distance = ({ publishedAt }: Entry) => Math.abs(publishedAt - start.publishedAt);
  const place = entries.indexOf(start);
  const sides = [-1, 1].flatMap((step) => {
    const side: Entry[] = [];
    for (let at = place + step; side.length < limit; at += step) {
      const entry = entries[at];
      if (!entry) break;
      if (fits(entry)) side.push(entry);
    }
    return side;
  });
  return sides.sort((a, b) => distance(a) - distance(b)).slice(0, limit);
}

/** The fields that the keys of an entry are made of. */
const DATES = ['published_at', 'created_at', 'updated_at'] as const;

function entryOf(article: Article, before: Catalogue | undefined): Entry {
  const known = before?.entry(article.id);
  if (known && DATES.every((name) => known.article[name] === article[name])) return { ...known, article };
  const date = article.published_at ?? article.created_at;
  return {
    article,
    published: sortKey(date) ?? '',
    changed: sortKey(article.updated_at) ?? '',
    publishedAt: parseTimestamp(date)?.getTime() ?? 0,
  };
}

/** The fields in the order in which the service sends them. */
function part(article: Article, fields: readonly string[] | undefined): object {
  return fields ? Object.fromEntries(Object.entries(article).filter(([name]) => fields.includes(name))) : article;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
