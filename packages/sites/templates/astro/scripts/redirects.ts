import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { forHosts, forNginx, forReaders, moved, type Redirect, redirectsOf, remembered } from '../src/redirects';
import { site } from '../src/site';

const ADDRESSES = '.cache/addresses.json';

/** Writes the ways from old addresses: those of `redirects.csv`, and those that an article had in an earlier build. */
export function oldAddresses(): AstroIntegration {
  return {
    name: 'old-addresses',
    hooks: {
      'astro:build:done': ({ dir, pages, logger }) => {
        const base = new URL(site.url).pathname;
        const paths = pages.map(({ pathname }) => base + pathname.replace(/^\//, ''));
        const articles = paths.filter((path) => path.startsWith(`${base}articles/`));
        const isPage = (path: string) => paths.includes(path) || paths.includes(`${path}/`);
        const known = existsSync(ADDRESSES) ? JSON.parse(readFileSync(ADDRESSES, 'utf8')) : {};
        const addresses = remembered(known, articles);
        // A preview with drafts gives no addresses.
        if (process.env.DRAFTS !== '1') write(ADDRESSES, JSON.stringify(addresses));
        const csv = existsSync('redirects.csv') ? readFileSync('redirects.csv', 'utf8') : '';
        const listed = redirectsOf(csv, (id) => addresses[id]?.at(-1), isPage);
        const isListed = ({ from }: Redirect) => listed.some((one) => one.from === from);
        const all = [...listed, ...moved(addresses, isPage).filter((one) => !isListed(one))];
        if (all.length === 0) return;
        const out = fileURLToPath(dir);
        write(join(out, '_redirects'), forHosts(all));
        write('redirects.nginx', forNginx(all));
        for (const one of all) {
          const file = decodeURI(one.from.replace(/\/$|\/index\.html?$/, ''));
          const isFile = /\.html?$/.test(file);
          if (file.startsWith(base))
            write(join(out, file.slice(base.length), isFile ? '' : 'index.html'), forReaders(one, site.url));
        }
        logger.info(`${all.length} old addresses lead to pages of this site.`);
      },
    },
  };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
