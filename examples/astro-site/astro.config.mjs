import { defineConfig } from 'astro/config';
import { multilocalConfirm } from 'multilocal/astro';
import { pageName } from './src/page-name.mjs';

export default defineConfig({
  site: process.env.SITE_URL ?? 'http://localhost:4321',
  // Keep this folder between builds. It holds the articles, and the list of confirmed pages.
  cacheDir: './.cache',
  integrations: [multilocalConfirm({ url: (article) => `/articles/${pageName(article)}/` })],
});
