import type { JsonSchema, Parameter } from './document.js';
import { readOperations } from './document.js';
import { UsageError } from './failure.js';
import type { Params } from './operation.js';

/** cmd knows no single quotes, and PowerShell splits at commas. */
const QUOTES = 'Put values with spaces or commas in double quotes: `"platforms=facebook,gmb"`.';

/**
 * Reads `key=value` arguments. The operation's schema says which texts are numbers, booleans, lists and objects. The
 * client checks the result: a text that cannot be converted stays a text, and the client's error names it.
 */
export function readParameters(operation: string, given: readonly string[]): Params {
  const known = new Map(
    readOperations()
      .get(operation)
      ?.parameters.map((one) => [one.name, one]),
  );
  const texts = new Map<string, string[]>();
  for (const [index, argument] of given.entries()) {
    const at = argument.indexOf('=');
    if (at < 1) {
      const example = `${known.keys().next().value ?? 'name'}=value`;
      const hint = `Example: \`npx multilocal call ${operation} ${example}\`. ${QUOTES}`;
      throw new UsageError(`Parameter ${index + 1} must have the form key=value.`, hint);
    }
    const name = argument.slice(0, at);
    texts.set(name, [...(texts.get(name) ?? []), argument.slice(at + 1)]);
  }
  return Object.fromEntries([...texts].map(([name, values]) => [name, convert(known.get(name), name, values)]));
}

function convert(parameter: Parameter | undefined, name: string, texts: readonly string[]): unknown {
  const schemas = parameter ? alternatives(parameter.schema) : [];
  const list = schemas.find(({ type }) => type === 'array');
  const isSingle = schemas.some(({ type }) => type !== 'array');
  const [text = ''] = texts;
  if (texts.length > 1 && !list) {
    throw new UsageError(`\`${name}\` is given ${texts.length} times, but it is not a list.`, 'Pass it once.');
  }
  if (!list || (isSingle && texts.length === 1 && !/^\s*\[/.test(text) && !text.includes(',')))
    return scalar(name, schemas, text);
  const json = texts.length === 1 ? parseJson(name, text, '[') : undefined;
  if (json !== undefined) return json;
  if (texts.length === 1 && /^\s*\[/.test(text)) throw notJson(name, '["…","…"]', 'Leave out the brackets, or put');
  const items = alternatives(list.items ?? {});
  // Repeated values and objects may contain commas: only a single plain text is split.
  const isPlain = texts.length === 1 && !/^\s*\{/.test(text);
  // An address may contain commas, but no spaces.
  const separator = /^\s*https?:\/\//i.test(text) ? /\s*,\s*(?=https?:\/\/|$)|\s+(?=https?:\/\/)/i : ',';
  return (isPlain ? text.trim().split(separator) : texts).map((item) => scalar(name, items, item.trim()));
}

function scalar(name: string, schemas: readonly JsonSchema[], text: string): unknown {
  const accepts = (type: string) => schemas.some((schema) => schema.type === type);
  if ((accepts('integer') || accepts('number')) && /^-?\d+(\.\d+)?$/.test(text)) {
    if (isExact(text)) return Number(text);
    if (!accepts('string')) throw inexact(name);
  }
  if (accepts('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  if (accepts('null') && text === 'null') return null;
  const json = accepts('object') ? parseJson(name, text, '{') : undefined;
  if (json === undefined && accepts('object') && !accepts('string')) throw notJson(name, '{"…":"…"}');
  return json ?? text;
}

/** Shells remove quotes that are not quoted themselves. */
function notJson(name: string, example: string, put = 'Put'): UsageError {
  return new UsageError(
    `\`${name}\` is not valid JSON. Did the shell remove its quotes? Nothing was sent.`,
    `${put} the argument in single quotes: \`'${name}=${example}'\`. In cmd: \`"${name}=${example.replaceAll('"', '\\"')}"\`.`,
  );
}

function parseJson(name: string, text: string, start: '[' | '{'): unknown {
  if (!text.trimStart().startsWith(start)) return undefined;
  const value = jsonOf(text);
  const numbers = text.replace(/"(?:\\.|[^"\\])*"/g, '').match(/-?\d[\d.]*(e[+-]?\d+)?/gi) ?? [];
  if (value !== undefined && !numbers.every(isExact)) throw inexact(name);
  return value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a number keeps its value. JavaScript keeps 15 digits of every number, and more of some. */
function isExact(text: string): boolean {
  const digits = text
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
  return digits.length <= 15 || String(Number(text)) === text;
}

/** The request would name another number, for example that of another post. */
function inexact(name: string): UsageError {
  return new UsageError(
    `\`${name}\` has more digits than a number can keep. Nothing was sent.`,
    'Pass the number with 15 digits or less.',
  );
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf?.flatMap(alternatives) ?? [schema];
}
