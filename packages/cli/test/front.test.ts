import { Client } from 'multilocal';
import { endpoints } from 'multilocal/internal/endpoints';
import * as errors from 'multilocal/internal/errors';
import { memoryJournal, settleAction } from 'multilocal/plans';
import { expect, it } from 'vitest';
import { failureOf } from '../src/failure.js';
import { AGENT, FOR_CODE, say } from '../src/front.js';
import { variablesLine } from '../src/words.js';

it.each<readonly [string, string, string | undefined]>([
  ['Check `baseUrl` and the network.', 'Check the address of the service and the network.', undefined],
  ['`apiKey` is empty.', 'The key is empty.', 'The key of this server is empty.'],
  ['Invalid client options. `apiKey` is empty.', 'The key is empty.', undefined],
  ...FOR_CODE.map((hint) => [`Report it. ${hint}. Wait.`, 'Report it. Wait.', undefined] as const),
  ['Read it again: `client.me()`.', 'Read it again: `npx multilocal whoami`.', 'Read it again: `overview`.'],
  ['A text. `validation` of `options`? Here.', 'A text. `validation` of `options`? Here.', undefined],
  [
    "If it happened, `articles.list({ status: 'all' })` shows it.",
    'If it happened, `npx multilocal call articles.list status=all` shows it.',
    'If it happened, `read` with `articles.list` and status=all shows it.',
  ],
  [
    'If it happened, `posts.findRecent({ content, since: error.sentAt })` shows it.',
    'If it happened, `npx multilocal call posts.list` shows it.',
    'If it happened, `read` with `posts.list` shows it.',
  ],
  [
    "Pass `leftOver: 'prune'` or `leftOver: 'keep'`.",
    'Pass `--prune` or `--keep-left-overs`.',
    'Pass `options: ["prune"]` or `options: ["keep"]`.',
  ],
  ['Pass `again: true`.', 'Pass `--again`.', 'Pass `options: ["again"]`.'],
  ['`retryFailed` does.', '`--retry-failed` does.', '`options: ["retry_failed"]` does.'],
  [
    '`name` must be a string. `plan.name` continues it.',
    '`name` must be a string. `name` (`--name` of `npx multilocal plan`) continues it.',
    '`name` must be a string. `name` continues it.',
  ],
  ['see `client.identity.gmb_fiches`', 'see `npx multilocal whoami`', 'see `overview`'],
  ['`title` is "Where? Here." for `posts.check`', '`title` is "Where? Here." for `posts.check`', undefined],
])('%s', (text, terminal, agent) => {
  expect(say(text)).toBe(terminal);
  if (agent !== undefined) expect(say(text, AGENT)).toBe(agent);
});

it('what is left out is what the client says to code', async () => {
  const clientOf = (data: object) => new Client({ apiKey: 'k', fetch: async () => Response.json(data), ...data });
  const { posts } = clientOf({ baseUrl: 'http://localhost' });
  const lists = [posts.list({ page: 1, timeout: 1 } as object), posts.list({}, { validation: 'off' }).toArray()];
  const said = await Promise.allSettled([...lists, posts.get(1), new Promise(() => clientOf({ baseUrl: 7 }))]);
  expect(FOR_CODE.filter((one) => !said.some((failed) => `${Object(failed).reason}`.includes(`${one}.`)))).toEqual([]);
});

const traces = endpoints.flatMap(({ operation, trace }) =>
  trace?.startsWith('`') ? [[operation, trace] as const] : [],
);
it.each(traces)('what shows whether a lost %s happened', (_, trace) => {
  expect(say(trace)).toMatch(/^`npx multilocal call \w+(\.\w+)+( \w+=\w+)*` shows /);
  expect(say(trace, AGENT)).toMatch(/^`read` with `\w+(\.\w+)+`( and \w+=\w+)* shows /);
});

const kinds = Object.values(errors).filter((one) => typeof one === 'function' && 'code' in one);
it.each(kinds.map((Kind) => [Kind.code, Kind as unknown as new (message: string) => Error] as const))(
  'what to do about %s names commands at a terminal, and tools to an agent',
  (_, Kind) => {
    const error = new Kind('x');
    expect(failureOf(error).hint).not.toMatch(/client\.|`(read|overview|operations|doctor)`/);
    expect(failureOf(error, AGENT).hint).not.toMatch(/client\.|npx multilocal (?!doctor)/);
  },
);

it('what a person says of an action is corrected with the journal, and not with the parameters of a call', async () => {
  const refused = await settleAction(memoryJournal(), 'a', 'applied').catch((error) => error);
  expect(failureOf(refused).hint).toContain('`npx multilocal journal` lists the keys');
});

const MACHINE = 'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\Windows\\system32\\WindowsPowerShell\\v1.0\\Modules';
it.each<[string, NodeJS.Platform, NodeJS.ProcessEnv, string]>([
  ['a shell of Unix', 'linux', {}, 'export A=1 B=http://x'],
  ['Git Bash', 'win32', { SHELL: '/usr/bin/bash', PSModulePath: MACHINE }, 'export A=1 B=http://x'],
  ['cmd', 'win32', { PSModulePath: MACHINE, PROMPT: '$P$G' }, 'set "A=1" & set "B=http://x"'],
  // npm starts programs through cmd, which sets PROMPT.
  ['PowerShell', 'win32', { PSModulePath: `C:\\U;${MACHINE}`, PROMPT: '$P$G' }, "$env:A='1'; $env:B='http://x'"],
])('variables are set as in %s', (_, platform, env, line) => {
  expect(variablesLine({ A: '1', B: 'http://x' }, platform, env)).toBe(line);
});
