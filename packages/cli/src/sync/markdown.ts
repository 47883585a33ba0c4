import { folderStore } from '@multilocal/stores/folder-store';
import type { Article, ArticleStore } from 'multilocal';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import { parse, stringify } from 'yaml';

/** The formats of `sync`. */
export const FORMATS = ['json', 'md'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * A store with a Markdown file for each article, as Hugo, Eleventy, VitePress and Docusaurus read it. It has the guarantees of
 * `directoryStore`: the same code writes both.
 */
export async function markdownStore(path: string): Promise<ArticleStore> {
  const { htmlToMarkdown } = await import('./to-markdown.js');
  const { all: _, ...store } = folderStore(path, {
    ending: 'md',
    print: (article) =>
      `---\n${stringify(frontMatter(article), { lineWidth: 0 })}---\n\n${htmlToMarkdown(article.content_html ?? '')}`,
    parse: fieldsOf,
  });
  return store;
}

/** What the generators read of an article, by their names: `date`, `lastmod` and `description` beside those of the service. */
function frontMatter(article: Article): object {
  const { id, title, slug, status, category, bulle_id, published_at, updated_at } = article;
  const { excerpt, meta_title, meta_description, featured_image_url } = article;
  const day = (date: string | null | undefined) => parseTimestamp(date)?.toISOString();
  const fields = {
    id,
    title: title ?? '',
    slug,
    date: day(published_at ?? article.created_at),
    lastmod: day(updated_at),
    description: meta_description || excerpt,
    seo_title: meta_title,
    excerpt,
    image: featured_image_url,
    categories: category ? [category] : undefined,
    bulle_id,
    status,
    // As the service has written it: the next run compares it.
    updated_at,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}

/** The front matter of a file. A file of another program has none, or another id. */
function fieldsOf(text: string): Record<string, unknown> {
  const [, matter] = /^---\r?\n(.*?)\r?\n---\r?\n/s.exec(text) ?? [];
  try {
    return Object(matter === undefined ? {} : parse(matter));
  } catch {
    return {};
  }
}
