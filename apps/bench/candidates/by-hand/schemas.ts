import * as z from 'zod/mini';

// The fields of the schemas of `multilocal/schemas`: `workers/same-schemas.mjs` compares them.

const text = z.nullish(z.string());

export const identitySchema = z.looseObject({
  api_version: z.string(),
  bulle: z.nullable(z.looseObject({ id: z.string(), name: z.string(), city: text })),
  sphere: z.looseObject({ id: z.string(), name: z.string(), slug: text }),
  permissions: z.array(z.string()),
  rate_limits: z.looseObject({ per_minute: z.int(), per_day: z.int() }),
  connected_platforms: z.array(z.string()),
  gmb_fiches: z.array(
    z.looseObject({ id: z.string(), name: z.string(), address: text, service_area: z.nullish(z.boolean()) }),
  ),
});

export const articleSchema = z.looseObject({
  id: z.int(),
  title: z.string(),
  excerpt: text,
  content_html: text,
  featured_image_url: text,
  meta_title: text,
  meta_description: text,
  target_keyword: text,
  category: text,
  status: z.string(),
  published_at: text,
  created_at: z.string(),
  updated_at: z.string(),
  slug: text,
  bulle_id: text,
  bulle_name: text,
});

export const articleListSchema = z.looseObject({
  articles: z.array(articleSchema),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

export const articleConfirmationSchema = z.looseObject({
  article_id: z.int(),
  confirmed_at: z.string(),
  confirmation_source: z.string(),
});

const PLATFORMS = ['instagram', 'facebook', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'];
const perPlatform = (prefix: string) =>
  Object.fromEntries(PLATFORMS.map((platform) => [`${prefix}_${platform}`, text]));

export const postSchema = z.looseObject({
  id: z.int(),
  bulle_id: text,
  content: z.string(),
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
