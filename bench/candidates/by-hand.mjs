import ky from 'ky';
import * as z from 'zod/mini';

/** The same libraries as ours, without anything around them. */
export function connect({ baseUrl, apiKey }) {
  const api = ky.create({ prefix: `${baseUrl}/api/v2`, headers: { 'X-API-Key': apiKey } });
  return {
    article: (id) => api.get(`articles/${id}`).json(articleSchema),
    posts: () => api.get('posts', { searchParams: { limit: 100 } }).json(postListSchema),
    articles: (updated_since) =>
      api.get('articles', { searchParams: { status: 'all', updated_since } }).json(articleListSchema),
  };
}

const text = z.nullish(z.string());
const texts = (...names) => Object.fromEntries(names.map((name) => [name, text]));
const perPlatform = (field) =>
  texts(
    ...['instagram', 'facebook', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'].map(
      (platform) => `${field}_${platform}`,
    ),
  );

// The fields of `multilocal/schemas`: the benchmark compares them.

export const articleSchema = z.looseObject({
  id: z.int(),
  title: text,
  ...texts('excerpt', 'content_html', 'featured_image_url', 'meta_title', 'meta_description', 'target_keyword'),
  category: text,
  status: z.string(),
  published_at: text,
  created_at: z.string(),
  updated_at: z.string(),
  ...texts('slug', 'bulle_id', 'bulle_name'),
});

export const articleListSchema = z.looseObject({
  articles: z.array(articleSchema),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

export const postSchema = z.looseObject({
  id: z.int(),
  bulle_id: text,
  content: text,
  platforms: z.array(z.string()),
  status: z.string(),
  image_url: text,
  image_urls: z.nullish(z.array(z.string())),
  video_url: text,
  ...perPlatform('scheduled'),
  ...perPlatform('published'),
  ...perPlatform('error'),
  platform_refs: z.nullish(z.looseObject({})),
  created_at: z.string(),
  updated_at: z.string(),
  warnings: z.nullish(z.array(z.unknown())),
});
const postListSchema = z.array(postSchema);
