import type { Metadata } from 'next';
import Link from 'next/link';

export const metadata: Metadata = { title: 'Page introuvable' };

export default function NotFound() {
  return (
    <>
      <h1 className="title">Cette page n’est pas au journal</h1>
      <p className="lead">L’article a peut-être été retiré.</p>
      <Link className="button" href="/">
        Voir les derniers articles
      </Link>
    </>
  );
}
