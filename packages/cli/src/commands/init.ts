import { basename, resolve } from 'node:path';
import type { ClientOptions } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { answerTo, type Question } from '../ask.js';
import { CONNECTION_ARGS, command, flag, option, optional } from '../command.js';
import { missingIn, optionsOf } from '../connection.js';
import { EXIT, failureOf, UsageError } from '../failure.js';
import { type Brand, checkBrand, missingWords, PARTS } from '../init/brand.js';
import { TEMPLATES, writeTemplate } from '../init/template.js';
import type { Output } from '../output.js';
import { shellPath, suggestion } from '../words.js';

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
    template: optional(LIST.join('; ')),
    folder: optional('The folder; it must be new or empty'),
    name: option('Name of the brand (default: the brand of the key)', 'name'),
    url: option('Address of the site', 'url'),
    lang: option('Language of the site: fr, en, de or another', 'language'),
    accent: option('Colour of links and covers, as #1d4ed8', 'colour'),
    yes: flag('Ask nothing'),
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal }) {
    checkBrand(args);
    checkTemplate(args.template);
    const given: Answers = {
      ...args,
      name: args.name ?? (await nameOfKey(await optionsOf(args, output), output, signal)),
    };
    const { template, folder, ...brand } = output.isInteractive && !args.yes ? await asked(given, args, signal) : given;
    if (template === undefined) throw new UsageError('`init` needs <template>.', `Templates: ${LIST.join('; ')}.`);
    if (folder === undefined) throw new UsageError('`init` needs <folder>.', 'Pass a new or an empty folder.');
    const name = packageName(folder);
    const files = await writeTemplate(template, folder, name, brand);
    const next = [
      ...(resolve(folder) === process.cwd() ? [] : [`cd ${shellPath(folder.replace(/^~/, './~'))}`]),
      ...COMMANDS,
    ];
    const steps = next.map((step) => `  ${output.paint('cyan', step)}`).join('\n');
    const missing = missingWords(brand);
    if (missing) output.note(missing);
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

/** The name of the brand of the key: one request. A site can be written without it. */
async function nameOfKey(options: ClientOptions, output: Output, signal: AbortSignal): Promise<string | undefined> {
  if (missingIn(options)) return undefined;
  try {
    const client = new Client({ ...options, logLevel: 'off' });
    const { sphere } = await client.me({ signal, totalTimeout: TIMEOUT, maxRetries: 0 });
    return sphere.name ?? undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    output.note(`The name of the brand could not be read: ${failureOf(error).message}`);
    return undefined;
  }
}

/** Asks for what no flag has said. An empty answer leaves what the template has. */
async function asked(known: Answers, flags: Brand, signal: AbortSignal): Promise<Answers> {
  const put = (question: Question<string>) => answerTo<string>(question, signal, 'Nothing was written.');
  const templates = Object.entries(TEMPLATES).map(([value, hint]) => ({ value, label: value, hint }));
  const template =
    known.template ??
    (await put(({ select }, options) => select({ message: 'Template', options: templates, ...options })));
  const folder =
    known.folder ??
    (await put(({ text }, options) => text({ message: 'Folder', initialValue: 'journal', ...options })));
  const brand: { -readonly [Name in keyof Brand]: Brand[Name] } = {};
  for (const { name, question: message, problemIn } of PARTS) {
    const initialValue = { ...known, lang: 'fr' }[name] ?? '';
    const validate = (value = '') => (value.trim() === '' ? undefined : problemIn(value.trim()));
    const answer =
      flags[name] ?? (await put(({ text }, options) => text({ message, initialValue, validate, ...options })));
    brand[name] = answer?.trim() || undefined;
  }
  return { template, folder: folder || undefined, ...brand };
}

/** The name of the folder, as far as npm accepts it: `Mon Été` becomes `mon-ete`. */
function packageName(folder: string): string {
  const plain = basename(resolve(folder)).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const name = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return name.slice(0, 100) || 'site';
}
