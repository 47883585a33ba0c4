export type { ArticleStore } from '../resources/articles-sync.js';
export type { SqlDialect, SqlQuery, SqlStoreOptions } from './options.js';
export { type SqlStore, sqlStore } from './store.js';
