import type { CallToolResult } from '@modelcontextprotocol/server';
import { failureOf } from '../failure.js';
import { AGENT } from '../front.js';
import { LONGEST_ANSWER } from './refused.js';
import type { Session } from './session.js';
import { visible } from './visible.js';

/** A message may repeat an id or a name that is as long as a book, so texts are cut until the answer fits. What `read` gives fits already. */
const LENGTHS = [Number.POSITIVE_INFINITY, 1_000, 500, 250, 125, 60, 30, 0];

/** Makes a value the answer of a tool: compact JSON, once, without the key and, unless `read` has chosen, without what is null. */
export function answer(
  value: object,
  { output }: Session,
  edit = (text: string) => text,
  keepsNull = false,
): CallToolResult {
  // What `read` gives was written out before it was measured.
  const clean = visible(output.clean(value));
  let text = '';
  for (const longest of LENGTHS) {
    text = JSON.stringify(clean, (_, field: unknown) => {
      if (field === null) return keepsNull ? null : undefined;
      if (typeof field === 'string') return clipped(edit(field), longest);
      if (typeof field !== 'object' || Array.isArray(field) || longest === LENGTHS[0]) return field;
      return Object.fromEntries(Object.entries(field).map(([name, one]) => [clipped(name, 200), one]));
    });
    if (text.length <= LONGEST_ANSWER) break;
  }
  return { content: [{ type: 'text', text }] };
}

/** The same for what the server says itself: without the absolute paths of this machine. */
export function said(value: object, session: Session): CallToolResult {
  return answer(value, session, (text) => session.plans.withoutPaths(text));
}

/** Makes an error the answer of a tool, so that the model can say what to do. */
export function refusal(thrown: unknown, session: Session, more: object = {}): CallToolResult {
  return { ...said({ error: failureOf(thrown, AGENT), ...more }, session), isError: true };
}

function clipped(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
