export type { PlanJournal } from '../plans/journal-port.js';
export type { ArticleStore } from '../resources/articles-sync.js';
export { sqlJournal } from './journal.js';
export type { SqlDialect, SqlDriver, SqlJournalOptions, SqlQuery, SqlStoreOptions } from './options.js';
export { type SqlStore, sqlStore } from './store.js';
