import * as z from 'zod/mini';
import { issuesOf } from '../core/issues.js';
import type { ProblemsLeft } from '../core/request.js';
import * as s from '../core/schema.js';

/**
 * The stage of a call with parameters that come from `extra`. They are not checked, and a required parameter may be one of
 * them: a problem counts if the parameters have it with `extra` and without.
 */
export const problemsLeft: ProblemsLeft = (found, schema, params, sent, names) => {
  const foreign = Object.keys(sent).filter((name) => sent[name] !== params[name]);
  if (foreign.length === 0) return found;
  const { def } = (schema as s.Schema & z.core.$ZodObject)._zod;
  const unchecked = Object.fromEntries(foreign.map((name) => [name, z.optional(s.anything)]));
  const open = z.clone(schema, { ...def, shape: { ...def.shape, ...unchecked } } as typeof schema._zod.def);
  const alone = Object.fromEntries(Object.entries(params).filter(([name]) => !foreign.includes(name)));
  const remaining = issuesOf(open, sent, names)?.map((issue) => JSON.stringify(issue));
  return issuesOf(open, alone, names)?.filter((issue) => remaining?.includes(JSON.stringify(issue))) ?? [];
};
