export { GITLAB_REPORT, githubAnnotations, gitlabReport, jobSummary } from './annotate.js';
export { Journal, type Owner } from './journal.js';
export { type Plan, type PlanAction, parsePlan, readPlan } from './plan.js';
export { PlanError, type PlanErrorCode, type PlanProblem, type Position, printProblem } from './problem.js';
export { type RehearseOptions, rehearsePlan, type Verdict } from './rehearse.js';
export { type RunOptions, resumePlan, type Step } from './resume.js';
export { type RunResult, runPlan } from './run.js';
export type { Cost } from './verdict.js';
