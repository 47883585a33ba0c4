import { parseArgs } from 'node:util';
import type { Command, Parsed } from './command.js';
import { UsageError } from './failure.js';
import { USAGE } from './usage-said.js';

/** Names that people try for the key. */
const KEYS = /^(api[-_]?)?(key|token)$/i;

/**
 * Reads the words behind the name of a command, and refuses what the command does not take: citty ignores it. Values are never
 * repeated, because one of them may be a key.
 */
export function readWords(name: string, { args, bare = {}, rest }: Command, raw: readonly string[]): Parsed {
  const flags = Object.entries(args).filter(([, { type }]) => type !== 'positional');
  const options = Object.fromEntries(
    flags.map(([flag, { type }]) => [flag, { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) }]),
  );
  const { tokens } = parseArgs({ args: withBare(raw, bare), options, strict: false, tokens: true });
  const values = new Map<string, (string | boolean)[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = options[token.name] ? token.name : token.name.replace(/^no-/, '');
    const { type } = options[flag] ?? {};
    if (!type || (flag !== token.name && type !== 'boolean'))
      throw new UsageError(
        ...(KEYS.test(token.name) ? USAGE.keyInSight() : USAGE.unknownFlag(name, token.name, Object.keys(options))),
      );
    // A variable that is not set approves of no plan, and `rehearse` says so.
    const isMissing = flag === 'approved' ? token.value === undefined : !token.value;
    if (type === 'string' && isMissing) throw new UsageError(...USAGE.needsValue(name, flag));
    if (type === 'boolean' && token.value !== undefined) throw new UsageError(...USAGE.takesNoValue(name, token.name));
    const choices = optionsOf(args[flag]);
    if (choices && !choices.includes(`${token.value}`)) throw new UsageError(...USAGE.choices(name, flag, choices));
    const value = token.value ?? flag === token.name;
    const before = values.get(flag) ?? [];
    const isRival = (one: string | boolean) => one !== value && nameIn(one, args[flag]) === nameIn(value, args[flag]);
    if (before.some(isRival))
      throw new UsageError(...(type === 'boolean' ? USAGE.together(flag, `no-${flag}`) : USAGE.twice(flag)));
    values.set(flag, [...before, value]);
  }
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const wanted = Object.keys(args).filter((one) => args[one]?.type === 'positional');
  const given = words.includes('') ? words.indexOf('') : words.length;
  const missing = wanted.slice(given).find((one) => args[one]?.required !== false);
  if (missing !== undefined) throw new UsageError(...USAGE.needsArgument(name, missing));
  if (given > wanted.length && !rest) throw new UsageError(...USAGE.surplus(name, wanted, given));
  const defaults = flags.map(([flag, { default: value }]) => [flag, value]);
  const last = [...values].map(([flag, all]) => [flag, all.at(-1)]);
  const positionals = wanted.map((one, index) => [one, words[index]]);
  return {
    args: { ...Object.fromEntries([...defaults, ...last, ...positionals]), _: words },
    values: (flag) => (values.get(flag) ?? []).map(String),
  };
}

/** What a value of a flag is for: two of one name exclude each other. */
function nameIn(value: string | boolean, definition: object = {}): string | boolean {
  if (!('pairs' in definition)) return '';
  return definition.pairs ? `${value}`.slice(0, Math.max(0, `${value}`.indexOf('='))) : value;
}

/** Gives each flag without a value the one that it stands for. */
function withBare(raw: readonly string[], bare: Readonly<Record<string, string>>): string[] {
  return raw.map((word, index) => {
    const value = word.startsWith('--') ? bare[word.slice(2)] : undefined;
    const hasValue = raw[index + 1]?.startsWith('-') === false;
    return value === undefined || hasValue ? word : `${word}=${value}`;
  });
}

function optionsOf(definition: Command['args'][string] | undefined): readonly string[] | undefined {
  return definition?.type === 'enum' ? definition.options : undefined;
}

// Values are never repeated in the messages, because one of them may be a key.

/** Reads a whole number. @throws {UsageError} if the value is none, or below `min`. */
export function integerOf(flag: string, value: string | undefined, min: number): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= min) return number;
  throw new UsageError(...USAGE.integer(flag, min));
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
export const DAY = 86_400_000;

/** Reads a time in ms: `500`, `30s`, `10m`. @throws {UsageError} if the value is none. */
export function durationOf(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, count = '', unit = 'ms'] = /^(\d+)(ms|s|m|h)?$/.exec(value) ?? [];
  const ms = Number(count || Number.NaN) * (UNITS[unit] ?? Number.NaN);
  if (Number.isSafeInteger(ms)) return ms;
  throw new UsageError(...USAGE.duration(flag));
}
