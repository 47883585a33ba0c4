import { type Article, parseTimestamp } from 'multilocal';

const day = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeZone: 'Europe/Paris',
});

/** Date and category, if the article has them. */
export function Byline({ article, more }: { article: Article; more?: string }) {
  const date = parseTimestamp(article.published_at);
  return (
    <p className="byline">
      {date && <time dateTime={date.toISOString()}>{day.format(date)}</time>}
      {article.category && <span>{article.category}</span>}
      {more && <span>{more}</span>}
    </p>
  );
}
