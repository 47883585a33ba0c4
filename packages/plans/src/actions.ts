import type { Client, InvalidRequestError, Issue } from 'multilocal';
import type { Endpoint, Params } from 'multilocal/internal/endpoint';
import { checkCall, endpoints } from 'multilocal/internal/endpoints';
import { inside } from 'multilocal/internal/inspect';
import { printIssues } from 'multilocal/internal/issues';
import { invalid } from 'multilocal/internal/request';
import * as s from 'multilocal/internal/schema';
import { hashOfAction, keysOf } from './hash.js';
import { pathNames } from './operation.js';

/** Something that is wrong with an action, or that a person should look at. It never repeats a contact or a text. */
export interface PlanProblem {
  /** Stable name of the kind of problem: `invalid_request`, `not_connected`, a code of the SDK's errors … */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
  /** The same as data, from which a front can make sentences of its own. Absent: the message is that of an error. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** The place in the plan: `['actions', 3, 'params', 'content']`. */
  readonly path: readonly (string | number)[];
  /** Where the action was written, if the plan says so: `semaine.csv:81`. */
  readonly source?: string | undefined;
}

/** One action of a plan, checked. */
export interface Action {
  /** Number of the action, from 0. */
  readonly index: number;
  /** What the action is called across versions of the plan. */
  readonly key: string;
  /** The key that the plan gives it. */
  readonly givenKey: string | undefined;
  /** The name of the plan, and its hash. */
  readonly plan: string | undefined;
  readonly planHash?: string | undefined;
  readonly operation: string;
  readonly endpoint: Endpoint;
  /** The parameters as they are sent, those of the path and the location of the client's view included. */
  readonly params: Params;
  /** The location or listing of the key, for an action that names none. It is not sent. */
  readonly own?: Params;
  /** SHA-256 of operation and parameters in their place. Identical actions have the same one. */
  readonly hash: string;
  /** The location, listing or object of the action. */
  readonly target: string | undefined;
  /** Whether the view of the client says where it acts, and not the plan. */
  readonly isInView?: boolean;
  /** Where it was written: `semaine.csv:81`. */
  readonly source?: string | undefined;
}

/** A plan that was read. */
export interface Actions {
  /** The name of the plan. */
  readonly name: string | undefined;
  /** The locations that the plan speaks of. `undefined`: all. */
  readonly covers: readonly string[] | undefined;
  /**
   * The actions whose operation and parameters are valid, without a place that a client fills in. All of them if there is no
   * problem.
   */
  readonly actions: readonly Action[];
  /** Every problem of every action. A plan with problems is never carried out. */
  readonly problems: readonly PlanProblem[];
  /** The same, as issues of the whole plan. */
  readonly issues: readonly Issue[];
  /** Number of actions, the invalid ones included. */
  readonly length: number;
}

/** The operations that a plan may have. */
export const writes: readonly Endpoint[] = endpoints.filter(({ method }) => method !== 'GET');

/**
 * Returns the actions of a plan in the view of a client: with the location or listing of the view where an action names none.
 * Keys and hashes are those of the place where an action acts, which is that of the key if neither names one. So they need the
 * identity of the client.
 */
export function resolveTargets(actions: readonly Action[], client: Client): Action[] {
  const view = inside(client);
  const { bulle, gmb_fiches = [] } = client.identity ?? {};
  const own = {
    bulle_id: view.bulle_id ?? bulle?.id,
    fiche_id: view.fiche_id ?? (gmb_fiches.length === 1 ? gmb_fiches[0]?.id : undefined),
  };
  const placed = actions.map((action) => {
    const inView = targetIn(view, action);
    const params = { ...action.params, ...inView };
    const target = targetOf(action.endpoint, params);
    return { ...action, params, target, isInView: inView !== NONE, own: targetIn(own, { ...action, params }) };
  });
  const whole = placed.map((action) => ({
    ...action,
    key: action.givenKey,
    params: { ...action.params, ...action.own },
  }));
  const keys = keysOf(whole);
  return placed.map((action, index) => {
    return { ...action, key: keys[index] as string, hash: hashOfAction(whole[index] as Action) };
  });
}

type View = { readonly [Name in 'bulle_id' | 'fiche_id']: string | undefined };

const NONE: Params = {};

/** The target of a view, for an action that names none. */
function targetIn(view: View, { endpoint: { target }, params }: Pick<Action, 'endpoint' | 'params'>): Params {
  const value = target && view[target];
  return !target || params[target] !== undefined || value === undefined ? NONE : { [target]: value };
}

/**
 * Checks a plan with the schemas. Sends nothing. Problems of the plan as a whole have the path `[]`, or one that begins
 * with the name of a field.
 */
export function readActions(plan: unknown): Actions {
  const top = fieldsOf(plan);
  const problems: PlanProblem[] = [];
  const issues: Issue[] = [];
  const report = (at: Issue['path'], found: readonly Issue[], whole: string) => {
    for (const issue of found) {
      const path = [...at, ...issue.path];
      problems.push({ code: 'invalid_request', message: printIssues([issue], whole), path });
      issues.push({ path, message: issue.message });
    }
  };
  report([], topIssues(top), 'The plan');
  const items = Array.isArray(top?.actions) ? top.actions : [];
  const first = new Map<unknown, number>();
  const read = items.flatMap((item, index) => {
    const { issues: own, action } = readAction(item, index);
    const { key } = Object(item) as Fields;
    const same = key === undefined ? undefined : first.get(key);
    if (same === undefined) first.set(key, index);
    else own.push({ path: ['key'], message: `is also the key of action ${same + 1}. Each action needs its own` });
    report(['actions', index], own, 'The action');
    return action ? [action] : [];
  });
  const keys = keysOf(read.map(({ givenKey, operation, params }) => ({ key: givenKey, operation, params })));
  const name = typeof top?.name === 'string' ? top.name : undefined;
  const actions = read.map((action, index) => ({ ...action, key: keys[index] as string, plan: name }));
  const covers = Array.isArray(top?.covers) ? top.covers.map(String) : undefined;
  return { name, covers, actions, problems, issues, length: items.length };
}

/** Returns the error of a plan that cannot be carried out, before anything is sent. */
export function invalidPlan(operation: string, issues: readonly Issue[]): InvalidRequestError {
  const named = issues.map(({ path, message }) => ({ path: path.length > 0 ? path : ['plan'], message }));
  return invalid(named, { operation });
}

/** Returns the number of the action that a problem belongs to. `undefined` for a problem of the whole plan. */
export function indexOf({ path: [first, index] }: Pick<PlanProblem, 'path'>): number | undefined {
  return first === 'actions' && typeof index === 'number' ? index : undefined;
}

/** The path of a parameter of an action. */
export function at({ index }: Pick<Action, 'index'>, ...path: readonly (string | number)[]): PlanProblem['path'] {
  return ['actions', index, ...(path.length > 0 ? ['params', ...path] : [])];
}

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function topIssues(top: Fields | undefined): Issue[] {
  if (!top) return [{ path: [], message: 'must be an object such as { "actions": [ … ] }' }];
  const { $schema, actions, name, covers } = top;
  const fields = ['$schema', 'name', 'covers', 'actions'];
  const issues = [...unknownNames(top, fields, 'field'), ...wordIssues('name', name)];
  const isList = Array.isArray(covers) && covers.length > 0 && covers.every((id) => typeof id === 'string');
  if (covers !== undefined && !isList)
    issues.push({ path: ['covers'], message: s.mustBe('an array of location ids, at least one', covers) });
  if ($schema !== undefined && typeof $schema !== 'string')
    issues.push({ path: ['$schema'], message: s.mustBe('a string', $schema) });
  if (!Array.isArray(actions)) issues.push({ path: ['actions'], message: s.mustBe('an array', actions) });
  else if (actions.length === 0) issues.push({ path: ['actions'], message: 'must have at least one action' });
  return issues;
}

/** The issues of the name of a plan, or of a key. */
function wordIssues(field: string, word: unknown): Issue[] {
  if (word === undefined) return [];
  const message = 'must have 1 to 200 characters on one line';
  if (typeof word !== 'string') return [{ path: [field], message: s.mustBe('a string', word) }];
  return /^[^\p{Cc}\u2028\u2029]{1,200}$/u.test(word) ? [] : [{ path: [field], message }];
}

function unknownNames(fields: Fields, known: readonly string[], kind: string): Issue[] {
  const unknown = Object.keys(fields).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: [name], message: s.unknownName(name, known, kind) }));
}

/** An action as it stands in a plan. Its key, if it has none, depends on the others. */
type Given = Omit<Action, 'key' | 'plan'>;

function readAction(item: unknown, index: number): { issues: Issue[]; action?: Given } {
  const fields = fieldsOf(item);
  if (!fields) {
    return { issues: [{ path: [], message: s.mustBe('an object such as { "operation", "params" }', item) }] };
  }
  const { key, operation, params = {}, source } = fields;
  const known = ['key', 'operation', 'params', 'source'];
  const issues = [...unknownNames(fields, known, 'field'), ...wordIssues('key', key), ...wordIssues('source', source)];
  const given = fieldsOf(params);
  if (!given) issues.push({ path: ['params'], message: s.mustBe('an object', params) });
  const endpoint = writes.find((write) => write.operation === operation);
  if (!endpoint) return { issues: [...issues, { path: ['operation'], message: wrongOperation(operation) }] };
  if (!given) return { issues };
  const own = paramIssues(endpoint, given).map(({ path, message }) => ({ path: ['params', ...path], message }));
  issues.push(...own);
  if (issues.length > 0) return { issues };
  // A copy: the caller may change its objects while the plan is carried out.
  const copy: Params = JSON.parse(JSON.stringify(checkCall(endpoint.operation, { ...given }).params));
  const hash = hashOfAction({ operation: endpoint.operation, params: copy });
  const [givenKey, target] = [key as string | undefined, targetOf(endpoint, copy)];
  const place = source === undefined ? {} : { source: source as string };
  const action = { index, givenKey, operation: endpoint.operation, endpoint, params: copy, hash, target, ...place };
  return { issues, action };
}

/** The parameters that say what an action is about. */
export const targetNames = (endpoint: Endpoint) => [...pathNames(endpoint), 'bulle_id', 'fiche_id', 'fiche_ids'];

/** Returns what an action is about, for people: `post_id 131`, `bulle_id b-lyon`. Never a contact or a text. */
function targetOf(endpoint: Endpoint, params: Params): string | undefined {
  const parts = targetNames(endpoint).flatMap((name) => {
    const value = [params[name]].flat().filter((item) => typeof item === 'string' || typeof item === 'number');
    return value.length > 0 ? [`${name} ${value.join(', ')}`] : [];
  });
  return parts.length > 0 ? parts.join(' · ') : undefined;
}

function wrongOperation(operation: unknown): string {
  if (typeof operation !== 'string') return s.mustBe('a string such as "posts.create"', operation);
  if (endpoints.some((endpoint) => endpoint.operation === operation))
    return 'only reads. A plan holds writes: call the method of the client';
  const known = writes.map((write) => write.operation);
  return s.unknownName(operation, known, 'operation');
}

/** Finds the problems of the parameters as the call would, but all of them at once. */
function paramIssues({ operation }: Endpoint, { dry_run, ...given }: Params): Issue[] {
  const message = 'must be absent: a rehearsal previews a plan, and a run carries it out';
  const own = dry_run === undefined ? [] : [{ path: ['dry_run'], message }];
  return [...own, ...checkCall(operation, given).issues];
}
