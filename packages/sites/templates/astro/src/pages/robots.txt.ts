import { address } from '../site';

export const GET = () => new Response(`User-agent: *\nAllow: /\n\nSitemap: ${address('sitemap.xml')}\n`);
