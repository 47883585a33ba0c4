import type { ArgsDef, CommandDef, ParsedArgs } from 'citty';
import type { Output } from './output.js';

/** What every command receives. */
interface CommandContext {
  readonly output: Output;
  /** Aborts when the person presses Ctrl-C. Its reason is an `Interrupted`. */
  readonly signal: AbortSignal;
}

/** The words of a command. */
export interface Parsed<Args extends ArgsDef = ArgsDef> {
  readonly args: ParsedArgs<Args>;
  /** Every value of a flag that is {@link repeated}. `args` has the last one. */
  values(flag: keyof Args & string): string[];
}

interface Definition<Args extends ArgsDef> {
  readonly description: string;
  readonly args: Args;
  /** Arguments after those of `args`, such as `key=value …`. Without it, a surplus argument is an error. */
  readonly rest?: string;
  /** What a flag without a value stands for: with `{ crooked: 'all' }`, `--crooked` is `--crooked=all`. */
  readonly bare?: Readonly<Record<string, string>>;
  /** Whether stdout speaks a protocol, so that errors go to stderr only. */
  readonly ownsStdout?: boolean;
  /** Help that depends on the arguments. `usage` is the ordinary help. */
  help?(words: readonly string[], output: Output, usage: string): string;
  /** Runs the command. Resolves to the exit code. */
  run(context: CommandContext & Parsed<Args>): Promise<number>;
}

/** A command of `multilocal`. */
export type Command = Definition<ArgsDef>;

/** A flag without a value. */
export const flag = (description: string) => ({ type: 'boolean', description }) as const;

/** A flag with a value. */
export const option = (description: string, valueHint: string) => ({ type: 'string', description, valueHint }) as const;

/** An argument without a flag. */
export const argument = (description: string) => ({ type: 'positional', description, required: true }) as const;

/** One that may be left out. */
export const optional = (description: string) => ({ type: 'positional', description, required: false }) as const;

/** Flags of every command. */
export const OUTPUT_ARGS = {
  json: {
    ...flag('Print JSON: the default if stdout is not a terminal'),
    negativeDescription: 'Print text for people',
  },
} as const satisfies ArgsDef;

/** The language of a command. Its JSON is always English. */
export const LOCALE = {
  type: 'enum',
  description: 'Language: en, fr (default: that of the terminal)',
  options: ['en', 'fr'] as string[],
} as const;

/** Flags of every command that calls the service. */
export const CONNECTION_ARGS = {
  'base-url': option('Address of the service (or MULTILOCAL_BASE_URL)', 'url'),
  'key-file': option('File with the key (or MULTILOCAL_API_KEY)', 'path'),
  'key-stdin': flag('Read the key from stdin'),
  'allow-http': flag('Send the key over http to other machines (trusted networks only)'),
  'per-minute': option('Most requests a minute (default: the limit of the key)', 'n'),
  'per-day': option('Most requests a day (default: the limit of the key)', 'n'),
  reserve: option('Requests of each minute to leave to other programs', 'n'),
  'max-wait': option('Longest wait for these: ms, 30s, 10m, 1h (default: 10m)', 'time'),
} as const satisfies ArgsDef;

/** One that may be repeated. With `pairs`, its values are `name=value`, and each name has one. `''` stands for a value without a name. */
export const repeated = (description: string, valueHint: string, pairs = false) =>
  ({ ...option(description, valueHint), pairs }) as const;

/** Declares a command with the types of its arguments. */
export function command<const Args extends ArgsDef>(definition: Definition<Args>): Command {
  return { ...definition, args: { ...definition.args, ...OUTPUT_ARGS } } as Definition<ArgsDef>;
}

/** Converts a command to the form of citty, which writes the help. */
export function toCitty(name: string, { description, args }: Command): CommandDef {
  return { meta: { name, description }, args };
}
