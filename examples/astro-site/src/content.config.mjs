import { defineCollection } from 'astro:content';
import { multilocalLoader } from 'multilocal/astro';
import { sanitise } from './sanitise.mjs';

export const collections = {
  articles: defineCollection({ loader: multilocalLoader({ sanitize: sanitise }) }),
};
