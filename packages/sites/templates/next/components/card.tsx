import type { Article } from 'multilocal';
import { excerpt } from 'multilocal/site';
import { Cover } from '@/components/cover';
import { categorySlug, dateInWords, dateOf, dirOf, placeOf, unbroken } from '@/lib/journal';
import { pictureOf } from '@/lib/pictures';
import { categoryHref, languageOf, pathOf, words } from '@/lib/site';

const SIZES = {
  lead: '(min-width: 76rem) 40rem, (min-width: 46rem) 55vw, 92vw',
  wide: '(min-width: 76rem) 34rem, (min-width: 40rem) 46vw, 92vw',
  third: '(min-width: 76rem) 22rem, (min-width: 60rem) 30vw, (min-width: 40rem) 46vw, 92vw',
};

const LETTERS = { lead: 280, wide: 180, third: 120 };

interface Props {
  article: Article;
  /** `lead` fills a row, `wide` half of one. */
  size?: keyof typeof SIZES;
}

export function Card({ article, size = 'third' }: Props) {
  const picture = pictureOf(article.featured_image_url, SIZES[size]);
  // As many words as a card has lines for, so that none is cut.
  const text = excerpt(article.excerpt, { max: Math.min(280, LETTERS[size] * (picture ? 1 : 1.6)) });
  const lang = languageOf(article);
  return (
    <article className={`card ${size} ${picture ? '' : 'plain'}`} dir={dirOf(`${article.title} ${article.excerpt}`)}>
      {picture && <Cover picture={picture} first={size === 'lead'} />}
      <div className="card-text">
        <Kicker article={article} />
        <h2 lang={lang}>
          <a href={pathOf(article)}>{unbroken(article.title ?? '')}</a>
        </h2>
        <p className="card-excerpt" lang={lang}>
          {unbroken(text)}
        </p>
        <Byline article={article} />
      </div>
    </article>
  );
}

/** The category of an article. Empty without one, so that the titles of a row are on one line. */
export function Kicker({ article }: { article: Article }) {
  const slug = categorySlug(article);
  return <p className="kicker">{slug && <a href={categoryHref(slug)}>{article.category}</a>}</p>;
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
      {article.status === 'draft' && <strong>{words.draft}</strong>}
      <time dateTime={dateOf(article).toISOString()}>
        <bdi>{dateInWords(article)}</bdi>
      </time>
      {place && (
        <span>
          <bdi>{place}</bdi>
        </span>
      )}
      {minutes > 1 && (
        <span>
          <bdi>{words.readingTime(minutes)}</bdi>
        </span>
      )}
    </p>
  );
}
