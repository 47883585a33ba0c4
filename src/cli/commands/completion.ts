import tab from '@bomb.sh/tab/citty';
import { type Command, command, toCitty } from '../command.js';
import { readOperations } from '../document.js';
import { EXIT, UsageError } from '../failure.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

export const completion = command({
  description: 'Print completions for bash, zsh, fish or PowerShell',
  args: { shell: { type: 'positional', description: SHELLS.join(', '), required: true } },
  async run({ args, loadAll }) {
    const shell = args.shell.toLowerCase();
    if (!SHELLS.includes(shell)) {
      throw new UsageError(
        `The shell must be one of ${SHELLS.join(', ')}.`,
        'Example: `source <(multilocal completion bash)`.',
      );
    }
    (await completions(await loadAll())).setup('multilocal', 'multilocal', shell);
    return EXIT.done;
  },
});

/** The scripts of the shells call it: `multilocal complete -- call posts.` */
export const complete = command({
  description: 'List completions',
  hidden: true,
  rest: '-- <words …>',
  args: {},
  async run({ loadAll }) {
    (await completions(await loadAll())).parse(process.argv.slice(process.argv.indexOf('--') + 1));
    return EXIT.done;
  },
});

async function completions(commands: ReadonlyMap<string, Command>) {
  const shown = [...commands].filter(([, { hidden }]) => !hidden);
  const subCommands = Object.fromEntries(shown.map(([name, one]) => [name, toCitty(name, one)]));
  const operation = (add: (value: string, description: string) => void) => {
    for (const { operationId, summary } of readOperations().values()) add(operationId, summary);
  };
  const shell = (add: (value: string, description: string) => void) => {
    for (const one of SHELLS) add(one, '');
  };
  return tab(
    { meta: { name: 'multilocal', description: '' }, subCommands },
    { subCommands: { call: { args: { operation } }, completion: { args: { shell } } } },
  );
}
