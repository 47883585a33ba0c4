// What the command line takes from the engine beside its public entry. `npm run check` counts these names.
export { type Action, indexOf, readActions, writes } from './actions.js';
export { checkAccounts, compareSides } from './compare.js';
export { costOfPlan, type PlanCost } from './cost.js';
export { phraseOf, withoutContacts } from './describe.js';
export { hashOfPlan, refuseUnapproved } from './hash.js';
export { type Entry, outcomeOf, parseJournal } from './journal-content.js';
export { call, invoke, pathNames } from './operation.js';
export { impliedMoment, operationsOf, unlistedPreviews } from './operations.js';
export { sentenceOf } from './problems.js';
export { offline, rehearseWithout } from './rehearse.js';
export { runWithout } from './run.js';
export { settleAction } from './settle.js';
export { planStatus } from './status.js';
export { clockOf, localMoment, platformNames } from './words.js';
