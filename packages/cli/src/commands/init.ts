import { basename, resolve } from 'node:path';
import { Client } from 'multilocal/internal/client';
import { answerTo, type Question } from '../ask.js';
import { command } from '../command.js';
import { EXIT, UsageError } from '../failure.js';
import { type Brand, checkBrand, problemOf } from '../init/brand.js';
import { TEMPLATES, writeTemplate } from '../init/template.js';
import type { Output } from '../output.js';
import { suggestion } from '../words.js';

const COMMANDS = ['npm install', 'npm run dev'];
/** Milliseconds for the name of the brand. */
const TIMEOUT = 10_000;
const LIST = Object.entries(TEMPLATES).map(([name, what]) => `${name}, ${what}`);

/** What a person may be asked. */
interface Answers extends Brand {
  readonly template?: string | undefined;
  readonly folder?: string | undefined;
}

export const init = command({
  description: 'Write a finished site into a new folder, to be made your own',
  args: {
    template: { type: 'positional', description: LIST.join('; '), required: false },
    folder: { type: 'positional', description: 'The folder; it must be new or empty', required: false },
    name: { type: 'string', description: 'Name of the brand (default: that of the key)', valueHint: 'name' },
    url: { type: 'string', description: 'Address of the site', valueHint: 'url' },
    lang: { type: 'string', description: 'Language of the site: fr, en or another', valueHint: 'language' },
    accent: { type: 'string', description: 'Colour of links and covers, as #1d4ed8', valueHint: 'colour' },
    yes: { type: 'boolean', description: 'Ask nothing' },
  },
  async run({ args, output, signal }) {
    checkBrand(args);
    checkTemplate(args.template);
    const given: Answers = { ...args, name: args.name ?? (await nameOfKey(output, signal)) };
    const { template, folder, ...brand } = output.isInteractive && !args.yes ? await asked(given, args, signal) : given;
    if (template === undefined) throw new UsageError('`init` needs <template>.', `Templates: ${LIST.join('; ')}.`);
    if (folder === undefined) throw new UsageError('`init` needs <folder>.', 'Pass a new or an empty folder.');
    const name = packageName(folder);
    const files = await writeTemplate(template, folder, name, brand);
    const next = [...(resolve(folder) === process.cwd() ? [] : [`cd ${quoted(folder)}`]), ...COMMANDS];
    const steps = next.map((step) => `  ${output.paint('cyan', step)}`).join('\n');
    const text = `Wrote ${files.length} files to ${folder}. Next (README.md has the rest):\n${steps}`;
    output.data({ template, folder, name, files, next }, text);
    return EXIT.done;
  },
});

function checkTemplate(template: string | undefined): void {
  if (template === undefined || Object.hasOwn(TEMPLATES, template)) return;
  const shown = /^[\w-]{1,20}$/.test(template) ? `\`${template}\`` : 'This';
  const message = `${shown} is not a template.${suggestion(template, Object.keys(TEMPLATES))}`;
  throw new UsageError(message, `Templates: ${LIST.join('; ')}.`);
}

/** The name of the brand of the key in the environment: one request. A site can be written without it. */
async function nameOfKey(output: Output, signal: AbortSignal): Promise<string | undefined> {
  const { MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL } = process.env;
  if (!MULTILOCAL_API_KEY?.trim() || !MULTILOCAL_BASE_URL?.trim()) return undefined;
  try {
    const { sphere } = await new Client({ logLevel: 'off' }).me({ signal, totalTimeout: TIMEOUT, maxRetries: 0 });
    return sphere.name ?? undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    output.note(`The name of the brand could not be read: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/** Asks for what no flag has said. An empty answer leaves what the template has. */
async function asked(known: Answers, { name }: Brand, signal: AbortSignal): Promise<Answers> {
  const put = (question: Question<string>) => answerTo<string>(question, signal, 'Nothing was written.');
  const text = (message: string, flag: keyof Brand, initialValue = '') =>
    put((prompts, options) => {
      const validate = (value = '') => (value.trim() === '' ? undefined : problemOf(flag, value.trim()));
      return prompts.text({ message, initialValue, validate, ...options });
    });
  const templates = Object.entries(TEMPLATES).map(([value, hint]) => ({ value, label: value, hint }));
  const template =
    known.template ??
    (await put(({ select }, options) => select({ message: 'Template', options: templates, ...options })));
  const folder =
    known.folder ??
    (await put((prompts, options) => prompts.text({ message: 'Folder', initialValue: 'journal', ...options })));
  return {
    template,
    folder: folder || undefined,
    name: orNone(name ?? (await text('Name of the brand', 'name', known.name))),
    url: orNone(known.url ?? (await text('Address of the site (empty: later)', 'url'))),
    lang: orNone(known.lang ?? (await text('Language', 'lang', 'fr'))),
    accent: orNone(known.accent ?? (await text('Colour of links, as #1d4ed8 (empty: that of the template)', 'accent'))),
  };
}

const orNone = (answer: string | undefined) => answer?.trim() || undefined;

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
