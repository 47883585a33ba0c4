import type { NextConfig } from 'next';
import { site } from './lib/site';

// Nothing about scripts: Next.js writes inline ones, and only a page that is made for each visit can name them.
const policy =
  "img-src 'self' https:; font-src 'self'; connect-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const config: NextConfig = {
  cacheComponents: true,
  partialPrefetching: true,
  poweredByHeader: false,
  images: {
    remotePatterns: site.pictureHosts.map((hostname) => ({ protocol: 'https', hostname })),
    deviceSizes: [480, 800, 1200, 1600],
    imageSizes: [],
  },
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

export default config;
