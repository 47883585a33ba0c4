import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where `scripts/sync.mjs` puts drafts: for `npm run dev`, and for a build with `DRAFTS=1`. Any other sync removes it. */
export const DRAFTS = join('content', 'drafts');

/**
 * Whether the site shows drafts: on the development server, and in a build with `DRAFTS=1` for a host with a password. Such
 * a build tells search engines to leave it out. Never deploy it as the site.
 */
export const hasDrafts = (): boolean => existsSync(DRAFTS);
