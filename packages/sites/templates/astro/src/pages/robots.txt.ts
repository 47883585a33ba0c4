import { drafts } from '../drafts';
import { address } from '../site';

const rules = drafts ? 'Disallow: /' : `Allow: /\n\nSitemap: ${address('sitemap.xml')}`;
export const GET = () => new Response(`User-agent: *\n${rules}\n`);
