/**
 * What the build may cost users: bytes of a bundle by esbuild, minified and gzipped, and type instantiations beyond those
 * of an empty file. They are ratchets: the last figure plus 300 bytes. To raise one, say why in decisions/0004-bundling.md.
 * The contract fixes `articles`. The limits of requests are in request-counts.mjs.
 */
export const BUDGETS = { articles: 30_000, whole: 52_700, site: 2_800, element: 48_000, instantiations: 320 };
