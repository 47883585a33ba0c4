export type { Article, Client, ClientOptions } from 'multilocal';
export type { ArticleData, ArticleOptions, HtmlOptions } from './article.js';
export { type ConfirmPagesOptions, type ConfirmPagesResult, confirmPages, type UnconfirmedPage } from './confirm.js';
export type { ConnectionOptions } from './connection.js';
export {
  type ArticleFilter,
  type MultilocalLiveLoader,
  type MultilocalLiveLoaderOptions,
  multilocalLiveLoader,
} from './live.js';
export {
  type MultilocalLoader,
  type MultilocalLoaderContext,
  type MultilocalLoaderOptions,
  multilocalLoader,
} from './loader.js';

const version = astroVersion();
if (version && Number.parseInt(version, 10) < 5) {
  throw new Error(`multilocal/astro needs Astro 5 or later, and this project has ${version} (npx @astrojs/upgrade).`);
}

/** The version of the Astro of the project. `undefined` in a bundle, and outside of Node. */
function astroVersion(): string | undefined {
  try {
    const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
    return (require('astro/package.json') as { version: string }).version;
  } catch {
    return undefined;
  }
}
