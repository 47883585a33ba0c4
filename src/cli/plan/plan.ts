import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Endpoint, Params } from '../../core/endpoint.js';
import { printIssues } from '../../core/issues.js';
import { buildRequest } from '../../core/request.js';
import { mustBe, unknownName } from '../../core/schema.js';
import { codeOf } from '../../files/files.js';
import { InvalidRequestError, type Issue } from '../../index.js';
import { endpoints } from '../../resources/index.js';
import { pathNames } from '../operation.js';
import { parseJson } from './json.js';
import { targetOf, writes } from './operation.js';
import { offsetOf, type Parsed, positionsIn, SyntaxProblem } from './place.js';
import { invalidPlan, type PlanProblem, type Position } from './problem.js';
import { parseYaml } from './yaml.js';

/** One action of a plan. */
export interface PlanAction extends Position {
  /** Number of the action, from 0. */
  readonly index: number;
  readonly operation: string;
  readonly endpoint: Endpoint;
  /** The parameters, those of the path included. */
  readonly params: Params;
  /** SHA-256 of operation and parameters. Identical actions have the same one. */
  readonly hash: string;
  /** The location, listing or object of the action. */
  readonly target: string | undefined;
  /** Returns the position of a parameter, or that of the action if the parameter is missing. */
  at(...path: readonly (string | number)[]): Position;
}

/** A plan as it was read. */
export interface Plan {
  /** The path of the file. */
  readonly file: string;
  /** The actions whose operation and parameters are valid. All of them if there is no problem. */
  readonly actions: readonly PlanAction[];
  /** Every problem of every action, found without a request. A plan with problems is never carried out. */
  readonly problems: readonly PlanProblem[];
}

/**
 * Reads a plan and checks it with the schemas. Sends nothing.
 * @throws a {@link PlanError} if the file cannot be read or is neither JSON nor YAML. Its message has line and column.
 */
export async function readPlan(file: string): Promise<Plan> {
  const refused = (message: string) => {
    return invalidPlan('plan_unreadable', file, [{ line: 1, column: 1, code: 'plan_unreadable', message }]);
  };
  const bytes = await readFile(file).catch((error) => {
    throw refused(READ_ERRORS[codeOf(error)] ?? `The file cannot be read (${codeOf(error)}).`);
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('The file is not UTF-8 text. Save it as UTF-8.');
  }
  if (text.trim() === '') throw refused('The file is empty.');
  return parsePlan(file, text);
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'This is a folder. Pass the path of a file.',
  EACCES: 'This file may not be read by this user.',
};

/** Parses and checks the text of a plan. See {@link readPlan}. */
export function parsePlan(file: string, text: string): Plan {
  const positionOf = positionsIn(text);
  const source = { positionOf, ...parse(file, text, positionOf) };
  const top = fieldsOf(source.value);
  const problems: PlanProblem[] = [];
  const report = (path: Path, issues: readonly Issue[], whole: string, action?: number) => {
    for (const issue of issues) {
      const message = printIssues([issue], whole);
      const position = positionOf(offsetOf(source.place, [...path, ...issue.path]));
      problems.push({ ...position, ...(action !== undefined && { action }), code: 'invalid_request', message });
    }
  };
  report([], topIssues(top), 'The plan');
  const items = Array.isArray(top?.actions) ? top.actions : [];
  const actions = items.flatMap((item, index) => {
    const { issues, action } = readAction(source, item, index);
    report(['actions', index], issues, 'The action', index);
    return action && issues.length === 0 ? [action] : [];
  });
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { file, actions, problems };
}

type Path = readonly (string | number)[];

interface Source extends Parsed {
  readonly positionOf: (offset: number) => Position;
}

function parse(file: string, text: string, positionOf: Source['positionOf']): Parsed {
  try {
    return /^\.ya?ml$/i.test(extname(file)) ? parseYaml(text) : parseJson(text);
  } catch (error) {
    const refused = (offset: number, message: string) => {
      const problem = { ...positionOf(offset), code: 'plan_unreadable', message };
      return invalidPlan('plan_unreadable', file, [problem]);
    };
    if (error instanceof SyntaxProblem) throw refused(error.offset, error.message);
    if (error instanceof RangeError) throw refused(0, 'The file is nested too deeply.');
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function topIssues(top: Fields | undefined): Issue[] {
  if (!top) return [{ path: [], message: 'must be an object such as { "actions": [ … ] }' }];
  const { $schema, actions } = top;
  const issues = unknownNames(top, ['$schema', 'actions'], 'field');
  if ($schema !== undefined && typeof $schema !== 'string')
    issues.push({ path: ['$schema'], message: mustBe('a string', $schema) });
  if (!Array.isArray(actions)) issues.push({ path: ['actions'], message: mustBe('an array', actions) });
  else if (actions.length === 0) issues.push({ path: ['actions'], message: 'must have at least one action' });
  return issues;
}

function unknownNames(fields: Fields, known: readonly string[], kind: string): Issue[] {
  const unknown = Object.keys(fields).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: [name], message: unknownName(name, known, kind) }));
}

function readAction(source: Source, item: unknown, index: number): { issues: Issue[]; action?: PlanAction } {
  const fields = fieldsOf(item);
  if (!fields) {
    return { issues: [{ path: [], message: mustBe('an object such as { "operation", "params" }', item) }] };
  }
  const issues = unknownNames(fields, ['operation', 'params'], 'field');
  const { operation, params = {} } = fields;
  const given = fieldsOf(params);
  if (!given) issues.push({ path: ['params'], message: mustBe('an object', params) });
  const endpoint = writes.find((write) => write.operation === operation);
  if (!endpoint) return { issues: [...issues, { path: ['operation'], message: wrongOperation(operation) }] };
  if (!given) return { issues };
  issues.push(...paramIssues(endpoint, given).map(({ path, message }) => ({ path: ['params', ...path], message })));
  const at = (...path: Path) =>
    source.positionOf(
      offsetOf(source.place, path.length > 0 ? ['actions', index, 'params', ...path] : ['actions', index]),
    );
  const { operation: name } = endpoint;
  const hash = createHash('sha256')
    .update(`${name}\n${canonical(given)}`)
    .digest('hex');
  const target = targetOf(endpoint, given);
  return { issues, action: { ...at(), index, operation: name, endpoint, params: given, hash, target, at } };
}

function wrongOperation(operation: unknown): string {
  if (typeof operation !== 'string') return mustBe('a string such as "posts.create"', operation);
  if (endpoints.some((endpoint) => endpoint.operation === operation))
    return `only reads. A plan holds writes: use \`npx multilocal call ${operation}\``;
  return unknownName(
    operation,
    writes.map((write) => write.operation),
    'operation',
  );
}

/** Finds the problems of the parameters as the call would, but all of them at once. */
function paramIssues(endpoint: Endpoint, params: Params): Issue[] {
  const { dry_run, ...given }: Record<string, unknown> = params;
  const issues: Issue[] = [];
  if (dry_run !== undefined) {
    const message = 'must be absent: `rehearse` previews a plan, and `rehearse --run` carries it out';
    issues.push({ path: ['dry_run'], message });
  }
  const names = pathNames(endpoint);
  for (const name of names) {
    // A request has no path without the parameter, so the other problems would stay unseen.
    if (given[name] === undefined) issues.push({ path: [name], message: mustBe('a string or an integer', undefined) });
    given[name] ??= 'missing';
  }
  for (;;) {
    try {
      const own = Object.entries(given).filter(([name]) => !names.includes(name));
      buildRequest(endpoint, Object.fromEntries(own), given);
      return issues;
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      issues.push(...error.issues);
      const name = error.issues[0]?.path[0];
      if (typeof name !== 'string' || !names.includes(name)) return issues;
      given[name] = 'invalid';
    }
  }
}

/** Writes a value as JSON with sorted names, so that the order of parameters changes nothing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
