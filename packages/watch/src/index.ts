export { memoryCursor } from '@multilocal/stores/cursor/port';
export type { WatchCursor } from 'multilocal/node';
export type {
  ArticleEvent,
  ConnectionEvent,
  DeletedArticleEvent,
  GapEvent,
  PostEvent,
  ReportEvent,
  ReviewEvent,
  WatchEvent,
  WatchEventType,
  WatchHappening,
  WatchKind,
} from './events.js';
export type { WatchOptions, WatchPlanOptions } from './options.js';
export type { WatchPlanEntry } from './plan.js';
export { watch } from './watch.js';
export { watchPlan } from './watch-plan.js';
