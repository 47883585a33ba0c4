/**
 * What the build may cost users: kB (1000 bytes) of a bundle by esbuild, minified and gzipped, and type instantiations
 * beyond those of an empty file. They are coarse, with about 10 % of room, to find what nobody meant to add. The limits of
 * requests are in request-counts.mjs.
 */
export const BUDGETS = { articles: 47, whole: 59, site: 2.75, element: 68, instantiations: 600 };
