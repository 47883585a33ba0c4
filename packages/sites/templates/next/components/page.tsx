import type { ReactNode } from 'react';
import { listArticles, listPlaces } from '@/lib/articles';
import { categoriesOf } from '@/lib/journal';
import { addressOf, shopOf } from '@/lib/places';
import { links, placeHref, site, words } from '@/lib/site';

interface Props {
  children: ReactNode;
  /** The address of the category, or of the locations, which the menu marks. */
  here?: string;
}

/** Head, content and foot of a page. */
export async function Page({ children, here }: Props) {
  const places = await listPlaces();
  const menu = [
    ...categoriesOf(await listArticles()).slice(0, site.menuSize),
    ...(places.length > 0 ? [{ name: words.places, href: placeHref() }] : []),
  ];
  // The only shop of a brand is at the foot of each page.
  const [only] = places.length === 1 ? places : [];
  const phone = only && shopOf(only).phone;
  return (
    <>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <header className="masthead">
        <a className="masthead-name" href="/">
          {site.logo && <img src={`/${site.logo}`} alt="" width="32" height="32" />}
          {site.publisher}
        </a>
        {menu.length > 0 && (
          <nav className="menu" aria-label={words.menu}>
            {menu.map(({ name, href }) => (
              <a key={href} href={href} aria-current={href === here ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
        )}
        <div className="tools">
          <a href="/search" title={words.search}>
            <svg viewBox="0 0 24 24" role="img" aria-label={words.search}>
              <circle cx="10.5" cy="10.5" r="7" />
              <path d="m16 16 5.5 5.5" />
            </svg>
          </a>
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
          <p className="colophon-name">© {site.publisher}</p>
          <p>{site.description}</p>
          {only && (
            <p>
              <a href={only.href}>{addressOf(only)}</a>
            </p>
          )}
          {phone && (
            <p>
              <a href={phone.href}>{phone.text}</a>
            </p>
          )}
        </div>
        {menu.length > 0 && <Column title={words.menu} items={menu.map(({ name, href }) => ({ text: name, href }))} />}
        <Column title={words.follow} items={[...links.social, { text: words.feed, href: '/feed.xml' }]} />
        <Column title={words.legal} items={links.legal} />
      </footer>
    </>
  );
}

function Column({ title, items }: { title: string; items: { text: string; href: string }[] }) {
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
