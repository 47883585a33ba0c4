import '@fontsource-variable/newsreader/opsz.css';
import '@fontsource-variable/newsreader/wght-italic.css';
import './site.css';
import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { listArticles } from '@/lib/articles';
import { categoriesOf } from '@/lib/journal';
import { links, site, urlOf, words } from '@/lib/site';

export const metadata: Metadata = {
  metadataBase: new URL(site.url),
  title: { default: site.name, template: `%s · ${site.name}` },
  description: site.description,
  icons: '/favicon.svg',
  alternates: { types: { 'application/rss+xml': urlOf('/feed.xml') } },
  openGraph: { type: 'website', siteName: site.publisher, locale: site.locale },
};

export default async function Layout({ children }: { children: ReactNode }) {
  const menu = categoriesOf(await listArticles()).slice(0, site.menuSize);
  const categories = menu.map(({ slug, name, href }) => ({ key: slug, text: name, href }));
  return (
    // theme.js sets an attribute of this element before React begins.
    <html lang={site.language} suppressHydrationWarning>
      <head>
        <script src="/theme.js" />
      </head>
      <body>
        <a className="skip" href="#main">
          {words.skip}
        </a>
        <header className="masthead">
          <Link className="masthead-name" href="/">
            {site.logo && <img src={site.logo} alt="" width="32" height="32" />}
            {site.publisher}
          </Link>
          {menu.length > 0 && (
            <nav className="menu" aria-label={words.menu}>
              {categories.map(({ key, href, text }) => (
                <Link key={key} href={href}>
                  {text}
                </Link>
              ))}
            </nav>
          )}
          <div className="tools">
            <button className="theme" type="button" aria-label={words.theme} title={words.theme}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <circle cx="12" cy="12" r="9" />
                <path d="M12 3a9 9 0 0 1 0 18z" />
              </svg>
            </button>
          </div>
        </header>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <footer className="colophon">
          <div>
            <p className="colophon-name">{site.publisher}</p>
            <p>{site.description}</p>
          </div>
          {menu.length > 0 && <FootLinks title={words.menu} items={categories} />}
          <FootLinks title={words.follow} items={[...links.social, { text: words.feed, href: '/feed.xml' }]} />
          <FootLinks title={words.legal} items={links.legal} />
        </footer>
      </body>
    </html>
  );
}

function FootLinks({ title, items }: { title: string; items: readonly { text: string; href: string }[] }) {
  return (
    <div>
      <h2>{title}</h2>
      <ul>
        {items.map(({ text, href }) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
