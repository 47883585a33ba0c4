import type { MetadataRoute } from 'next';
import { hasDrafts } from '@/lib/drafts';
import { urlOf } from '@/lib/site';

export default function robots(): MetadataRoute.Robots {
  if (hasDrafts()) return { rules: { userAgent: '*', disallow: '/' } };
  return { rules: { userAgent: '*', allow: '/', disallow: '/api/' }, sitemap: urlOf('/sitemap.xml') };
}
