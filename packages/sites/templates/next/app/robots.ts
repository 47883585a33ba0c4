import type { MetadataRoute } from 'next';
import { urlOf } from '@/lib/site';

export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', allow: '/', disallow: '/api/' }, sitemap: urlOf('/sitemap.xml') };
}
