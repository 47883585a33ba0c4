import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { site } from '@/lib/site';
import '@fontsource-variable/newsreader/opsz.css';
import '@fontsource-variable/newsreader/wght-italic.css';
import './site.css';

export const metadata: Metadata = { icons: '/favicon.svg' };

/** The first visitor of a new page waits for the whole page. */
export const ensureStatic = 'navigation';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    // `theme.js` sets the theme before React is there.
    <html lang={site.language} dir={site.dir} suppressHydrationWarning>
      <head>
        {/* Not a module: it sets the theme before anything is painted. */}
        <script src="/theme.js" />
        <link rel="alternate" type="application/rss+xml" title={site.name} href="/feed.xml" />
      </head>
      <body>{children}</body>
    </html>
  );
}
