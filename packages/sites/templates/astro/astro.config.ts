import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { defineConfig } from 'astro/config';
import { mockWithoutService } from './scripts/mock';
import { oldAddresses } from './scripts/redirects';
import { buildReport } from './scripts/report';
import { site } from './src/site';

// MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL can also be in a file.
if (existsSync('.env')) loadEnvFile();

const { origin, pathname } = new URL(site.url);

export default defineConfig({
  site: origin,
  base: pathname,
  // What a build remembers: articles, pictures, confirmed pages. `npm ci` removes node_modules, where Astro keeps it.
  cacheDir: './.cache',
  trailingSlash: 'always',
  // The Content Security Policy of the pages allows no inline styles.
  build: { inlineStylesheets: 'never' },
  // The pictures of articles, wherever they are.
  image: { remotePatterns: [{ protocol: 'https' }] },
  integrations: [buildReport(), oldAddresses(), mockWithoutService()],
});
