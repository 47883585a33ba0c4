import t from '@bomb.sh/tab';
import { type Command, command, OUTPUT_ARGS } from '../command.js';
import { readOperations } from '../document.js';
import { EXIT, UsageError } from '../failure.js';
import { TEMPLATES } from '../init/template.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

export const completion = command({
  description: 'Print completions for bash, zsh, fish or PowerShell',
  args: { shell: { type: 'positional', description: SHELLS.join(', '), required: true } },
  async run({ args, output }) {
    const shell = args.shell.toLowerCase();
    if (!SHELLS.includes(shell)) {
      throw new UsageError(
        `The shell must be one of ${SHELLS.join(', ')}.`,
        'Example: `source <(multilocal completion bash)`.',
      );
    }
    if (shell === 'bash') output.raw(BASH);
    else t.setup('multilocal', 'multilocal', shell);
    return EXIT.done;
  },
});

/**
 * The script of the library evaluates the words on the command line, so that Tab would run `$(…)` in them. It also needs
 * the package bash-completion. Without a suggestion of ours, bash completes file names.
 */
const BASH = `# Completions of multilocal for bash
_multilocal() {
  local suggestion
  COMPREPLY=()
  while IFS=$'\\t' read -r suggestion _; do
    case $suggestion in :*) continue ;; esac
    COMPREPLY+=("$suggestion")
  done < <(multilocal complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _multilocal multilocal`;

/** The scripts of the shells call it: `multilocal complete -- call posts.` */
export const complete = command({
  description: 'List completions',
  hidden: true,
  rest: '-- <words …>',
  args: {},
  async run({ loadAll }) {
    describe(await loadAll());
    t.parse(process.argv.slice(process.argv.indexOf('--') + 1));
    return EXIT.done;
  },
});

/** Describes the commands to the library. Its own adapter for citty takes arguments for flags. */
function describe(commands: ReadonlyMap<string, Command>): void {
  for (const [name, { args, description, hidden }] of commands) {
    if (hidden) continue;
    const one = t.command(name, description);
    for (const [flag, { type, description: text = '' }] of Object.entries(args)) {
      if (type === 'positional') one.argument(flag, suggestions(flag));
      else if (type === 'boolean') one.option(flag, text);
      else one.option(flag, text, () => {});
    }
    one.option('no-json', OUTPUT_ARGS.json.negativeDescription);
  }
}

/** What may stand in the place of an argument. Nothing for files, which the shell completes. */
function suggestions(argument: string) {
  return (add: (value: string, description: string) => void) => {
    if (argument === 'operation') {
      for (const { operationId, summary } of readOperations().values()) add(operationId, summary);
    }
    if (argument === 'template') for (const template of TEMPLATES) add(template, '');
    if (argument === 'shell') for (const shell of SHELLS) add(shell, '');
  };
}
