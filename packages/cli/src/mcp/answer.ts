import type { CallToolResult } from '@modelcontextprotocol/server';
import { failureOf } from '../failure.js';
import { AGENT } from '../front.js';
import { LONGEST_ANSWER } from './refused.js';
import type { Session } from './session.js';

/** Makes a value the answer of a tool: compact JSON, once, without the key. */
export function answer(value: object, { output }: Session): CallToolResult {
  return { content: [{ type: 'text', text: fitting(output.clean(withoutNull(value))) }] };
}

/** The same for what the server says itself: without the absolute paths of this machine. */
export function said(value: object, session: Session): CallToolResult {
  return answer(session.plans.withoutPaths(value) as object, session);
}

/** Makes an error the answer of a tool, so that the model can say what to do. */
export function refusal(thrown: unknown, session: Session, more: object = {}): CallToolResult {
  return { ...said({ error: failureOf(thrown, AGENT), ...more }, session), isError: true };
}

/** A message may repeat an id or a name that is as long as a book. What `read` gives fits already. */
function fitting(value: unknown): string {
  for (let longest = 2_000; ; longest = Math.floor(longest / 2)) {
    const text = JSON.stringify(longest === 2_000 ? value : clipped(value, longest));
    if (text.length <= LONGEST_ANSWER || longest === 0) return text;
  }
}

function clipped(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return value.length > longest ? `${value.slice(0, longest)}…` : value;
  if (Array.isArray(value)) return value.map((item) => clipped(item, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name.slice(0, 200), clipped(field, longest)]),
  );
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNull(field)]));
}
