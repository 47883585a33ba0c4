import * as z from 'zod/mini';
import type { Schema } from './schema.js';
import type { Issue } from './types.js';

type ZodIssue = z.core.$ZodIssue;

/** zod/mini's message where a schema gives none. */
const UNSAID = 'Invalid input';

/** What is wrong with a value, `undefined` when nothing is. Names paths and expectations, never a value. */
export function issuesOf(schema: Schema, value: unknown): Issue[] | undefined {
  const { error } = z.safeParse(schema, value);
  return error?.issues.flatMap((issue) => describe(issue));
}

/** `articles[3].id: expected an integer; title: …` */
export function printIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path.length > 0 ? `${printPath(path)}: ${message}` : message)).join('; ');
}

function printPath(path: Issue['path']): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

function describe(issue: ZodIssue, base: Issue['path'] = []): Issue[] {
  const path = [...base, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown parameter' }));
  }
  if (issue.code === 'invalid_union') {
    // An alternative that fails on a field inside, rather than as a whole, is the one that was meant.
    const meant = issue.errors.find((errors) => errors.every((inner) => inner.path.length > 0));
    if (meant) return meant.flatMap((inner) => describe(inner, path));
    const alternatives = new Set(issue.errors.flatMap((errors) => errors.map(expectation)));
    return [{ path, message: `expected ${[...alternatives].join(', or ')}` }];
  }
  return [{ path, message: `expected ${expectation(issue)}` }];
}

function expectation(issue: ZodIssue): string {
  if (issue.message !== UNSAID) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int'
        ? 'an integer'
        : `${/^[aeio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'too_small':
      return `at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `at most ${issue.maximum}${unit(issue.origin)}`;
    default:
      return 'something else';
  }
}

function unit(origin: string): string {
  return origin === 'array' ? ' items' : '';
}
