export { GITLAB_REPORT, githubAnnotations, gitlabReport, jobSummary } from './annotate.js';
export { Journal } from './journal.js';
export { type Plan, parsePlan, readPlan } from './plan.js';
export { PlanError, type PlanProblem, printProblem } from './problem.js';
export { rehearsePlan, type Verdict } from './rehearse.js';
export { resumePlan, type Step } from './resume.js';
export { type RunResult, runPlan } from './run.js';
export { Wire } from './wire.js';
