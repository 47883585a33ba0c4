import type { CallToolResult } from '@modelcontextprotocol/server';
import { failureOf } from '../failure.js';
import type { Session } from './session.js';

/** Makes a value the answer of a tool: compact JSON, once, without the key, contacts and absolute paths. */
export function answer(value: object, session: Session): CallToolResult {
  return { content: [{ type: 'text', text: textOf(value, session) }] };
}

/** Makes an error the answer of a tool, so that the model can say what to do. */
export function refusal(thrown: unknown, session: Session, more: object = {}): CallToolResult {
  return { ...answer({ error: failureOf(thrown), ...more }, session), isError: true };
}

/** Returns the text of an answer. */
export function textOf(value: object, { output, plans }: Session): string {
  return JSON.stringify(output.clean(mapTexts(value, (text) => plans.withoutPaths(text))));
}

/** Changes every text of a JSON value, and leaves out what is null. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, mapTexts(field, change)]));
}
