// Random stories: a plan is run, killed, corrected, pruned and run again, also twice at the same moment, while requests get
// lost and a colleague deletes and publishes its posts. The posts of the service decide.
// Half of the journals are files, and half are in Postgres.
import { join } from 'node:path';
import { openPglite, pgliteDriver } from '@multilocal/stores/test/sql/databases';
import { Client } from 'multilocal';
import { createMockApi } from 'multilocal/mock';
import { fileJournal } from 'multilocal/node';
import { sqlJournal } from 'multilocal/sql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Timer } from '../../src/clock.js';
import {
  type Plan,
  type PlanJournal,
  type PlanRun,
  planStatus,
  rehearsePlan,
  runPlan,
  settleAction,
} from '../../src/index.js';
import { FICHE, folder, planOf } from '../helpers.js';

/** Number of stories, and the first one. The nightly run has many more. */
const STORIES = Number(process.env.FUZZ_STORIES ?? 6);
const FIRST = Number(process.env.FUZZ_FIRST ?? 1);

const PLACES = ['bul_lyon_croix_rousse', 'bul_paris_batignolles'] as const;
const FAULTS = [{ network: true, applied: true }, { network: true }, { status: 503 }, { status: 422 }, { status: 429 }];
const FAILING = ['posts.create', 'posts.update', 'posts.delete', 'posts.list', 'posts.get', 'social.publish'];

type Roll = (below: number) => number;

/** A small generator, so that a story can be told again. */
function chance(seed: number): Roll {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Wanted {
  readonly key: string;
  readonly content: string;
  readonly platforms: readonly string[];
  readonly bulle_id: string;
  readonly day: number;
  readonly hour: number;
}

/** The next version of a plan: posts are kept, corrected, replaced, moved, left out and added. */
function nextVersion(before: readonly Wanted[], roll: Roll, version: number): Wanted[] {
  const kept = before.flatMap((post): Wanted[] => {
    const fate = roll(7);
    if (fate === 0) return [];
    if (fate === 1) return [{ ...post, content: `${post.key} version ${version}` }];
    if (fate === 2) return [{ ...post, hour: (post.hour + 1) % 20 }];
    if (fate === 3) return [{ ...post, platforms: post.platforms.length === 1 ? ['facebook', 'gmb'] : ['facebook'] }];
    if (fate === 4) return [{ ...post, bulle_id: PLACES[roll(2)] ?? '' }];
    return [post];
  });
  const fresh = Array.from({ length: version === 1 ? 5 : roll(3) }, (_, index): Wanted => {
    const key = `noel/${version}-${index}`;
    const day = 5 * (version - 1) + index + 1;
    return { key, content: `${key} text`, platforms: ['facebook'], bulle_id: PLACES[roll(2)] ?? '', day, hour: index };
  });
  return [...kept, ...fresh];
}

function planFor(posts: readonly Wanted[]): Plan {
  const actions = posts.map(({ key, content, platforms, bulle_id, day, hour }) => {
    const scheduled_at = new Date(Date.UTC(2035, 0, day, hour)).toISOString();
    return { key, operation: 'posts.create', params: { content, platforms, bulle_id, scheduled_at } };
  });
  const social = {
    key: 'info',
    operation: 'social.publish',
    params: { text: 'Info', platforms: ['facebook'], bulle_id: 'bul_nantes_talensac' },
  };
  const contacts = [{ customer_name: 'Ada', channel: 'sms', customer_phone: '0612345678' }];
  const ask = { key: 'ask', operation: 'acquisition.requestReviews', params: { contacts, fiche_id: FICHE } };
  return { ...planOf([...actions.slice(0, 2), social, ...actions.slice(2), ask]), name: 'noel' };
}

/** How a run is begun. It dies at a step: the beginning or the end of a request or of a write of the journal. */
interface Life {
  readonly killAt: number;
  readonly keepGoing: boolean;
  readonly prune: boolean;
  readonly isRehearsed: boolean;
}

const CALM: Life = { killAt: Number.POSITIVE_INFINITY, keepGoing: true, prune: true, isRehearsed: true };

const keyOf = (content: string) => content.split(' ')[0] ?? '';

/** One service, one journal, and the runs that live. */
class Story {
  readonly api = createMockApi();
  readonly log: string[] = [];
  kills = 0;
  readonly #journal: PlanJournal;
  readonly #roll: Roll;
  readonly #person: Promise<Client>;
  readonly #alive = new Set<object>();
  readonly #waiting = new Set<object>();
  #skipped = 0;

  constructor(seed: number, journal: PlanJournal) {
    this.#journal = journal;
    this.#roll = chance(seed);
    this.log.push(`story ${seed}`);
    this.#person = this.#connect(this.api.handle);
  }

  async tell(): Promise<void> {
    const roll = this.#roll;
    let [posts, earlier]: Wanted[][] = [[], []];
    for (let version = 1; version <= 3; version++) {
      earlier = posts ?? [];
      posts = nextVersion(earlier, roll, version);
      this.log.push(`version ${version}: ${posts.map(({ content, bulle_id }) => `${content} ${bulle_id}`).join(', ')}`);
      for (let round = roll(4); round > 0; round--) await this.#round(planFor(posts), planFor(earlier));
      await this.#finish(planFor(posts));
      posts = await this.#compare(posts);
    }
    const once = [this.#executed('social.publish'), this.#executed('acquisition.requestReviews')];
    expect(once, this.#why()).toEqual([1, 1]);
  }

  #why(): string {
    return this.log.join('\n');
  }

  #connect(fetch: typeof globalThis.fetch): Promise<Client> {
    const { baseUrl, keys } = this.api;
    const options = { maxRetries: 0, rateLimit: false, timeout: 2 ** 31 - 1 } as const;
    return Client.connect({ apiKey: keys.sphere, baseUrl, fetch, ...options });
  }

  #executed(wanted: string): number {
    const isReal = (body: unknown) => Object(body).dry_run !== true;
    return this.api.requests.filter(
      ({ operation, body, status }) => operation === wanted && status < 300 && isReal(body),
    ).length;
  }

  #live() {
    return this.api.posts.all().filter(({ content }) => content.startsWith('noel/'));
  }

  /** A wait takes no time, but time stands still while another run does something. */
  #timer(run: object): Timer {
    return {
      now: () => performance.now() + this.#skipped,
      date: () => this.api.now().getTime(),
      wait: async (ms) => {
        this.#waiting.add(run);
        while ([...this.#alive].some((one) => !this.#waiting.has(one)))
          await new Promise((resolve) => setImmediate(resolve));
        this.#waiting.delete(run);
        this.#skipped += ms;
        this.api.advance(ms);
      },
    };
  }

  /** A fault, one run or two at the same moment, one of them perhaps of the earlier version, and a colleague. */
  async #round(plan: Plan, earlier: Plan): Promise<void> {
    const roll = this.#roll;
    if (roll(3) === 0) {
      const fault = { operation: FAILING[roll(FAILING.length)] as string, ...FAULTS[roll(FAULTS.length)] };
      this.log.push(JSON.stringify(fault));
      this.api.fail({ ...fault, times: 1 + roll(2) });
    }
    const life = (): Life => ({
      killAt: roll(2) === 0 ? 3 + roll(120) : Number.POSITIVE_INFINITY,
      keepGoing: roll(2) === 0,
      prune: roll(2) === 0,
      isRehearsed: roll(2) === 0,
    });
    const second = roll(2) === 0 && earlier.actions.length > 2 ? earlier : plan;
    const runs = [this.#run(plan, life()), ...(roll(3) === 0 ? [this.#run(second, life())] : [])];
    await Promise.all(runs);
    this.#expectOnce();
    const person = await this.#person;
    const pending = this.#live().filter(({ status }) => status === 'pending');
    const { id } = pending[roll(pending.length)] ?? {};
    const fate = id === undefined ? 9 : roll(8);
    if (fate < 2) this.log.push(`a colleague ${fate === 0 ? 'deletes' : 'publishes'} ${id}`);
    // Faults of the story that are left may hit the colleague, too.
    if (fate === 0) await person.posts.delete(Number(id)).catch(() => {});
    if (fate === 1) await person.posts.publish(Number(id)).catch(() => {});
  }

  #expectOnce(): void {
    const keys = this.#live().map(({ content }) => keyOf(content));
    expect(keys.length, this.#why()).toBe(new Set(keys).size);
  }

  /** Resolves to the result of a run, and to nothing if it has died or was refused. */
  async #run(plan: Plan, { killAt, isRehearsed, ...options }: Life): Promise<PlanRun | undefined> {
    const run = {};
    this.#alive.add(run);
    let [steps, die] = [0, () => {}];
    const died = new Promise<undefined>((resolve) => {
      die = () => resolve(undefined);
    });
    const step = async () => {
      if (++steps < killAt) return;
      this.kills++;
      this.#alive.delete(run);
      die();
      await new Promise(() => {});
    };
    const around = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await step();
      const result = await work();
      await step();
      return result;
    };
    const { load, save } = this.#journal;
    const journal: PlanJournal = { load, save: (next, previous) => around(() => save(next, previous)) };
    const timer = this.#timer(run);
    const life = async () => {
      const client = await this.#connect((input, init) => around(() => this.api.handle(new Request(input, init))));
      const rehearsal = isRehearsed ? await rehearsePlan(client, plan, { journal, timer, ...options }) : undefined;
      if (rehearsal && !rehearsal.ok && !options.keepGoing) return undefined;
      return runPlan(client, plan, { journal, timer, ...options, approved: rehearsal?.hash });
    };
    const end = await Promise.race([life().catch((error) => this.#refused(error, timer)), died]);
    this.#alive.delete(run);
    const problems = end?.steps.flatMap(({ key, problem }) => (problem ? `${key} ${problem.code}` : []));
    this.log.push(`${JSON.stringify({ killAt, isRehearsed, ...options })} ${end?.state} ${problems}`);
    return end;
  }

  async #refused({ code, message }: { code?: string; message: string }, timer: Timer): Promise<undefined> {
    this.log.push(`${code}: ${message}`);
    expect(code, this.#why()).toBeDefined();
    if (code === 'journal_locked' && this.#alive.size === 1) await timer.wait(300_000, undefined);
    return undefined;
  }

  /** Runs a plan until nothing is left. What no read shows, a person settles. */
  async #finish(plan: Plan): Promise<void> {
    for (let rounds = 0; rounds < 15; rounds++) {
      const end = await this.#run(plan, CALM);
      const left = end?.steps.filter(
        ({ outcome, problem }) => outcome !== 'applied' && problem?.code !== 'already_online',
      );
      if (left?.length === 0) return;
      for (const { key, operation, problem } of left ?? []) {
        if (problem?.code !== 'plan_unresolved') continue;
        expect(['social.publish', 'acquisition.requestReviews'], this.#why()).toContain(operation);
        await settleAction(this.#journal, key, this.#executed(operation) > 0 ? 'applied' : 'not_applied');
      }
    }
    throw new Error(`The story does not end: ${this.#why()}`);
  }

  /** Compares the posts of the service with those of the plan. Returns those that are not online. */
  async #compare(posts: readonly Wanted[]): Promise<Wanted[]> {
    this.#expectOnce();
    const online = new Set(this.#live().flatMap(({ status, content }) => (status === 'pending' ? [] : keyOf(content))));
    const left = posts.filter(({ key }) => !online.has(key));
    const line = ({ content, platforms, bulle_id }: Pick<Wanted, 'content' | 'platforms' | 'bulle_id'>) =>
      `${content} on ${[...platforms].sort().join()} of ${bulle_id}`;
    const shown = this.#live().filter(({ content }) => !online.has(keyOf(content)));
    expect(shown.map(line).sort(), this.#why()).toEqual(left.map(line).sort());
    const options = { journal: this.#journal, timer: this.#timer({}) };
    const { actions } = await planStatus(await this.#person, planFor(left), options);
    const states = actions.filter(({ operation }) => operation === 'posts.create').map(({ state }) => state);
    expect(states, this.#why()).toEqual(left.map(() => 'scheduled'));
    return left;
  }
}

describe(`${STORIES} stories of plans that are killed, corrected and pruned`, () => {
  let db: Awaited<ReturnType<typeof openPglite>>;
  beforeAll(async () => {
    db = await openPglite();
    await db.exec(sqlJournal.schema('postgres'));
  });
  afterAll(() => db.close());

  it('leave each post of the last version once, and no other one', async () => {
    let kills = 0;
    const files = folder();
    for (let seed = FIRST; seed < FIRST + STORIES; seed++) {
      const name = `story ${seed}`;
      const inFile = seed % 2 === 0 ? fileJournal(join(files, name)) : undefined;
      const story = new Story(seed, inFile ?? sqlJournal({ ...pgliteDriver(db), name }));
      await story.tell();
      kills += story.kills;
    }
    expect(kills).toBeGreaterThan(STORIES / 4);
  });
});
