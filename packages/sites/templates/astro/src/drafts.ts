/**
 * Whether the site shows drafts: on the development server, and in a build with `DRAFTS=1` for a host with a password. Such
 * a build tells search engines to leave it out, and `npm run confirm` confirms none of its pages. Never deploy it as the site.
 */
export const drafts: boolean = import.meta.env.DEV || process.env.DRAFTS === '1';
