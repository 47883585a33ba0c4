import type { InvalidRequestError, Issue } from 'multilocal';
import { checkCall } from 'multilocal/internal/check-call';
import type { Endpoint, Params } from 'multilocal/internal/endpoint';
import { endpoints } from 'multilocal/internal/endpoints';
import { printIssues } from 'multilocal/internal/issues';
import { invalid } from 'multilocal/internal/request';
import * as s from 'multilocal/internal/schema';
import { hashOfAction } from './hash.js';
import { pathNames } from './operation.js';

/** Something that is wrong with an action, or that somebody should look at. It never repeats a contact or a text. */
export interface PlanProblem {
  /** Stable name of the kind of problem: `invalid_request`, `not_connected`, a code of the SDK's errors … */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
  /** The place in the plan: `['actions', 3, 'params', 'content']`. */
  readonly path: readonly (string | number)[];
}

/** One action of a plan, checked. */
export interface Action {
  /** Number of the action, from 0. */
  readonly index: number;
  readonly operation: string;
  readonly endpoint: Endpoint;
  /** The parameters as they are sent, those of the path and the location of the client's view included. */
  readonly params: Params;
  /** SHA-256 of operation and parameters. Identical actions have the same one. */
  readonly hash: string;
  /** The location, listing or object of the action. */
  readonly target: string | undefined;
}

/** A plan that was read. */
export interface Actions {
  /** The actions whose operation and parameters are valid. All of them if there is no problem. */
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

/** The targets of a client's view. */
export type View = { readonly [Name in 'bulle_id' | 'fiche_id']?: string | undefined };

/** Returns the actions of a plan in the view of a client. */
export function inView(actions: readonly Action[], view: View): Action[] {
  return actions.map(({ endpoint, params, index }) => actionOf(endpoint, params, index, view));
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
  const actions = items.flatMap((item, index) => {
    const { issues: own, action } = readAction(item, index);
    report(['actions', index], own, 'The action');
    return action ? [action] : [];
  });
  return { actions, problems, issues, length: items.length };
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
export function at({ index }: Action, ...path: readonly (string | number)[]): PlanProblem['path'] {
  return ['actions', index, ...(path.length > 0 ? ['params', ...path] : [])];
}

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function topIssues(top: Fields | undefined): Issue[] {
  if (!top) return [{ path: [], message: 'must be an object such as { "actions": [ … ] }' }];
  const { $schema, actions } = top;
  const issues = unknownNames(top, ['$schema', 'actions'], 'field');
  if ($schema !== undefined && typeof $schema !== 'string')
    issues.push({ path: ['$schema'], message: s.mustBe('a string', $schema) });
  if (!Array.isArray(actions)) issues.push({ path: ['actions'], message: s.mustBe('an array', actions) });
  else if (actions.length === 0) issues.push({ path: ['actions'], message: 'must have at least one action' });
  return issues;
}

function unknownNames(fields: Fields, known: readonly string[], kind: string): Issue[] {
  const unknown = Object.keys(fields).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: [name], message: s.unknownName(name, known, kind) }));
}

function readAction(item: unknown, index: number): { issues: Issue[]; action?: Action } {
  const fields = fieldsOf(item);
  if (!fields) {
    return { issues: [{ path: [], message: s.mustBe('an object such as { "operation", "params" }', item) }] };
  }
  const issues = unknownNames(fields, ['operation', 'params'], 'field');
  const { operation, params = {} } = fields;
  const given = fieldsOf(params);
  if (!given) issues.push({ path: ['params'], message: s.mustBe('an object', params) });
  const endpoint = writes.find((write) => write.operation === operation);
  if (!endpoint) return { issues: [...issues, { path: ['operation'], message: wrongOperation(operation) }] };
  if (!given) return { issues };
  const own = paramIssues(endpoint, given).map(({ path, message }) => ({ path: ['params', ...path], message }));
  issues.push(...own);
  return { issues, ...(issues.length === 0 && { action: actionOf(endpoint, given, index) }) };
}

function actionOf(endpoint: Endpoint, given: Params, index: number, view: View = {}): Action {
  const { operation, target: name } = endpoint;
  const own = name && given[name] === undefined && view[name] !== undefined ? { [name]: view[name] } : {};
  // A copy: the caller may change its objects while the plan is carried out.
  const params: Params = JSON.parse(JSON.stringify(checkCall(operation, { ...given, ...own }).params));
  const hash = hashOfAction({ operation, params });
  return { index, operation, endpoint, params, hash, target: targetOf(endpoint, params) };
}

/** Returns what an action is about, for people: `post_id 131`, `bulle_id b-lyon`. Never a contact or a text. */
function targetOf(endpoint: Endpoint, params: Params): string | undefined {
  const names = [...pathNames(endpoint), 'bulle_id', 'fiche_id', 'fiche_ids'];
  const parts = names.flatMap((name) => {
    const value = [params[name]].flat().filter((item) => typeof item === 'string' || typeof item === 'number');
    return value.length > 0 ? [`${name} ${value.join(', ')}`] : [];
  });
  return parts.length > 0 ? parts.join(' · ') : undefined;
}

function wrongOperation(operation: unknown): string {
  if (typeof operation !== 'string') return s.mustBe('a string such as "posts.create"', operation);
  if (endpoints.some((endpoint) => endpoint.operation === operation))
    return 'only reads. A plan holds writes: call the method of the client';
  return s.unknownName(
    operation,
    writes.map((write) => write.operation),
    'operation',
  );
}

/** Finds the problems of the parameters as the call would, but all of them at once. */
function paramIssues({ operation }: Endpoint, { dry_run, ...given }: Params): Issue[] {
  const message = 'must be absent: a rehearsal previews a plan, and a run carries it out';
  const own = dry_run === undefined ? [] : [{ path: ['dry_run'], message }];
  return [...own, ...checkCall(operation, given).issues];
}
