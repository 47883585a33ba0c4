import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NextConfig } from 'next';
import { PHASE_PRODUCTION_BUILD } from 'next/constants';
import { hasDrafts } from './lib/drafts';
import { refuseExamples } from './lib/examples';
import { type Redirect, redirectsOf } from './lib/redirects';
import { allow, idOf, links, pathOf, site, sources } from './lib/site';

const frames = sources([...Object.keys(site.embeds), ...allow.frames]) || " 'none'";
// Nothing about scripts: Next.js writes inline ones, and only a page that is made for each visit can name them.
const policy = `img-src 'self' https:; media-src 'self' https:; font-src 'self'; connect-src 'self'${sources(allow.connect)}; frame-src${frames}; object-src 'none'; base-uri 'none'; form-action 'self'${sources(allow.forms)}; frame-ancestors 'none'`;

function oldAddresses(): Redirect[] {
  if (!existsSync('redirects.csv')) return [];
  const folder = join('content', 'articles');
  const pathTo = (id: number) => {
    const file = join(folder, `${id}.json`);
    return existsSync(file) ? pathOf(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  };
  // Next.js redirects before it looks for a page.
  const isTaken = (path: string) =>
    pathTo(idOf(path)) === path || ['page.tsx', 'route.ts'].some((file) => existsSync(join('app', path, file)));
  return redirectsOf(readFileSync('redirects.csv', 'utf8'), pathTo, (path) => path.startsWith('/'), isTaken);
}

const config: NextConfig = {
  cacheComponents: true,
  partialPrefetching: true,
  poweredByHeader: false,
  images: {
    remotePatterns: site.pictureHosts.map((hostname) => ({ protocol: 'https', hostname })),
    deviceSizes: [480, 800, 1200, 1600],
    imageSizes: [],
  },
  rewrites: async () => (site.places ? [{ source: `/${site.places}/:path*`, destination: '/places/:path*' }] : []),
  // Old addresses: `redirects.csv` has a line for each, with the id of its article or a path.
  redirects: async () =>
    oldAddresses().map(({ from, to }) => ({
      source: from.replace(/[:()*?+{}\\]/g, '\\$&'),
      destination: to,
      permanent: true,
    })),
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'Content-Security-Policy', value: policy },
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
      ],
    },
  ],
};

export default function configOf(phase: string): NextConfig {
  if (phase === PHASE_PRODUCTION_BUILD && hasDrafts() && process.env.DRAFTS !== '1')
    throw new Error('content/drafts has drafts, which no site may show. `npm run build` removes them.');
  // The mock is shown at any address.
  if (phase === PHASE_PRODUCTION_BUILD && process.env.MULTILOCAL_BASE_URL) refuseExamples({ url: site.url, links });
  return config;
}
