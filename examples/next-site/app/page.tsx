import type { Article } from 'multilocal';
import type { Metadata } from 'next';
import Link from 'next/link';
import { Byline } from '@/app/byline';
import { listArticles } from '@/lib/articles';
import { pathOf, SITE, urlOf } from '@/lib/site';

const CARDS = 7;

export const metadata: Metadata = { alternates: { canonical: urlOf('/') } };

export default async function Home() {
  const articles = await listArticles();
  return (
    <>
      <h1 className="title">{SITE.title}</h1>
      <p className="lead">{SITE.description}</p>
      {articles.length === 0 && (
        <p>Le premier article est en train de lever.</p>
      )}
      <ul className="cards">{articles.slice(0, CARDS).map(Card)}</ul>
      <ul className="rows">{articles.slice(CARDS).map(Row)}</ul>
    </>
  );
}

function Card(article: Article) {
  return (
    <li key={article.id}>
      <h2>
        <Link href={pathOf(article)}>{article.title}</Link>
      </h2>
      <p>{article.excerpt}</p>
      <Byline article={article} />
    </li>
  );
}

function Row(article: Article) {
  return (
    <li key={article.id}>
      <Link href={pathOf(article)}>{article.title}</Link>
      <Byline article={article} />
    </li>
  );
}
