/** A way from an address that once was to a page of this site. */
export interface Redirect {
  /** The path of the old address: `/2019/05/le-levain/`. */
  from: string;
  /** The path of the page: `/articles/le-levain-12/`. */
  to: string;
}

/**
 * Reads `redirects.csv`: a line for each old address, which may be whole, and the id of an article or a path of this site.
 * Lines that begin with `#` are notes.
 * @throws an error that names the line whose page this site does not have, or whose old address cannot lead to it.
 */
export function redirectsOf(
  csv: string,
  pathOf: (id: number) => string | undefined,
  isPage: (path: string) => boolean,
  isTaken = isPage,
): Redirect[] {
  const known = new Map<string, string>();
  return csv.split(/\r?\n/).flatMap((line, index) => {
    const [old = '', page = ''] = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (!old || old.startsWith('#')) return [];
    const to = /^\d+$/.test(page) ? pathOf(Number(page)) : page;
    const from = URL.canParse(old) ? new URL(old).pathname : old;
    const wrong = (what: string) => new Error(`redirects.csv, line ${index + 1}: \`${old}\` ${what}`);
    if (!to || !from.startsWith('/') || !isPage(to))
      throw wrong(`leads to \`${page}\`, which is no page of this site.`);
    if (from === to) return [];
    if (/[?#]/.test(old)) throw wrong('has a query or a fragment, which redirects ignore. Remove the line.');
    // The file at the old address, which hosts without redirects show.
    const file = decoded(from)?.replace(/\/$|\/index\.html?$/, '');
    if (file === undefined) throw wrong('cannot be decoded. Write `%25` for `%`, and other signs in UTF-8.');
    if (isTaken(file || '/')) throw wrong('is a page of this site. Remove the line.');
    const other = known.get(file);
    if (other && other !== to) throw wrong(`also leads to \`${other}\`. Remove one of the lines.`);
    known.set(file, to);
    return other ? [] : [{ from, to }];
  });
}

function decoded(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

/** Adds a slash, or removes it: hosts ask for both. */
const both = (path: string) => [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`].filter((one) => one !== '');

/** The redirects as a file `_redirects`, for Netlify and Cloudflare Pages. */
export const forHosts = (redirects: readonly Redirect[]) =>
  redirects.flatMap(({ from, to }) => both(from).map((path) => `${encodeURI(decodeURI(path))} ${to} 301\n`)).join('');

/** The redirects as lines of a `map` of nginx. */
export const forNginx = (redirects: readonly Redirect[]) =>
  redirects
    .flatMap(({ from, to }) => both(from).map((path) => `"${decodeURI(path).replace(/["\\$]/g, '\\$&')}" ${to};\n`))
    .join('');

/** The page at an old address, for hosts that know no redirects, such as GitHub Pages. */
export const forReaders = ({ to }: Redirect, site: string) => {
  const url = new URL(to, site).href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html><meta charset="utf-8"><title>${url}</title><link rel="canonical" href="${url}"><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=${url}"><a href="${url}">${url}</a>\n`;
};

/** The addresses that an article had in earlier builds, by its id. The last one is that of now. */
export type Addresses = Record<string, readonly string[]>;

/** Adds the addresses of this build: of pages whose path ends with the id of the article. */
export function remembered(known: Addresses, paths: readonly string[]): Addresses {
  const next = { ...known };
  for (const path of paths) {
    const id = /-(\d+)\/?$/.exec(path)?.[1];
    if (id) next[id] = [...(next[id] ?? []).filter((old) => old !== path), path];
  }
  return next;
}

/** The ways from the earlier addresses of articles to those of now. */
export function moved(known: Addresses, isPage: (path: string) => boolean): Redirect[] {
  return Object.values(known).flatMap((paths) => {
    const to = paths.at(-1) ?? '';
    return isPage(to)
      ? paths
          .slice(0, -1)
          .filter((from) => !isPage(from))
          .map((from) => ({ from, to }))
      : [];
  });
}
