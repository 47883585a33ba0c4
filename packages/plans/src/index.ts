export { memoryJournal } from '@multilocal/stores/journal/port';
export type { PlanJournal } from 'multilocal/node';
export type { PlanProblem } from './actions.js';
export type { PlanOptions, PlanProgress } from './context.js';
export type { PlanQuota } from './describe.js';
export type { Plan, PlanAction, PlanOperation } from './plan.js';
export { rehearsePlan } from './rehearse.js';
export type {
  PlanChange,
  PlanRun,
  PlanStep,
  PrunedPost,
  Rehearsal,
  RehearsedAction,
  RehearseOptions,
  RunOptions,
} from './results.js';
export { runPlan } from './run.js';
export { type SettleOptions, settleAction } from './settle.js';
export { type ActionStatus, type PlanState, type PlanStatus, type PlatformState, planStatus } from './status.js';
