import type { Article } from 'multilocal';
import { readingTime } from 'multilocal/site';
import Link from 'next/link';
import { categorySlug, dateInWords, dateOf, placeOf, unbroken } from '@/lib/journal';
import { mayShow } from '@/lib/sanitise';
import { categoryHref, pathOf, words } from '@/lib/site';

interface Props {
  article: Article;
}

/** An article in a list. `lead` fills a row, `wide` half of one. */
export function Card({ article, size }: Props & { size?: 'lead' | 'wide' | undefined }) {
  return (
    <article className={size ? `card ${size}` : 'card'}>
      <Cover article={article} isFirst={size === 'lead'} />
      <div className="card-text">
        <Kicker article={article} />
        <h2>
          <Link href={pathOf(article)}>{unbroken(article.title)}</Link>
        </h2>
        <p className="card-excerpt">{unbroken(article.excerpt ?? '')}</p>
        <Byline article={article} />
      </div>
    </article>
  );
}

/** The picture of an article over its initial, which is what readers see if there is no picture. */
export function Cover({ article, isFirst = false }: Props & { isFirst?: boolean }) {
  const { title, featured_image_url: src } = article;
  const initial = /[\p{L}\p{N}]/u.exec(title)?.[0].toUpperCase();
  // One of five colours, always the same for a category.
  const colour = categorySlug(article).length % 5;
  return (
    <div className={`cover cover-${colour}`}>
      <svg viewBox="0 0 400 300" preserveAspectRatio="xMinYMax slice" aria-hidden="true">
        <text x="26" y="248">
          {initial}
        </text>
      </svg>
      {src && mayShow(src) && (
        // Not next/image: it converts pictures only for hosts that you name. See README.md.
        <img src={src} alt="" loading={isFirst ? 'eager' : 'lazy'} fetchPriority={isFirst ? 'high' : 'auto'} />
      )}
    </div>
  );
}

export function Kicker({ article }: Props) {
  const slug = categorySlug(article);
  return (
    slug && (
      <p className="kicker">
        <Link href={categoryHref(slug)}>{article.category}</Link>
      </p>
    )
  );
}

/** Date and place, and for an article with its text how long it takes to read. */
export function Byline({ article }: Props) {
  const place = placeOf(article);
  const minutes = readingTime(article.content_html);
  return (
    <p className="byline">
      <time dateTime={dateOf(article).toISOString()}>{dateInWords(article)}</time>
      {place && <span>{place}</span>}
      {minutes > 1 && <span>{words.readingTime(minutes)}</span>}
    </p>
  );
}
