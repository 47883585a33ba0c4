import { defineCollection } from 'astro:content';
import { multilocalLoader } from 'multilocal/astro';
import { sanitize } from './sanitize';
import { articleUrl } from './site';

// The key and the address come from MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL.
export const collections = {
  articles: defineCollection({ loader: multilocalLoader({ sanitize, url: articleUrl }) }),
};
