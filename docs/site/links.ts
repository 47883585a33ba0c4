// Finds links of the built site that lead nowhere, those to sections included.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @returns `page: link` for each dead link between the pages of a folder. */
export function deadLinks(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .sort();
  const html = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const ids = new Map([...html].map(([page, text]) => [page, new Set(valuesOf(text, 'id'))]));
  return [...html].flatMap(([page, text]) => {
    const links = [...new Set([...valuesOf(text, 'href'), ...valuesOf(text, 'src')])];
    return links.filter((link) => isDead(link, page, folder, ids)).map((link) => `${page}: ${link}`);
  });
}

function isDead(link: string, page: string, folder: string, ids: Map<string, Set<string>>): boolean {
  if (/^[a-z]+:/i.test(link) || link.startsWith('//')) return false;
  const [path = '', hash = ''] = decodeURIComponent(link).split('#');
  const named = path === '' ? page : path.startsWith('/') ? path.slice(1) : join(dirname(page), path);
  const target = join(named, named === '' || named.endsWith('/') || named === '.' ? 'index.html' : '');
  if (!existsSync(join(folder, target))) return true;
  // The playground reads an operation from its address.
  return hash !== '' && target !== 'playground.html' && !(ids.get(target)?.has(hash) ?? true);
}

function valuesOf(html: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(`<[^>]* ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );
}
