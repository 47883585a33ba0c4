import { resolve } from 'node:path';
import { JOURNAL } from './plan/journals.js';
import { capital, shellPath } from './words.js';

/**
 * Where a text of the client is shown. The client marks code with backticks: its options and its calls. Each front has names of its own
 * for them. Only what is marked is read, and never a sentence.
 */
export interface Front {
  readonly names: Readonly<Record<string, string>>;
  /** What shows the result of a read: `posts.list`, and `status=pending`. */
  read(operation: string, params: readonly string[]): string;
}

const SHARED = { totalTimeout: 'the time limit', baseUrl: 'the address of the service' } as const;

export const TERMINAL: Front = {
  names: {
    ...SHARED,
    apiKey: 'the key',
    'allowHttp: true': '`--allow-http`',
    maxWait: '`--max-wait` (10 minutes without it)',
    dateOrder: '`--date-order`',
    "leftOver: 'prune'": '`--prune`',
    "leftOver: 'keep'": '`--keep-left-overs`',
    allowMassDeletion: '`--allow-mass-deletion`',
    'again: true': '`--again`',
    keepGoing: '`--keep-going`',
    retryFailed: '`--retry-failed`',
    'plan.name': '`name` (`--name` of `npx multilocal plan`)',
    'client.me()': '`npx multilocal whoami`',
    'client.identity': '`npx multilocal whoami`',
    'client.identity.gmb_fiches': '`npx multilocal whoami`',
    doctor: '`npx multilocal doctor`',
    operations: '`npx multilocal call <operation> --help`',
  },
  read: (operation, params) => `\`${['npx multilocal call', operation, ...params].join(' ')}\``,
};

export const AGENT: Front = {
  names: {
    ...SHARED,
    apiKey: 'the key of this server',
    'allowHttp: true': '`--allow-http`, a flag of this server,',
    maxWait: '`--max-wait`, a flag of this server',
    "leftOver: 'prune'": '`options: ["prune"]`',
    "leftOver: 'keep'": '`options: ["keep"]`',
    allowMassDeletion: '`--allow-mass-deletion`, a flag of the command for a person',
    'again: true': '`options: ["again"]`',
    keepGoing: '`--keep-going`, a flag of the command for a person',
    retryFailed: '`options: ["retry_failed"]`',
    'plan.name': '`name`',
    'client.me()': '`overview`',
    'client.identity': '`overview`',
    'client.identity.gmb_fiches': '`overview`',
    doctor: '`npx multilocal doctor`, run by a person,',
  },
  read: (operation, params) => `\`read\` with ${[`\`${operation}\``, ...params].join(' and ')}`,
};

/** What the client says only to code. */
export const FOR_CODE = [
  'Invalid client options',
  'Pass it in `options`, the last argument',
  '`for await` reads all pages of the list',
  "Set `validation: 'warn'` to accept such responses",
  'The method needs this, whatever `validation` says',
];

/** Reads that the client makes of others. */
const READS: Readonly<Record<string, string>> = { 'posts.findRecent': 'posts.list' };

/** The command that settles a key. The client does not know the journal. */
const SETTLE = 'npx multilocal journal settle';
let named = '';

/** Names the journal of this process in the commands that texts tell a person to type. */
export function nameJournal(file: string): void {
  named = resolve(file) === resolve(JOURNAL) ? '' : ` --journal ${shellPath(file)}`;
}

/** Says a text of the client in the words of a front, without what helps only code. */
export function say(text: string, { names, read }: Front = TERMINAL): string {
  let whole = text;
  for (const hint of FOR_CODE) whole = whole.replace(`${hint}. `, '').replace(` ${hint}.`, '');
  return whole.replace(/`([^`]+)`/g, (marked, code: string, at: number) => {
    // Some texts are said twice.
    if (code.startsWith(SETTLE) && !code.startsWith(`${SETTLE} --journal `))
      return `\`${SETTLE}${named}${code.slice(SETTLE.length)}\``;
    const name = Object.hasOwn(names, code) ? names[code] : undefined;
    if (name !== undefined) return /[.?] $|^$/.test(whole.slice(Math.max(0, at - 2), at)) ? capital(name) : name;
    const [, call, params = ''] = /^(?:client\.)?((?!client\.)\w+(?:\.\w+)+)\((.*)\)$/.exec(code) ?? [];
    // `{ status: 'all' }` becomes `status=all`.
    const words = Array.from(params.matchAll(/(\w+): '(\w+)'/g), ([, key, value]) => `${key}=${value}`);
    return call ? read(READS[call] ?? call, words) : marked;
  });
}
