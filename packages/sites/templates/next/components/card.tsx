import type { Article } from 'multilocal';
import Link from 'next/link';
import { Cover } from '@/components/cover';
import { categorySlug, dateInWords, dateOf, placeOf, unbroken } from '@/lib/journal';
import { categoryHref, pathOf, words } from '@/lib/site';

const SIZES = {
  lead: '(min-width: 76rem) 40rem, (min-width: 46rem) 55vw, 92vw',
  wide: '(min-width: 76rem) 34rem, (min-width: 40rem) 46vw, 92vw',
  third: '(min-width: 76rem) 22rem, (min-width: 60rem) 30vw, (min-width: 40rem) 46vw, 92vw',
};

interface Props {
  article: Article;
  /** `lead` fills a row, `wide` half of one. */
  size?: keyof typeof SIZES;
}

export function Card({ article, size = 'third' }: Props) {
  return (
    <article className={`card ${size}`}>
      <Cover article={article} first={size === 'lead'} sizes={SIZES[size]} />
      <div className="card-text">
        <Kicker article={article} />
        <h2>
          <Link href={pathOf(article)}>{unbroken(article.title ?? '')}</Link>
        </h2>
        <p className="card-excerpt">{unbroken(article.excerpt ?? '')}</p>
        <Byline article={article} />
      </div>
    </article>
  );
}

/** The category of an article. */
export function Kicker({ article }: { article: Article }) {
  const slug = categorySlug(article);
  if (!slug) return null;
  return (
    <p className="kicker">
      <Link href={categoryHref(slug)}>{article.category}</Link>
    </p>
  );
}

interface BylineProps {
  article: Article;
  /** How long the article takes to read, on its own page. */
  minutes?: number;
}

export function Byline({ article, minutes = 0 }: BylineProps) {
  const place = placeOf(article);
  return (
    <p className="byline">
      <time dateTime={dateOf(article).toISOString()}>{dateInWords(article)}</time>
      {place && <span>{place}</span>}
      {minutes > 1 && <span>{words.readingTime(minutes)}</span>}
    </p>
  );
}
