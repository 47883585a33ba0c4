import { parseArgs } from 'node:util';
import type { Command, Parsed } from './command.js';
import { UsageError } from './failure.js';
import { suggestion } from './words.js';

/** Names that people try for the key. */
const KEYS = /^(api[-_]?)?(key|token)$/i;

/**
 * Reads the words behind the name of a command, and refuses what the command does not take: citty ignores it. Values are never
 * repeated, because one of them may be a key.
 */
export function readWords(name: string, { args, bare = {}, rest }: Command, raw: readonly string[]): Parsed {
  const hint = `\`npx multilocal ${name} --help\` lists the flags.`;
  const refuse = (message: string) => new UsageError(message, hint);
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
      throw unknownFlag(name, token.name, Object.keys(options), hint);
    // A variable that is not set approves of no plan, and `rehearse` says so.
    const isMissing = flag === 'approved' ? token.value === undefined : !token.value;
    if (type === 'string' && isMissing) throw refuse(`\`--${flag}\` needs a value.`);
    if (type === 'boolean' && token.value !== undefined) throw refuse(`\`--${token.name}\` takes no value.`);
    const choices = optionsOf(args[flag]);
    if (choices && !choices.includes(`${token.value}`)) throw refuse(`\`--${flag}\` must be ${choices.join(' or ')}.`);
    values.set(flag, [...(values.get(flag) ?? []), token.value ?? flag === token.name]);
  }
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const wanted = Object.keys(args).filter((one) => args[one]?.type === 'positional');
  const given = words.includes('') ? words.indexOf('') : words.length;
  const missing = wanted.slice(given).find((one) => args[one]?.required !== false);
  if (missing !== undefined) throw refuse(`\`${name}\` needs <${missing}>.`);
  if (given > wanted.length && !rest) {
    const most = wanted.length === 0 ? 'no arguments' : `only <${wanted.join('> <')}>`;
    throw refuse(`\`${name}\` takes ${most}; received ${given}.`);
  }
  const defaults = flags.map(([flag, { default: value }]) => [flag, value]);
  const last = [...values].map(([flag, all]) => [flag, all.at(-1)]);
  const positionals = wanted.map((one, index) => [one, words[index]]);
  return {
    args: { ...Object.fromEntries([...defaults, ...last, ...positionals]), _: words },
    values: (flag) => (values.get(flag) ?? []).map(String),
  };
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

function unknownFlag(name: string, flag: string, known: readonly string[], hint: string): UsageError {
  if (KEYS.test(flag)) {
    const message = 'A key on the command line can be read by other programs, so there is no flag for it.';
    return new UsageError(message, 'Set MULTILOCAL_API_KEY, or use `--key-file` or `--key-stdin`.');
  }
  const shown = /^[\w-]{1,30}$/.test(flag) ? `\`--${flag}\`` : 'A flag';
  const nearest = suggestion(
    `--${flag}`,
    known.map((one) => `--${one}`),
  );
  return new UsageError(`${shown} is unknown to \`${name}\`.${nearest}`, hint);
}
