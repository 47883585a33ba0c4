export type { ArticleStore } from 'multilocal';
export type { PlanJournal } from '../journal/port.js';
export { sqlJournal } from './journal.js';
export type { SqlDialect, SqlDriver, SqlJournalOptions, SqlQuery, SqlStoreOptions } from './options.js';
export { type SqlStore, sqlStore } from './store.js';
