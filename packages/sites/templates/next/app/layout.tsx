import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { colourOf } from '@/lib/card';
import { hasDrafts } from '@/lib/drafts';
import { font } from '@/lib/font';
import { site } from '@/lib/site';
import './site.css';

export const metadata: Metadata = {
  icons: {
    icon: ['/favicon.svg', { url: '/icons/192.png', type: 'image/png', sizes: '192x192' }],
    apple: '/icons/180.png',
  },
  // Nobody may find what an editor previews.
  ...(hasDrafts() && { robots: { index: false } }),
};

/** The colour of a browser around the page. */
const paper = colourOf(readFileSync(join('app', 'site.css'), 'utf8'), 'paper');
export const viewport: Viewport = { themeColor: [{ media: '(prefers-color-scheme: light)', color: paper }] };

/** The first visitor of a new page waits for the whole page. */
export const ensureStatic = 'navigation';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    // `theme.js` sets the theme before React is there.
    <html lang={site.language} dir={site.dir} className={font.variable} suppressHydrationWarning>
      <head>
        {/* Not a module: it sets the theme before anything is painted. */}
        <script src="/theme.js" />
        <link rel="alternate" type="application/rss+xml" title={site.name} href="/feed.xml" />
      </head>
      <body>{children}</body>
    </html>
  );
}
