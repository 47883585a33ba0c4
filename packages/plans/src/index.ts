export { memoryJournal } from '@multilocal/stores/journal/port';
export type { PlanJournal } from 'multilocal/node';
export type { PlanProblem } from './actions.js';
export type { PlanOptions, PlanProgress } from './context.js';
export type { PlanQuota } from './describe.js';
export type { Plan, PlanAction, PlanOperation } from './plan.js';
export { rehearsePlan } from './rehearse.js';
export type {
  LeftOverOptions,
  PlanChange,
  PlanChoices,
  PlanLeftOver,
  PlanRun,
  PlanStep,
  Rehearsal,
  RehearsedAction,
  RehearseOptions,
  RunOptions,
} from './results.js';
export { requireDone, runPlan } from './run.js';
export { type SettleOptions, settleAction } from './settle.js';
export type { PlanState, PlatformState } from './shown.js';
export { type ActionStatus, type PlanStatus, planStatus } from './status.js';
