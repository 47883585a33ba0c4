// The entry `multilocal/plans`: the engine, and what writes plans and shows them.
export * from '@multilocal/plans';
export { type CalendarOptions, calendarOf } from './calendar.js';
export type { CalendarLeftOver } from './calendar-drafts.js';
export {
  type Campaign,
  type CampaignPost,
  type CampaignProblem,
  type CampaignRow,
  type PlannedCampaign,
  planCampaign,
} from './campaign.js';
export { planTable, type TableColumn, type TableOptions, type TableRow } from './table.js';
