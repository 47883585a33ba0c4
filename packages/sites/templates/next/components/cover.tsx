import type { Article } from 'multilocal';
import { categorySlug } from '@/lib/journal';
import { pictureOf } from '@/lib/pictures';

interface Props {
  article: Article;
  /** How wide the picture is, for browsers that choose among its sizes. */
  sizes: string;
  /** Whether the picture is at the top of the page. */
  first?: boolean;
}

/** The picture of an article over its initial, which is what readers see if there is no picture. */
export function Cover({ article, sizes, first = false }: Props) {
  const picture = pictureOf(article.featured_image_url, sizes);
  const initial = /[\p{L}\p{N}]/u.exec(article.title ?? '')?.[0].toUpperCase();
  // One of five colours, always the same for a category.
  const colour = categorySlug(article).length % 5;
  return (
    <div className={`cover cover-${colour}`}>
      <svg viewBox="0 0 400 300" preserveAspectRatio="xMinYMax slice" aria-hidden="true">
        <text x="26" y="248">
          {initial}
        </text>
      </svg>
      {picture && (
        // `theme.js` hides a picture that cannot be loaded, also before React is there.
        <img
          {...picture}
          alt=""
          loading={first ? 'eager' : 'lazy'}
          fetchPriority={first ? 'high' : 'auto'}
          decoding="async"
          suppressHydrationWarning
        />
      )}
    </div>
  );
}
