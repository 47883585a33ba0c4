export { type CalendarOptions, calendarOf } from './calendar.js';
export {
  type Campaign,
  type CampaignPost,
  type CampaignProblem,
  type CampaignRow,
  type PlannedCampaign,
  planCampaign,
} from './campaign.js';
export type { Plan, PlanAction, PlanOperation } from './plan.js';
