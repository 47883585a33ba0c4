import { showInvisible } from '@multilocal/campaigns/encoding';

/**
 * A copy of a value in which every character that no person sees is written out: Unicode tags, marks that reverse the order, and zero
 * widths. A model reads them, so they could hold instructions that nobody else notices.
 */
export function visible<Value>(value: Value): Value {
  return shown(value) as Value;
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return withMarks(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [withMarks(name), shown(field)]));
}

/** Line ends and tabs are seen. */
function withMarks(text: string): string {
  return showInvisible(text, (code) =>
    code === 'd' || code === '9' ? String.fromCodePoint(Number.parseInt(code, 16)) : `\\u{${code}}`,
  );
}
