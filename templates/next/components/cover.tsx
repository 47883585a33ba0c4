import type { Article } from 'multilocal';
import { getImageProps } from 'next/image';
import { categorySlug } from '@/lib/articles';
import { mayShow } from '@/lib/sanitize';
import { site } from '@/lib/site';

interface Props {
  article: Article;
  /** How wide the picture is, for browsers that choose among its sizes. */
  sizes: string;
  /** Whether the picture is at the top of the page. */
  first?: boolean;
}

/** The picture of an article over its initial, which is what readers see if there is no picture. */
export function Cover({ article, sizes, first = false }: Props) {
  const src = article.featured_image_url ?? '';
  const initial = /[\p{L}\p{N}]/u.exec(article.title)?.[0].toUpperCase();
  // One of five colours, always the same for a category.
  const colour = categorySlug(article).length % 5;
  return (
    <div className={`cover cover-${colour}`}>
      <svg viewBox="0 0 400 300" preserveAspectRatio="xMinYMax slice" aria-hidden="true">
        <text x="26" y="248">
          {initial}
        </text>
      </svg>
      {mayShow(src) && (
        // `theme.js` hides a picture that cannot be loaded, also before React is there.
        <img
          {...pictureOf(src, sizes)}
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

/** Next.js serves pictures of the hosts that you name in several sizes. Others come from their own address. */
function pictureOf(src: string, sizes: string) {
  const isNamed = URL.canParse(src) && site.pictureHosts.includes(new URL(src).hostname);
  const { props } = getImageProps({ src, alt: '', width: 1200, height: 900, sizes, unoptimized: !isNamed });
  return { src: props.src, srcSet: props.srcSet, sizes: props.sizes };
}
