import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childProgram } from '@multilocal/test/support/child';
import type { MockControl } from 'multilocal/mock';
import { startMockServer } from 'multilocal/mock/server';
import { fileJournal } from 'multilocal/node';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { settleAction } from '../../src/index.js';
import type { Message } from './plan-child.js';

const BULLE = 'bul_lyon_croix_rousse';
const FICHE = 'accounts/104829175630284517/locations/8837120495561027345';
const target = { bulle_id: BULLE };
const contact = { customer_name: 'Ada', channel: 'email', customer_email: 'ada@example.com' };
const period = { date_start: '2026-10-01', date_end: '2026-10-31' };

const stored = (text: string) => (api: MockControl) =>
  JSON.stringify(api.snapshot()).split(JSON.stringify(text)).length - 1;
const titled = (api: MockControl, title: string) => api.articles.all().filter((one) => one.title === title).length;
const ASK = 'acquisition.requestReviews';

/** The requests that the service has executed, those without a response included. */
const sent = (api: MockControl, wanted: string) =>
  api.requests.filter(({ operation, body }) => operation === wanted && Reflect.get(Object(body), 'dry_run') !== true)
    .length;

type Row = readonly [operation: string, params: object, count: (api: MockControl) => number];

/** A post, and how many of it are there. */
const post = (content: string, platforms: string[] = ['facebook']): Row => {
  const scheduled_at = `2035-01-${String(content.length).padStart(2, '0')}T09:00:00Z`;
  const count = (api: MockControl) => {
    const own = api.posts.all().filter((each) => each.content === content);
    return own.filter((each) => each.platforms.length === platforms.length).length;
  };
  return ['posts.create', { content, platforms, scheduled_at, ...target }, count];
};

/** The posts of the plan, and those of its second version: one is changed, one replaced, one left out, one as it was. */
const POSTS: readonly Row[] = [post('Un'), post('Deux'), post('Trois !'), post('Quatre !!')];
const CORRECTED: readonly (Row | undefined)[] = [
  post('Un corrigé'),
  post('Deux', ['facebook', 'gmb']),
  undefined,
  post('Quatre !!'),
];

/** Each other action, and how many times the service has carried it out. */
const ACTIONS: readonly Row[] = [
  // At another location: a lost post is not taken for the one that a social publication makes, so it would stay unknown.
  ['social.publish', { text: 'Ouvert', platforms: ['facebook'], bulle_id: 'bul_nantes_talensac' }, stored('Ouvert')],
  ['articles.create', { title: 'Le seigle', target_keyword: 'seigle', ...target }, (api) => titled(api, 'Le seigle')],
  ['reviews.reply', { review_id: `${FICHE}/reviews/AbFvOqkR4Zt7cWmPx0`, text: 'Merci !' }, stored('Merci !')],
  ['posts.update', { post_id: 131, content: 'Autre' }, stored('Autre')],
  [ASK, { contacts: [contact], fiche_id: FICHE }, (api) => sent(api, ASK)],
  ['qrCodes.create', { target_url: 'https://example.com', name: 'Comptoir', ...target }, stored('Comptoir')],
  ['seo.trackedKeywords.create', { keyword: 'brioche fine', ...target }, stored('brioche fine')],
  ['reports.create', { type: 'fiche', fiche_ids: [FICHE], ...period, report_name: 'Bilan' }, stored('Bilan')],
  ['articles.publish', { article_id: 8 }, (api) => Number(api.articles.get(8).status === 'published')],
  ['posts.delete', { post_id: 14 }, (api) => Number(api.posts.all().every(({ id }) => id !== 14))],
];
/** A version of the plan. The keys are those of the first one. */
function planWith(posts: readonly (Row | undefined)[]): string {
  const keyed = posts.map((row, index) => ({ key: `noel/${index}`, operation: row?.[0], params: row?.[1] }));
  const others = ACTIONS.map(([operation, params]) => ({ key: operation, operation, params }));
  return JSON.stringify({ name: 'noel', actions: [...keyed.filter(({ operation }) => operation), ...others] });
}

const WRITES = [...POSTS, ...ACTIONS].map(([operation]) => operation);

const { folder: base, program } = childProgram(new URL('plan-child.ts', import.meta.url));
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** The operations that no read of the service shows. */
const SETTLED = ['social.publish'];

type End = Exclude<Message, { wait: number }> | undefined;

/** One service with one plan. */
async function scene(name: string) {
  const { url, api, close } = await startMockServer({ latency: 3 });
  const folder = join(base, name);
  mkdirSync(folder);
  const file = join(folder, 'plan.json');
  const write = (posts: readonly (Row | undefined)[]) => writeFileSync(file, planWith(posts));
  write(POSTS);
  let moved = 0;

  /** Starts a run. `step` kills it before its step of this number, `request` when its write of this number has arrived. */
  function run(kill: { step?: number; request?: number }): Promise<End> {
    const args = [program, url, api.keys.sphere, file, String(kill.step ?? 0), String(moved)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.add(child);
    let end: End;
    child.on('message', (message: Message) => {
      if (!('wait' in message)) end = message;
      else {
        moved += message.wait;
        api.advance(message.wait);
        child.send('go on', () => {});
      }
    });
    let left = kill.request ?? 0;
    const requests = api.requests as unknown[];
    requests.push = (...items: unknown[]) => {
      const [{ operation = '' }] = items as [{ operation?: string }];
      if (WRITES.includes(operation) && --left === 0) child.kill('SIGKILL');
      return Array.prototype.push.apply(requests, items);
    };
    return new Promise((resolve) => {
      child.on('close', () => {
        children.delete(child);
        resolve(end);
      });
    });
  }
  /** Moves the clocks on, as if somebody came back later. */
  const later = (ms: number) => {
    moved += ms;
    api.advance(ms);
  };
  return { run, api, folder, close, later, write };
}

/** Kills runs of both versions of the plan, and compares what the service holds with each. */
async function killed(name: string, ...kills: { step?: number; request?: number }[]): Promise<number> {
  const { write, close, ...stage } = await scene(name);
  try {
    const deaths = await untilDone(name, stage, kills, POSTS);
    write(CORRECTED);
    return deaths + (await untilDone(name, stage, kills, CORRECTED));
  } finally {
    await close();
  }
}

type Stage = Omit<Awaited<ReturnType<typeof scene>>, 'write' | 'close'>;

async function untilDone(
  name: string,
  { run, api, folder, later }: Stage,
  kills: readonly { step?: number; request?: number }[],
  posts: readonly (Row | undefined)[],
): Promise<number> {
  let deaths = 0;
  for (const kill of kills) if ((await run(kill)) === undefined) deaths++;
  let end = await run({});
  // What cannot be looked up stops the run. A person comes back later, looks in the service, and says what happened.
  for (
    const settled = new Set();
    end && (end.unresolved.length > 0 || end.code === 'journal_locked');
    end = await run({})
  ) {
    if (end.code === 'journal_locked') {
      later(300_000);
      continue;
    }
    const [operation = ''] = end.unresolved;
    expect([SETTLED.includes(operation), settled.has(operation)], `${name}: ${operation}`).toEqual([true, false]);
    settled.add(operation);
    await settle(folder, operation, api);
  }
  const rows = [...posts.filter((row) => row !== undefined), ...ACTIONS];
  const wrong = rows.map(([operation, params, count]) => [operation, params, count(api)]).filter(([, , n]) => n !== 1);
  const scheduled = api.posts.all().filter(({ scheduled_facebook }) => scheduled_facebook?.startsWith('2035')).length;
  const files = readdirSync(folder).sort();
  expect({ wrong, scheduled, error: end?.error, state: end?.state, files }, name).toEqual({
    wrong: [],
    scheduled: posts.filter((row) => row !== undefined).length,
    error: undefined,
    state: 'done',
    files: ['multilocal.journal.json', 'plan.json'],
  });
  return deaths;
}

/** Writes in the journal what the service shows of an action. */
async function settle(folder: string, wanted: string, api: MockControl): Promise<void> {
  const [, , count] = ACTIONS.find(([operation]) => operation === wanted) ?? [];
  const outcome = count && count(api) > 0 ? 'applied' : 'not_applied';
  await settleAction(fileJournal(join(folder, 'multilocal.journal.json')), wanted, outcome);
}

/** Several scenes at a time. */
async function all(scenes: readonly (() => Promise<number>)[]): Promise<number> {
  let next = 0;
  let deaths = 0;
  const lane = async () => {
    for (let scene = scenes[next++]; scene; scene = scenes[next++]) {
      const died = await scene();
      deaths += died;
    }
  };
  await Promise.all([lane(), lane(), lane()]);
  return deaths;
}

/** Kills before steps, and kills when a request has arrived. The nightly run has many more. */
const KILLS = Number(process.env.FUZZ_KILLS ?? 4);

describe('a run that is killed at any instant', () => {
  it(`does nothing twice and loses nothing: ${KILLS} kills before steps that are spread over the whole run`, async () => {
    const { run, close } = await scene('whole');
    const { steps = 0 } = (await run({})) ?? {};
    await close();
    expect(steps).toBeGreaterThan(150);
    const scenes = Array.from({ length: KILLS }, (_, index) => () => {
      const step = 1 + Math.floor((index * steps) / KILLS);
      // Every fourth run is killed again while it resumes.
      return killed(`step-${step}`, { step }, ...(index % 4 === 0 ? [{ step: 1 + ((index * 7) % 60) }] : []));
    });
    expect(await all(scenes)).toBeGreaterThanOrEqual(KILLS);
  });

  it('does nothing twice when the request has arrived and the response is lost', async () => {
    // Operations with a preview arrive twice: first the dry run, which is killed too.
    const requests = 2 * WRITES.length;
    const count = Math.min(KILLS, requests);
    const scenes = Array.from({ length: count }, (_, index) => {
      const request = 1 + Math.floor((index * requests) / count);
      return () => killed(`request-${request}`, { request }, { request });
    });
    expect(await all(scenes)).toBeGreaterThanOrEqual(count / 2);
  });
});

describe('the lock of a plan', () => {
  const RIVALS = 6;
  const ROUNDS = 3;

  const { folder, program } = childProgram(new URL('lock-child.ts', import.meta.url));

  it('the lock of a killed run is taken over by exactly one of the processes that want it', async () => {
    const file = join(folder, 'plan.lock');
    let last: ChildProcess | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const rivals = Array.from({ length: RIVALS }, () => start(file));
      await Promise.all(rivals.map((rival) => once(rival, 'message')));
      // The holder of the round before is dead when all of them reach for its lock.
      if (last) await kill(last);
      const answers = await Promise.all(
        rivals.map(async (rival) => {
          const answer = once(rival, 'message');
          rival.send('go');
          return String((await answer)[0]);
        }),
      );
      expect(answers.toSorted()).toEqual([...Array<string>(RIVALS - 1).fill('journal_locked'), 'taken']);
      last = rivals[answers.indexOf('taken')];
      expect(JSON.parse(readFileSync(file, 'utf8')).pid).toBe(last?.pid);
      await Promise.all(rivals.filter((rival) => rival !== last).map(kill));
    }
  });

  function start(file: string): ChildProcess {
    const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});
