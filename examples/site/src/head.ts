import type { Article } from 'multilocal/articles';
import { element } from './dom.js';
import { pathOf, pictureOf, placeOf, publicationOf, SITE, urlOf } from './site.js';

/** The data in the head of a page. */
export interface Head {
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly type: 'website' | 'article';
  readonly picture?: string | undefined;
  /** schema.org data. `undefined`: search engines should not index the page. */
  readonly data: object | undefined;
}

export function writeHead({ title, description, path, type, picture, data }: Head): void {
  document.title = title;
  for (const old of document.head.querySelectorAll('[data-page]')) old.remove();
  const tags = [
    element('meta', { name: 'description', content: description }),
    ...(data ? [] : [element('meta', { name: 'robots', content: 'noindex' })]),
    element('link', { rel: 'canonical', href: urlOf(path) }),
    ...Object.entries({
      'og:site_name': SITE.name,
      'og:locale': 'fr_FR',
      'og:type': type,
      'og:title': title,
      'og:description': description,
      'og:url': urlOf(path),
      'og:image': picture,
    }).flatMap(([property, content]) => (content ? [element('meta', { property, content })] : [])),
    ...(data ? [element('script', { type: 'application/ld+json' }, jsonForScript(data))] : []),
  ];
  for (const tag of tags) tag.dataset.page = '';
  document.head.append(...tags);
}

/** JSON that cannot end its script element, in case the page is saved as HTML. */
const jsonForScript = (data: object): string => JSON.stringify(data).replace(/</g, '\\u003c');

const publisher = { '@type': 'Organization', name: SITE.name };

export const homeHead = (articles: readonly Article[]): Head => ({
  title: SITE.title,
  description: SITE.description,
  path: '/',
  type: 'website',
  data: {
    '@context': 'https://schema.org',
    '@type': 'Blog',
    name: SITE.title,
    description: SITE.description,
    url: urlOf('/'),
    inLanguage: 'fr',
    publisher,
    blogPost: articles.map((article) => ({
      '@type': 'BlogPosting',
      headline: article.title,
      url: urlOf(pathOf(article)),
      datePublished: publicationOf(article)?.toISOString(),
    })),
  },
});

export function articleHead(article: Article): Head {
  const path = pathOf(article);
  const picture = pictureOf(article);
  const description = article.meta_description || article.excerpt || SITE.description;
  return {
    title: article.meta_title || `${article.title} | ${SITE.name}`,
    description,
    path,
    type: 'article',
    picture,
    data: {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: article.title,
      description,
      image: picture,
      datePublished: publicationOf(article)?.toISOString(),
      dateModified: article.updated_at,
      articleSection: article.category || undefined,
      keywords: article.target_keyword || undefined,
      contentLocation: placeOf(article) && { '@type': 'Place', name: placeOf(article) },
      inLanguage: 'fr',
      author: publisher,
      publisher,
      mainEntityOfPage: urlOf(path),
    },
  };
}

/** For a page that does not exist, or not yet. */
export const plainHead = (title: string): Head => ({
  title: `${title} | ${SITE.name}`,
  description: SITE.description,
  path: location.pathname,
  type: 'website',
  data: undefined,
});
