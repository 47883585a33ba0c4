export type { ArticleStore } from 'multilocal';
export type { WatchCursor } from '../cursor/port.js';
export type { PlanJournal } from '../journal/port.js';
export { sqlCursor } from './cursor.js';
export { sqlJournal } from './journal.js';
export type {
  SqlCursorOptions,
  SqlDialect,
  SqlDriver,
  SqlJournalOptions,
  SqlQuery,
  SqlStoreOptions,
} from './options.js';
export { type SqlStore, sqlStore } from './store.js';
