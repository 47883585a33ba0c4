import { capital } from './words.js';

/**
 * Where a text of the client is shown. The client marks code with backticks: its options and its calls. Each front has names of its own
 * for them, so no sentence is written twice.
 */
export interface Front {
  /** The front's names for marked code. `null`: the front has no such thing, and a sentence about it is left out. */
  readonly names: Readonly<Record<string, string | null>>;
  /** What shows the result of a read: `posts.list`, and `status=pending`. */
  read(operation: string, params: readonly string[]): string;
}

const SHARED = {
  Client: null,
  options: null,
  validation: null,
  totalTimeout: null,
  await: null,
  'for await': null,
  'client.me()': null,
  'client.forBulle': null,
  'client.forFiche': null,
  baseUrl: 'the address of the service',
} as const;

export const TERMINAL: Front = {
  names: {
    ...SHARED,
    apiKey: 'the key',
    allowHttp: '`--allow-http`',
    maxWait: '`--max-wait` (10 minutes without it)',
    'rateLimit.maxWait': '`--max-wait`',
    dateOrder: '`--date-order`',
    "leftOver: 'prune'": '`--prune`',
    "leftOver: 'keep'": '`--keep-left-overs`',
    allowMassDeletion: '`--allow-mass-deletion`',
    again: '`--again`',
    keepGoing: '`--keep-going`',
    retryFailed: '`--retry-failed`',
    'plan.name': '`name` (`--name` of `npx multilocal plan`)',
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
    allowHttp: '`--allow-http`, a flag of this server,',
    maxWait: '`--max-wait`, a flag of this server',
    'rateLimit.maxWait': '`--max-wait`, a flag of this server,',
    "leftOver: 'prune'": '`options: ["prune"]`',
    "leftOver: 'keep'": '`options: ["keep"]`',
    allowMassDeletion: '`--allow-mass-deletion`, a flag of the command for a person',
    again: '`options: ["again"]`',
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

/** Reads that the client makes of others. */
const READS: Readonly<Record<string, string>> = { 'posts.findRecent': 'posts.list' };

/** Says a text of the client in the words of a front. */
export function say(text: string, front: Front = TERMINAL): string {
  const sentences = text.split(/(?<=[.?] )/).flatMap((sentence) => sentenceFor(front, sentence) ?? []);
  return sentences.join('').trimEnd();
}

function sentenceFor({ names, read }: Front, sentence: string): string | undefined {
  let isLeftOut = false;
  const said = sentence.replace(/`([^`]+)`/g, (marked, code: string, at: number) => {
    const option = Object.hasOwn(names, code) ? code : code.replace(/: .*/, '');
    const [, call, params = ''] = /^(?:client\.)?((?!client\.)\w+(?:\.\w+)+)\((.*)\)$/.exec(code) ?? [];
    if (!Object.hasOwn(names, option)) return call ? read(READS[call] ?? call, wordsIn(params)) : marked;
    const name = names[option];
    isLeftOut ||= name === null;
    return at === 0 && name ? capital(name) : `${name}`;
  });
  return isLeftOut ? undefined : said;
}

/** `{ status: 'all' }` becomes `status=all`. */
function wordsIn(params: string): string[] {
  return [...params.matchAll(/(\w+): '(\w+)'/g)].map(([, name, value]) => `${name}=${value}`);
}
