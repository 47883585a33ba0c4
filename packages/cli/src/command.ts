import { type ArgsDef, type CommandDef, type ParsedArgs, parseArgs } from 'citty';
import type { Output } from './output.js';
import { valuesOf } from './values.js';

/** What every command receives. */
export interface CommandContext {
  readonly output: Output;
  /** Aborts when the person presses Ctrl-C. Its reason is an `Interrupted`. */
  readonly signal: AbortSignal;
}

interface Parsed<Args extends ArgsDef> {
  readonly args: ParsedArgs<Args>;
  /** Every value of a flag that may be repeated. `args` has the last one. */
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
export interface Command extends Omit<Definition<ArgsDef>, 'run'> {
  run(context: CommandContext & { readonly raw: readonly string[] }): Promise<number>;
}

/** Flags of every command. */
export const OUTPUT_ARGS = {
  json: {
    type: 'boolean',
    description: 'Print JSON: the default where stdout is no terminal',
    negativeDescription: 'Print text for people',
  },
} as const satisfies ArgsDef;

/** Flags of every command that calls the service. */
export const CONNECTION_ARGS = {
  'base-url': { type: 'string', description: 'Address of the service (or MULTILOCAL_BASE_URL)', valueHint: 'url' },
  'key-file': { type: 'string', description: 'File with the key (or MULTILOCAL_API_KEY)', valueHint: 'path' },
  'key-stdin': { type: 'boolean', description: 'Read the key from stdin' },
  'allow-http': { type: 'boolean', description: 'Send the key over http to other machines (trusted networks only)' },
  'per-minute': {
    type: 'string',
    description: 'Most requests a minute (default: the limit of the key)',
    valueHint: 'n',
  },
  'per-day': { type: 'string', description: 'Most requests a day (default: the limit of the key)', valueHint: 'n' },
  reserve: { type: 'string', description: 'Requests of each minute to leave to other programs', valueHint: 'n' },
  'max-wait': {
    type: 'string',
    description: 'Longest wait for these: ms, 30s, 10m, 1h (default: 10m)',
    valueHint: 'time',
  },
} as const satisfies ArgsDef;

/** Declares a command with the types of its arguments. */
export function command<const Args extends ArgsDef>(definition: Definition<Args>): Command {
  const args = { ...definition.args, ...OUTPUT_ARGS };
  return {
    ...definition,
    args,
    run: ({ raw, ...context }) =>
      definition.run({
        ...context,
        args: parseArgs<Args>([...raw], args),
        values: (flag) => valuesOf(flag, raw),
      }),
  };
}

/** Converts a command to the form of citty, which writes the help. */
export function toCitty(name: string, { description, args }: Command): CommandDef {
  return { meta: { name, description }, args };
}
