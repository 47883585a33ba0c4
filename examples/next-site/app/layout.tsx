import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { SITE, urlOf } from '@/lib/site';
import './globals.css';

export const metadata: Metadata = {
  title: SITE.title,
  description: SITE.description,
  alternates: { types: { 'application/rss+xml': urlOf('/feed.xml') } },
};

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="fr">
      <body>
        <header className="masthead">
          <Link href="/">{SITE.name}</Link>
          <a href="/feed.xml">Flux RSS</a>
        </header>
        <main>{children}</main>
        <footer>
          {SITE.name}. De l’eau, de la farine, du sel et du temps.
        </footer>
      </body>
    </html>
  );
}
