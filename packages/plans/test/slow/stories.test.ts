// Random stories: plans are run, killed, corrected, renamed and pruned, two of them with one journal, while requests get lost, platforms
// refuse, and a colleague deletes, rewrites and publishes. Judged by what a person would call the same post, and not by keys.
// Half of the journals are files, and half are in Postgres.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePglite } from '@multilocal/stores/test/sql/databases';
import { Client } from 'multilocal';
import { createMockApi } from 'multilocal/mock/server';
import { fileJournal } from 'multilocal/node';
import { sqlJournal } from 'multilocal/sql';
import { describe, expect, it } from 'vitest';
import type { Timer } from '../../src/clock.js';
import { digestOf } from '../../src/digests.js';
import {
  type Plan,
  type PlanJournal,
  type PlanRun,
  type Rehearsal,
  rehearsePlan,
  runPlan,
  settleAction,
} from '../../src/index.js';
import type { JournalContent } from '../../src/journal-content.js';
import { folder } from '../helpers.js';
import { Author, chance, type Roll, type Row } from './people.js';

/** Number of stories, and the first one. The nightly run has many more. */
const STORIES = Number(process.env.FUZZ_STORIES ?? 4);
const FIRST = Number(process.env.FUZZ_FIRST ?? 1);

const FAULTS = [{ network: true, applied: true }, { network: true }, { status: 503 }, { status: 422 }, { status: 429 }];
const FAILING = ['posts.create', 'posts.update', 'posts.delete', 'posts.list', 'posts.get', 'connections.list'];
const PLATFORMS = ['facebook', 'gmb'] as const;
const MINUTE = 60_000;

/** How a run is begun. It dies at a step: the beginning or the end of a request or of a write of the journal. */
interface Life {
  readonly killAt: number;
  readonly keepGoing: boolean;
  readonly leftOver: 'refuse' | 'prune' | 'keep';
  readonly retryFailed: boolean;
  readonly isRehearsed: boolean;
}

const CALM: Life = { killAt: Infinity, keepGoing: true, leftOver: 'prune', retryFailed: true, isRehearsed: true };

type MockPost = ReturnType<ReturnType<typeof createMockApi>['posts']['all']>[number];

const uidOf = ({ content }: Pick<MockPost, 'content'>) => content.split(' ')[0] ?? '';
const minuteOf = (date: unknown) => Math.round(Date.parse(String(date)) / MINUTE);
const dueOf = (post: MockPost) => minuteOf(post.scheduled_facebook ?? post.scheduled_gmb);

/** One service, one journal, and the runs that live. */
class Story {
  // Its own time, so that a story can be told again.
  readonly api = createMockApi({ now: '2026-11-22T09:00:00Z' });
  readonly log: string[] = [];
  kills = 0;
  readonly #journal: PlanJournal;
  readonly #roll: Roll;
  readonly #person: Promise<Client>;
  readonly #authors: readonly Author[];
  readonly #alive = new Set<object>();
  readonly #waiting = new Set<object>();
  /** Every post that there ever was, as it was last seen. */
  readonly #ever = new Map<number, MockPost>();
  readonly #live = new Set<number>();
  /** Which plan has made a post. Nobody: a colleague. */
  readonly #maker = new Map<number, string>();
  /** The ids that people were shown before they approved this hash. */
  readonly #shown = new Map<string, Set<number>>();
  /** What appears beside a plan because somebody has said so. */
  readonly #kept = new Set<number>();
  #skipped = 0;

  constructor(seed: number, journal: PlanJournal) {
    this.#journal = journal;
    this.#roll = chance(seed);
    const isNamed = this.#roll(5) > 0;
    this.#authors = ['A', ...(isNamed && this.#roll(2) === 0 ? ['B'] : [])].map(
      (person) => new Author(person, this.#roll, isNamed),
    );
    this.log.push(`story ${seed}`);
    this.#person = this.#connect(this.api.handle);
  }

  async tell(): Promise<void> {
    const roll = this.#roll;
    for (let version = 1; version <= 4; version++) {
      for (const author of this.#authors) {
        const earlier = author.plan();
        const isFrozen = (row: Row) => this.#of(row).some((post) => post.status !== 'pending' || this.#isOut(post));
        this.log.push(`${author.person} ${author.naming}:\n  ${author.rewrite(this.api.now().getTime(), isFrozen)}`);
        for (let round = 1 + roll(4); round > 0; round--) await this.#round(author, earlier);
        await this.#finish(author);
        this.#compare(author);
        await this.#rename(author);
      }
      this.#pass(roll(40) * 60 * MINUTE);
    }
  }

  why(): string {
    return this.log.join('\n');
  }

  #connect(fetch: typeof globalThis.fetch): Promise<Client> {
    const { baseUrl, keys } = this.api;
    const options = { maxRetries: 0, rateLimit: false, timeout: 2 ** 31 - 1, logLevel: 'off' } as const;
    return Client.connect({ apiKey: keys.sphere, baseUrl, fetch, ...options });
  }

  #pass(ms: number): void {
    this.#skipped += ms;
    this.api.advance(ms);
    this.#look();
  }

  /** Notes what is there. Nothing may ever appear twice: the same text, of the same minute, on the same account. */
  #look(): void {
    this.#live.clear();
    for (const post of this.api.posts.all()) {
      this.#live.add(post.id);
      if (/^[ABX]\d/.test(post.content)) this.#ever.set(post.id, post);
    }
    const seen = new Map<string, number>();
    for (const post of this.#ever.values()) {
      for (const platform of post.platforms as (typeof PLATFORMS)[number][]) {
        const minute = minuteOf(post[`scheduled_${platform}`]);
        const identity = `${post.bulle_id} ${platform} ${minute} ${post.content}`;
        if (!post[`published_${platform}`]) continue;
        if (seen.has(identity)) throw new Error(`twice: ${identity}\n${this.why()}`);
        seen.set(identity, post.id);
      }
    }
  }

  #isLive({ id }: MockPost): boolean {
    return this.#live.has(id);
  }

  /** What is online somewhere, or due within a minute. What a platform has refused is not. */
  #isOut(post: MockPost): boolean {
    const due = this.api.now().getTime() + MINUTE;
    const isDue = (one: (typeof PLATFORMS)[number]) =>
      !post[`error_${one}`] && Date.parse(String(post[`scheduled_${one}`])) <= due;
    return PLATFORMS.some((one) => post[`published_${one}`] || isDue(one));
  }

  /** The posts that there are of a row, or were. */
  #of({ uid }: Row): MockPost[] {
    return [...this.#ever.values()].filter((post) => uidOf(post) === uid);
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
        this.#pass(ms);
      },
    };
  }

  /** A fault, one run or two at the same moment, one of them perhaps of the earlier version, and a colleague. */
  async #round(author: Author, earlier: Plan): Promise<void> {
    const roll = this.#roll;
    if (roll(3) === 0) {
      const fault = { operation: FAILING[roll(FAILING.length)] as string, ...FAULTS[roll(FAULTS.length)] };
      this.log.push(JSON.stringify(fault));
      this.api.fail({ ...fault, times: 1 + roll(2) });
    }
    if (roll(6) === 0) this.api.posts.failPlatform(PLATFORMS[roll(2)] ?? 'gmb');
    const life = (): Life => ({
      killAt: roll(3) > 0 ? 2 + roll(60) : Infinity,
      keepGoing: roll(2) === 0,
      leftOver: (['refuse', 'refuse', 'prune', 'prune', 'prune', 'keep'] as const)[roll(6)] ?? 'refuse',
      retryFailed: roll(2) === 0,
      isRehearsed: roll(2) === 0,
    });
    const second = roll(3) === 0 && earlier.actions.length > 0 ? earlier : author.plan();
    await Promise.all([this.#run(author.plan(), life()), ...(roll(4) === 0 ? [this.#run(second, life())] : [])]);
    await this.#colleague();
    if (roll(4) === 0) this.#pass(roll(30) * 60 * MINUTE);
  }

  async #colleague(): Promise<void> {
    const roll = this.#roll;
    const person = await this.#person;
    const pending = [...this.#ever.values()].filter((post) => post.status === 'pending' && this.#isLive(post));
    const post = pending[roll(pending.length)];
    const fate = post ? roll(10) : 9;
    if (!post || fate > 3) return;
    this.log.push(`a colleague ${['deletes', 'publishes', 'rewrites', 'copies'][fate]} ${post.id} ${post.content}`);
    // Faults of the story that are left may hit the colleague, too.
    if (fate === 0) await person.posts.delete(post.id).catch(() => {});
    if (fate === 1) await person.posts.publish(post.id).catch(() => {});
    if (fate === 2) await person.posts.update(post.id, { content: `${post.content} !` }).catch(() => {});
    const { bulle_id } = post;
    if (fate === 3)
      this.api.posts.add({
        bulle_id: String(bulle_id),
        content: `X${this.api.requests.length} d’un autre`,
        scheduled_at: new Date(this.api.now().getTime() + 99 * 86_400_000).toISOString(),
      });
    this.#look();
  }

  /** What a run sends: nothing that is online, of another plan or of a colleague is changed, and nothing goes that nobody was shown. */
  #judge(plan: Plan, approved: string | undefined, request: Request, body: string): void {
    const [, id = ''] = /\/posts\/(\d+)$/.exec(new URL(request.url).pathname) ?? [];
    const post = this.#ever.get(Number(id));
    if (request.method === 'GET' || !post || !this.#isLive(post)) return;
    const what = `${request.method} ${id} ${body} of ${plan.name}\n${this.why()}`;
    expect(this.#isOut(this.api.posts.get(post.id)), `online: ${what}`).toBe(false);
    const owner = this.#maker.get(post.id);
    expect(owner, `of somebody else: ${what}`).toBe(String(plan.name));
    if (request.method === 'DELETE' && approved !== undefined)
      expect([...(this.#shown.get(approved) ?? [])], `not shown: ${what}`).toContain(post.id);
  }

  #handle(plan: Plan, approved: () => string | undefined): typeof globalThis.fetch {
    return async (input, init) => {
      const request = new Request(input, init);
      const body = await request.clone().text();
      this.#judge(plan, approved(), request, body);
      if (request.method === 'GET') return this.api.handle(request);
      return this.api.handle(request).finally(() => {
        const before = new Set(this.#live);
        this.#look();
        for (const id of this.#live) if (!before.has(id)) this.#maker.set(id, String(plan.name));
      });
    };
  }

  #show(rehearsal: Rehearsal): void {
    if (rehearsal.hash === '') return;
    const ids = this.#shown.get(rehearsal.hash) ?? new Set();
    for (const { step, posts } of rehearsal.leftOvers) if (step === 'delete') for (const { id } of posts) ids.add(id);
    for (const { change, summary } of rehearsal.actions) {
      const [, id] = change?.kind === 'replace' ? (/\(id (\d+)\)/.exec(summary) ?? []) : [];
      if (id !== undefined) ids.add(Number(id));
    }
    this.#shown.set(rehearsal.hash, ids);
  }

  /** Resolves to the result of a run, and to nothing if it has died or was refused. */
  async #run(plan: Plan, { killAt, isRehearsed, ...options }: Life): Promise<PlanRun | undefined> {
    const run = {};
    this.#alive.add(run);
    // A run that is killed does not say what it kept.
    if (options.leftOver === 'keep')
      for (const [id, maker] of this.#maker) if (maker === String(plan.name)) this.#kept.add(id);
    let [steps, die, approved] = [0, () => {}, undefined as string | undefined];
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
    const handle = this.#handle(plan, () => approved);
    const life = async () => {
      const client = await this.#connect((input, init) => around(() => handle(input, init)));
      const rehearsal = isRehearsed ? await rehearsePlan(client, plan, { journal, timer, ...options }) : undefined;
      if (rehearsal) this.#show(rehearsal);
      if (rehearsal?.ok) approved = rehearsal.hash;
      return runPlan(client, plan, { journal, timer, ...options, ...(approved !== undefined && { approved }) });
    };
    const end = await Promise.race([life().catch((error) => this.#refused(error, timer)), died]);
    this.#alive.delete(run);
    const problems = [...(end?.steps ?? []), ...(end?.leftOvers ?? [])].flatMap((one) => {
      const found = 'problem' in one ? [one.problem] : 'problems' in one ? one.problems : [];
      return found.flatMap((problem) => (problem ? `${one.key} ${problem.code}` : []));
    });
    this.log.push(`${plan.name} ${JSON.stringify({ killAt, isRehearsed, ...options })} ${end?.state} ${problems}`);
    return end;
  }

  async #refused(error: { code?: string; message: string }, timer: Timer): Promise<undefined> {
    if (error.code === undefined) throw error;
    this.log.push(`${error.code}: ${error.message}`);
    if (error.code === 'journal_locked' && this.#alive.size === 1) await timer.wait(300_000, undefined);
    return undefined;
  }

  /** Runs a plan until nothing is left. What no read shows, a person settles. */
  async #finish(author: Author): Promise<void> {
    let { leftOver } = CALM;
    for (let rounds = 0; rounds < 25 && author.rows.length > 0; rounds++) {
      const end = await this.#run(author.plan(), { ...CALM, leftOver, isRehearsed: this.#roll(2) === 0 });
      if (end?.state === 'done') return;
      for (const { key, ids, problems } of end?.leftOvers ?? []) {
        for (const { code } of problems) leftOver = await this.#leave(key, code, ids, leftOver);
      }
      const left = end?.steps.filter(({ problem }) => problem) ?? [];
      for (const { index, key, problem } of left.toReversed()) {
        // What may be online may have been made by another key, which the sentence names.
        const [, maker = key] = /the key (.+?) made/.exec(problem?.message ?? '') ?? [];
        await this.#answer(author, index, maker, problem?.code ?? '');
      }
    }
    if (author.rows.length > 0) throw new Error(`The story does not end: ${this.why()}`);
  }

  /** What somebody does about a left-over that is refused. */
  async #leave(
    key: string,
    code: string,
    ids: readonly unknown[],
    leftOver: Life['leftOver'],
  ): Promise<Life['leftOver']> {
    this.log.push(`somebody looks at ${key}: ${code}`);
    const person = await this.#person;
    if (code === 'left_over') for (const id of ids) await person.posts.delete(Number(id)).catch(() => {});
    if (code === 'unknown_outcome') await this.#settle(key);
    return code === 'left_over' || code === 'unknown_outcome' ? leftOver : 'keep';
  }

  /** Somebody looks whether what was lost is there: a post with its text that no key has. */
  async #settle(key: string): Promise<void> {
    await this.#timer({}).wait(600_000, undefined);
    const { entries }: JournalContent = JSON.parse(String(await this.#journal.load()));
    const known = Object.values(entries).flatMap(({ made }) => made?.ids ?? []);
    const { sent, made } = entries[key] ?? {};
    const { content, bulle_id, scheduled_at } = (sent ?? made)?.digests ?? {};
    const free = [...this.#ever.values()].filter((post) => this.#isLive(post) && !known.includes(post.id));
    const isThere = (post: MockPost) => post.bulle_id === bulle_id && dueOf(post) === minuteOf(scheduled_at);
    // A colleague may have rewritten it. Who reads a text knows whose row it is.
    const texts = this.#authors.flatMap(({ rows }) => rows.map((row) => row.text));
    const isOther = (post: MockPost) => texts.includes(post.content);
    const post =
      free.find((each) => digestOf(each.content) === content) ?? free.find((each) => isThere(each) && !isOther(each));
    this.log.push(`somebody settles ${key}: ${post?.id ?? 'not_applied'}`);
    if (post) await settleAction(this.#journal, key, 'applied', { ids: [post.id] });
    else await settleAction(this.#journal, key, 'not_applied');
  }

  /** What somebody does about a row that is refused. */
  async #answer(author: Author, index: number, key: string, code: string): Promise<void> {
    const row = author.rows[index];
    this.log.push(`somebody answers ${code} of ${row?.uid}`);
    const drop = () => {
      author.rows = author.rows.filter((_, each) => each !== index);
    };
    if (code === 'key_of_another_plan') author.naming = 'own';
    else if (code === 'may_be_online' && row) {
      const wasOnline = this.#of(row).some((post) => PLATFORMS.some((one) => post[`published_${one}`]));
      if (wasOnline) drop();
      else await settleAction(this.#journal, key, 'not_applied', { by: 'Lea' });
    } else if (code === 'plan_unresolved') await this.#settle(key);
    else if (['already_online', 'already_done', 'twin'].includes(code)) drop();
  }

  /** Each row is there once, and nothing else of this author that anybody does not know of. */
  #compare({ rows, name }: Author): void {
    this.#look();
    const live = [...this.#ever.values()].filter((post) => this.#maker.get(post.id) === String(name));
    for (const row of rows) {
      for (const platform of row.platforms as typeof PLATFORMS) {
        const own = live.filter((post) => uidOf(post) === row.uid && (post.platforms as string[]).includes(platform));
        const isThere = (post: MockPost) =>
          post[`published_${platform}`] || (this.#isLive(post) && !post[`error_${platform}`]);
        // What was kept beside a row is one of its posts, if nothing else is. A plan without a name deletes nothing.
        // What was online before its row was moved is not its post any more.
        const minute = minuteOf(new Date(row.at).toISOString());
        const isOld = (post: MockPost) => dueOf(post) !== minute || post.bulle_id !== row.bulle_id;
        const hasFailed = own.some((post) => PLATFORMS.some((one) => post[`error_${one}`]));
        const there = own.filter((post) => isThere(post) && (hasFailed || post.status === 'pending' || !isOld(post)));
        const isAlone = name === undefined || there.filter(({ id }) => !this.#kept.has(id)).length <= 1;
        const identities = new Set(
          there.map((post) => `${post.bulle_id} ${post[`scheduled_${platform}`]} ${post.content}`),
        );
        // What the platform has refused since the run is there, too.
        const isKnown =
          there.length > 0 || own.some((post) => post[`error_${platform}`] || post[`published_${platform}`]);
        const isOnce = isKnown && isAlone && identities.size === there.length;
        const what = `${row.uid} on ${platform}: ${own.map(({ id, status }) => `${id} ${status}`)}\n${this.why()}`;
        expect(isOnce, what).toBe(true);
      }
    }
    // Without a name, or without a row, nothing is deleted.
    if (name === undefined || rows.length === 0) return;
    const uids = rows.map(({ uid }) => uid);
    const more = live.filter((post) => post.status === 'pending' && this.#isLive(post) && !uids.includes(uidOf(post)));
    expect(
      more.filter(({ id }) => !this.#kept.has(id)),
      this.why(),
    ).toEqual([]);
  }

  /** The file gets another name. Nothing may appear again. */
  async #rename(author: Author): Promise<void> {
    // Of a post that a colleague has rewritten, or that failed before, nothing shows that it is the same.
    const isOther = (row: Row) => (post: MockPost) =>
      post.content !== row.text || PLATFORMS.some((one) => post[`error_${one}`]);
    const isRewritten = author.rows.some((row) => this.#of(row).some(isOther(row)));
    if (author.name === undefined || this.#roll(4) > 0 || isRewritten) return;
    const made = this.#live.size;
    const life = { ...CALM, isRehearsed: false, leftOver: 'refuse', retryFailed: false } as const;
    await this.#run(author.plan(`${author.name}-v2`), life);
    expect(this.#live.size, this.why()).toBe(made);
  }
}

describe(`${STORIES} stories of plans that people change`, () => {
  const { driver } = usePglite();

  it(
    'double nothing, overwrite nothing, and delete nothing that nobody was shown',
    async () => {
      let kills = 0;
      const wrong: string[] = [];
      const files = folder();
      for (let seed = FIRST; seed < FIRST + STORIES; seed++) {
        const name = `story ${seed}`;
        const inFile = seed % 2 === 0 ? fileJournal(join(files, name)) : undefined;
        const story = new Story(seed, inFile ?? sqlJournal({ ...driver(), name }));
        await story.tell().catch((error: Error) => wrong.push(`${error.message}`));
        const { FUZZ_LOG } = process.env;
        if (FUZZ_LOG) appendFileSync(FUZZ_LOG, `${seed} ${story.kills} ${wrong.length} ${wrong.at(-1) ?? ''}\n`);
        kills += story.kills;
      }
      expect(wrong.join('\n\n')).toBe('');
      expect(kills).toBeGreaterThan(STORIES / 4);
    },
    Math.max(1_200_000, STORIES * 60_000),
  );
});
