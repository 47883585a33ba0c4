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
    const script = SCRIPTS[shell];
    if (script) output.raw(script);
    else t.setup('multilocal', 'multilocal', shell);
    return EXIT.done;
  },
});

/**
 * The library's scripts for these shells evaluate the words on the command line, so that Tab would run `$(…)` in them. The
 * one for bash also needs the package bash-completion. Without a suggestion of ours, the shell completes file names.
 */
const SCRIPTS: Partial<Record<string, string>> = {
  bash: `# Completions of multilocal for bash
_multilocal() {
  local suggestion
  COMPREPLY=()
  while IFS=$'\\t' read -r suggestion _; do
    case $suggestion in :*) continue ;; esac
    COMPREPLY+=("$suggestion")
  done < <(multilocal complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _multilocal multilocal`,
  zsh: `#compdef multilocal
# Completions of multilocal for zsh
_multilocal() {
  local suggestion
  local -a suggestions
  while IFS=$'\\t' read -r suggestion _; do
    [[ $suggestion == :* ]] || suggestions+=("$suggestion")
  done < <(multilocal complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#suggestions )); then compadd -- "\${(@)suggestions}"; else _files; fi
}
compdef _multilocal multilocal`,
  powershell: `# Completions of multilocal for PowerShell
Register-ArgumentCompleter -Native -CommandName multilocal -ScriptBlock {
  param($word, $command, $cursor)
  $typed = $command.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text }
  # Before PowerShell 7.3, commands do not get empty arguments.
  $last = if ($word -or $PSVersionTable.PSVersion -ge [version]'7.3') { $word } else { '""' }
  multilocal complete '--' @typed $last 2>$null | Where-Object { $_ -notlike ':*' } | ForEach-Object {
    $value = $_.Split([char]9)[0]
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $value)
  }
}`,
};

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
