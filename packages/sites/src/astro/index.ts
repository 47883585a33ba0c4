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
