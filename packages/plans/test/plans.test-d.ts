// What compiles of a plan and what must not, as a user writes it.
import { type ConnectedClient, isMultilocalError, type Outcome } from 'multilocal';
import { type SqlQuery, sqlJournal } from 'multilocal/sql';
import {
  memoryJournal,
  type Plan,
  type PlanAction,
  type PlanJournal,
  type PlanOperation,
  type PlanStep,
  rehearsePlan,
  runPlan,
} from '../src/index.js';

declare const client: ConnectedClient;
declare const plan: Plan;
declare const journal: PlanJournal;
declare function same<T>(value: T): <U>(other: U, ...wrong: [T, U] extends [U, T] ? [] : [never]) => void;
declare function type<T>(): T;

// A journal is required.
runPlan(client, plan, { journal });
runPlan(client, plan, { journal: memoryJournal() });
runPlan(client, plan, { journal: sqlJournal({ query: type<SqlQuery>(), dialect: 'sqlite', name: 'noel-2026' }) });
// @ts-expect-error: no journal.
runPlan(client, plan);
// @ts-expect-error: no journal among the options.
runPlan(client, plan, {});
// @ts-expect-error: perhaps no journal.
runPlan(client, plan, { journal: type<PlanJournal | undefined>() });
// @ts-expect-error: the path of a file is no journal.
runPlan(client, plan, { journal: 'monday.journal.json' });
// @ts-expect-error: a journal compares and swaps, and says whether it did.
runPlan(client, plan, { journal: { load: async () => null, save: async () => {} } });
rehearsePlan(client, plan);
rehearsePlan(client, plan, { journal, signal: AbortSignal.timeout(1) });
runPlan(client, plan, { journal, approved: 'hash', again: true, onStep: ({ outcome }) => outcome });
// @ts-expect-error: a variable that is not set would approve every plan
runPlan(client, plan, { journal, approved: process.env.HASH });
// @ts-expect-error: a rehearsal approves nothing.
rehearsePlan(client, plan, { approved: 'hash' });

// The operation decides the parameters.
const post = { content: 'a', platforms: ['gmb'] } as const;
const take = (..._: PlanAction[]) => {};
take(
  { operation: 'posts.create', params: { bulle_id: 'b', ...post, scheduled_at: new Date() } },
  { operation: 'posts.update', params: { post_id: 1, content: 'b' } },
  { operation: 'posts.delete', params: { post_id: 1 } },
  { operation: 'reviews.reply', params: { review_id: 'r', text: 'a' } },
  { operation: 'seo.scan', params: { bulle_id: 'b' } },
  // A client of one location needs no target.
  { operation: 'seo.scan' },
  { operation: 'gmb.optimizer.audit' },
);
same(type<Plan>().actions)(type<readonly PlanAction[]>());
same(type<PlanAction['operation']>())(type<PlanOperation>());
// @ts-expect-error: there is no such operation.
take({ operation: 'posts.creat', params: post });
// @ts-expect-error: an operation that reads.
take({ operation: 'posts.list', params: {} });
// @ts-expect-error: an operation that waits.
take({ operation: 'reports.createAndWait', params: type<never>() });
// @ts-expect-error: no operation.
take({ params: post });
// @ts-expect-error: no parameters.
take({ operation: 'posts.create' });
// @ts-expect-error: no platforms.
take({ operation: 'posts.create', params: { content: 'a' } });
// @ts-expect-error: no part of the path.
take({ operation: 'posts.update', params: { content: 'b' } });
// @ts-expect-error: a wrong name.
take({ operation: 'posts.create', params: { ...post, contents: 'a' } });
// @ts-expect-error: a parameter of another operation.
take({ operation: 'posts.delete', params: { post_id: 1, content: 'a' } });
// @ts-expect-error: a wrong name where every parameter is optional.
take({ operation: 'seo.scan', params: { bulle: 'b' } });
// @ts-expect-error: a wrong type.
take({ operation: 'posts.delete', params: { post_id: '1' } });
// @ts-expect-error: there is no such platform.
take({ operation: 'posts.create', params: { content: 'a', platforms: ['myspace'] } });
// @ts-expect-error: a plan is rehearsed as a whole.
take({ operation: 'posts.create', params: { ...post, dry_run: true } });
// @ts-expect-error: a file cannot stand in a plan.
take({ operation: 'images.upload', params: { file: new Blob() } });
// @ts-expect-error: a field that an action does not have.
take({ operation: 'posts.delete', params: { post_id: 1 }, note: '' });
// @ts-expect-error: a list is no plan.
rehearsePlan(client, [{ operation: 'seo.scan' }]);

// Results. etc/plans.api.md has their types.
const { steps } = await runPlan(client, plan, { journal });
for (const { error } of steps) if (isMultilocalError(error)) same(error.outcome)(type<Outcome>());
// @ts-expect-error: results are not changed.
steps.push(type<PlanStep>());
