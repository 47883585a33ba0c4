import { parseArgs } from 'node:util';
import type { Command } from './command.js';
import { UsageError } from './failure.js';
import { suggestion } from './words.js';

/** Names that people try for the key. */
const KEYS = /^(api[-_]?)?(key|token)$/i;

/** Gives each flag without a value the one that it stands for. */
export function withBareFlags({ bare = {} }: Command, raw: readonly string[]): string[] {
  return raw.map((word, index) => {
    const value = word.startsWith('--') ? bare[word.slice(2)] : undefined;
    const hasValue = raw[index + 1]?.startsWith('-') === false;
    return value === undefined || hasValue ? word : `${word}=${value}`;
  });
}

/**
 * Refuses what the command does not take: citty ignores unknown flags and surplus arguments. Values are never repeated,
 * because one of them may be a key.
 */
export function checkFlags(name: string, command: Command, raw: readonly string[]): void {
  const { args } = command;
  const flags = Object.entries(args).filter(([, { type }]) => type !== 'positional');
  const options = Object.fromEntries(
    flags.map(([flag, { type }]) => [flag, { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) }]),
  );
  const { tokens } = parseArgs({ args: [...raw], options, strict: false, tokens: true });
  const hint = `\`npx multilocal ${name} --help\` lists the flags.`;
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = token.name.replace(/^no-/, '');
    const type =
      options[token.name]?.type ?? (token.name !== flag && options[flag]?.type === 'boolean' ? 'boolean' : '');
    if (type === '') throw unknownFlag(name, token.name, Object.keys(options), hint);
    // A variable that is not set approves of no plan, and `rehearse` says so.
    const isMissing = token.name === 'approved' ? token.value === undefined : !token.value;
    if (type === 'string' && isMissing) throw new UsageError(`\`--${token.name}\` needs a value.`, hint);
    if (type === 'boolean' && token.value !== undefined)
      throw new UsageError(`\`--${token.name}\` takes no value.`, hint);
  }
  const positionals = Object.entries(args).filter(([, { type }]) => type === 'positional');
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const given = words.includes('') ? words.indexOf('') : words.length;
  const [missing] = positionals.slice(given).find(([, { required }]) => required !== false) ?? [];
  if (missing !== undefined) throw new UsageError(`\`${name}\` needs <${missing}>.`, hint);
  if (given > positionals.length && !command.rest) {
    const most = positionals.length === 0 ? 'no arguments' : `only <${positionals.map(([one]) => one).join('> <')}>`;
    throw new UsageError(`\`${name}\` takes ${most}; received ${given}.`, hint);
  }
}

function unknownFlag(name: string, flag: string, known: readonly string[], hint: string): UsageError {
  if (KEYS.test(flag)) {
    const where = 'Set MULTILOCAL_API_KEY, or use `--key-file` or `--key-stdin`.';
    return new UsageError(
      'A key on the command line can be read by other programs, so there is no flag for it.',
      where,
    );
  }
  const shown = /^[\w-]{1,30}$/.test(flag) ? `\`--${flag}\`` : 'A flag';
  const flags = known.map((one) => `--${one}`);
  return new UsageError(`${shown} is unknown to \`${name}\`.${suggestion(`--${flag}`, flags)}`, hint);
}
