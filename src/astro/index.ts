export type { ClientOptions } from '../client.js';
export type { Article } from '../resources/articles-schema.js';
export type { ArticleData, ArticleOptions, HtmlOptions } from './article.js';
export type { ConnectionOptions } from './connection.js';
export { type MultilocalLoader, type MultilocalLoaderOptions, multilocalLoader } from './loader.js';
