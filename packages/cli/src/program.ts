// cspell:ignore erreur
import { stripVTControlCharacters } from 'node:util';
import { renderUsage } from 'citty';
import { type Command, OUTPUT_ARGS, type Parsed, toCitty } from './command.js';
import { COMMANDS, loadAll } from './commands/index.js';
import { EXIT, exitCodeOf, Failed, failureOf, Interrupted, UsageError } from './failure.js';
import { readWords } from './flags.js';
import { TERMINAL } from './front.js';
import { Output, ours } from './output.js';
import { suggestion } from './words.js';

const NAMES = Object.keys(COMMANDS);
const DESCRIPTION = 'The Multi-Location Social Publishing and Content API in a terminal';

/** Runs a command line and returns its exit code. */
export async function program(argv: readonly string[]): Promise<number> {
  const output = new Output(wantsJson(argv));
  // An argument may be the key by mistake, even if the command needs no key.
  output.protect(process.env.MULTILOCAL_API_KEY ?? '');
  let command: Command | undefined;
  try {
    const at = argv.findIndex((argument) => !argument.startsWith('-'));
    const name = argv[at];
    const raw = argv.filter((_, index) => index !== at);
    if (name === undefined || name === 'help') return await withoutCommand(output, argv);
    command = await find(name, raw);
    if (asksForHelp(raw)) {
      const words = raw.filter((argument) => !argument.startsWith('-'));
      const text = await usage(output, name, command);
      output.raw(command.help?.(words, output, text) ?? text);
      return EXIT.done;
    }
    // What is wrong with the words is said in the language that they name.
    if ('locale' in command.args) output.speak(localeIn(raw));
    const parsed = readWords(name, command, raw);
    return await runUntilInterrupted(command, parsed, output);
  } catch (thrown) {
    report(thrown, output, command?.ownsStdout === true);
    return exitCodeOf(thrown);
  }
}

/** Returns the value of the two flags, before anything else is read. */
function wantsJson(argv: readonly string[]): boolean | undefined {
  const flag = argv.findLast((argument) => argument === '--json' || argument === '--no-json');
  return flag === undefined ? undefined : flag === '--json';
}

/** Returns the value of `--locale`, before anything else is read. */
function localeIn(argv: readonly string[]): string | undefined {
  return argv
    .flatMap((word, index) => (word === '--locale' ? argv[index + 1] : /^--locale=(.*)$/.exec(word)?.[1]) ?? [])
    .at(-1);
}

async function withoutCommand(output: Output, argv: readonly string[]): Promise<number> {
  if (asksForHelp(argv) || argv.includes('help')) {
    output.raw(await usage(output));
    return EXIT.done;
  }
  if (output.isJson) throw new UsageError('A command is required.', `Commands: ${NAMES.join(', ')}.`);
  output.note(await usage(output));
  return EXIT.usage;
}

async function find(name: string, others: readonly string[]): Promise<Command> {
  const load = COMMANDS[name as keyof typeof COMMANDS];
  if (Object.hasOwn(COMMANDS, name)) return load();
  // The first argument may be a key by mistake, so it is shown only if it looks like a word.
  const shown = /^[a-z-]{1,20}$/i.test(name) ? `\`${name}\`` : 'The first argument';
  const isBehind = others.some((argument) => NAMES.includes(argument));
  const hint = isBehind ? 'Flags go after the command.' : `Commands: ${NAMES.join(', ')}.`;
  throw new UsageError(`${shown} is not a command.${suggestion(name, NAMES)}`, hint);
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.some((word, index) => (word === '--help' || word === '-h') && (end === -1 || index < end));
}

/** Returns the help of a command, or of all of them. */
async function usage(output: Output, name?: string, command?: Command): Promise<string> {
  const subCommands = Object.fromEntries([...(await loadAll())].map(([one, loaded]) => [one, toCitty(one, loaded)]));
  const root = { meta: { name: 'multilocal', description: DESCRIPTION }, args: OUTPUT_ARGS, subCommands };
  const text = command && name ? await renderUsage(toCitty(name, command), root) : await renderUsage(root);
  const shown = (output.hasColours ? text : stripVTControlCharacters(text))
    .replace(/(USAGE.*)$/m, `$1${command?.rest ? ` ${command.rest}` : ''}`)
    .replace(NAMES.join('|'), '<command>');
  // citty does not break lines. A description stays in its column.
  const lines = shown.replace(/^( +\S+ {2,})?(.*?) *$/gm, (_, name: string | undefined, text: string) => {
    return `${name ?? ''}${output.wrap(ours(text), stripVTControlCharacters(name ?? '').length)}`;
  });
  return ours(lines);
}

/** Runs a command. The first Ctrl-C lets it say what was done; the second one ends the process. */
async function runUntilInterrupted(command: Command, parsed: Parsed, output: Output): Promise<number> {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort(new Interrupted());
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await command.run({ ...parsed, output, signal: controller.signal });
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

function report(thrown: unknown, output: Output, isQuiet: boolean): void {
  const error = failureOf(thrown, TERMINAL, output.locale);
  const text = `${output.paintNote('red', output.in(['error', 'erreur']))} ${error.message}\n${output.paintNote('dim', error.hint)}`;
  if (output.isJson && !isQuiet) output.data({ error, ...(thrown instanceof Failed && thrown.details) }, '');
  // A person who sends stdout to a file reads on the terminal what went wrong.
  if (!output.isJson || isQuiet || process.stderr.isTTY) output.note(text);
}
