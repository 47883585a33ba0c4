import { basename, resolve } from 'node:path';
import { command } from '../command.js';
import { EXIT, UsageError } from '../failure.js';
import { TEMPLATES, writeTemplate } from '../init/template.js';
import { suggestion } from '../words.js';

const COMMANDS = ['npm install', 'npm run dev'];

export const init = command({
  description: 'Write a finished site into a new folder, to be made your own',
  args: {
    template: { type: 'positional', description: TEMPLATES.join(', '), required: true },
    folder: { type: 'positional', description: 'The folder; it must be new or empty', required: true },
  },
  async run({ args, output }) {
    const { template, folder } = args;
    if (!TEMPLATES.includes(template)) throw unknownTemplate(template);
    const name = packageName(folder);
    const files = await writeTemplate(template, folder, name);
    const next = [...(resolve(folder) === process.cwd() ? [] : [`cd ${quoted(folder)}`]), ...COMMANDS];
    const steps = next.map((step) => `  ${output.paint('cyan', step)}`).join('\n');
    const text = `Wrote ${files.length} files to ${folder}. Next (README.md has the rest):\n${steps}`;
    output.data({ template, folder, name, files, next }, text);
    return EXIT.done;
  },
});

function unknownTemplate(template: string): UsageError {
  const shown = /^[\w-]{1,20}$/.test(template) ? `\`${template}\`` : 'This';
  const message = `${shown} is not a template.${suggestion(template, TEMPLATES)}`;
  return new UsageError(message, `Templates: ${TEMPLATES.join(', ')}.`);
}

/** The name of the folder, as far as npm accepts it: `Mon Été` becomes `mon-ete`. */
function packageName(folder: string): string {
  const plain = basename(resolve(folder)).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const name = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return name.slice(0, 100) || 'site';
}

/** A folder for the command line of a shell. A shell would run `$(…)` also within double quotes, which Windows needs. */
function quoted(folder: string): string {
  // A shell takes `-rf` for an option and `~user` for the home of a user.
  if (/^[-~]/.test(folder)) return quoted(`./${folder}`);
  if (/^[\w./\\:@~-]+$/.test(folder)) return folder;
  return /["$`!]/.test(folder) ? `'${folder.replaceAll("'", "'\\''")}'` : `"${folder}"`;
}
