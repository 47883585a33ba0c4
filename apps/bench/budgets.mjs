/**
 * What the build may cost users, with 5 to 10 % of room: kB (1000 bytes) of a bundle by esbuild, minified and gzipped, and
 * type instantiations beyond those of an empty file. The limits of requests are in request-counts.mjs.
 */
export const BUDGETS = { articles: 43, whole: 53.5, site: 2.5, element: 64, instantiations: 600 };
