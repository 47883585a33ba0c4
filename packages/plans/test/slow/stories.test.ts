// Random stories: a plan is run, killed, corrected, pruned and run again. The posts of the service decide.
import { openPglite, pgliteDriver } from '@multilocal/stores/test/sql/databases';
import { Client } from 'multilocal';
import { createMockApi, type MockControl } from 'multilocal/mock';
import { sqlJournal } from 'multilocal/sql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Plan, type PlanJournal, rehearsePlan, runPlan, settleAction } from '../../src/index.js';
import { parseJournal } from '../../src/journal-content.js';
import { FICHE, planOf, virtualTimer } from '../helpers.js';

/** Number of stories. The nightly run has many more. */
const STORIES = Number(process.env.FUZZ_STORIES ?? 15);

const PLACES = ['bul_lyon_croix_rousse', 'bul_paris_batignolles'];

/** A small generator, so that a story can be told again. */
function chance(seed: number): (below: number) => number {
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
  readonly hour: number;
}

/** The next version of a plan: posts are kept, corrected, replaced, left out and added. */
function nextVersion(before: readonly Wanted[], roll: (below: number) => number, version: number): Wanted[] {
  const kept = before.flatMap((post): Wanted[] => {
    const fate = roll(6);
    if (fate === 0) return [];
    if (fate === 1) return [{ ...post, content: `${post.key} version ${version}` }];
    if (fate === 2) return [{ ...post, hour: (post.hour + 1) % 20 }];
    if (fate === 3) return [{ ...post, platforms: post.platforms.length === 1 ? ['facebook', 'gmb'] : ['facebook'] }];
    return [post];
  });
  const fresh = Array.from({ length: version === 1 ? 5 : roll(3) }, (_, index): Wanted => {
    const key = `noel/${version}-${index}`;
    const bulle_id = PLACES[roll(PLACES.length)] ?? '';
    return { key, content: `${key} text`, platforms: ['facebook'], bulle_id, hour: index };
  });
  return [...kept, ...fresh];
}

function planFor(posts: readonly Wanted[]): Plan {
  const actions = posts.map(({ key, content, platforms, bulle_id, hour }, index) => {
    const scheduled_at = `2035-01-${String(index + 1).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`;
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

/** One run that dies at a step: a step is one end of a request or of a write of the journal. */
async function oneRun(
  api: MockControl,
  journal: PlanJournal,
  plan: Plan,
  timer: ReturnType<typeof virtualTimer>,
  killAt: number,
) {
  let steps = 0;
  let die = () => {};
  const died = new Promise<'dead'>((resolve) => {
    die = () => resolve('dead');
  });
  const step = async () => {
    if (++steps < killAt) return;
    die();
    await new Promise(() => {});
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    await step();
    const response = await api.handle(new Request(input, init));
    await step();
    return response;
  };
  const mortal: PlanJournal = {
    load: journal.load,
    async save(next, previous) {
      await step();
      const isSaved = await journal.save(next, previous);
      await step();
      return isSaved;
    },
  };
  const { baseUrl, keys } = api;
  const life = async () => {
    const client = await Client.connect({
      apiKey: keys.sphere,
      baseUrl,
      fetch,
      maxRetries: 0,
      rateLimit: false,
      timeout: 2 ** 31 - 1,
    });
    const { hash, ok, actions } = await rehearsePlan(client, plan, { journal: mortal, timer, prune: true });
    if (!ok) throw new Error(`The gate is closed: ${JSON.stringify(actions.flatMap(({ problems }) => problems))}`);
    return runPlan(client, plan, { journal: mortal, timer, prune: true, approved: hash });
  };
  return Promise.race([life().catch((error) => ({ error: error as { code?: string } })), died]);
}

const executed = (api: MockControl, wanted: string) =>
  api.requests.filter(
    ({ operation, body, status }) => operation === wanted && status < 300 && Object(body).dry_run !== true,
  ).length;

async function tell(seed: number, journal: PlanJournal): Promise<{ kills: number }> {
  const roll = chance(seed);
  const api = createMockApi();
  const timer = virtualTimer(api);
  let kills = 0;
  let posts: Wanted[] = [];
  const settled = new Set<string>();
  for (let version = 1; version <= 3; version++) {
    posts = nextVersion(posts, roll, version);
    const plan = planFor(posts);
    for (let kill = roll(3); kill > 0; kill--) {
      if ((await oneRun(api, journal, plan, timer, 3 + roll(90))) === 'dead') kills++;
    }
    for (let rounds = 0; ; rounds++) {
      const end = await oneRun(api, journal, plan, timer, Number.POSITIVE_INFINITY);
      if (end === 'dead' || rounds > 12) throw new Error(`story ${seed} does not end: ${JSON.stringify(end)}`);
      if ('error' in end) {
        // A lost deletion or post that the plan no longer has is found by the run, and then has to be approved.
        expect(['journal_locked', 'plan_not_approved'], `story ${seed}: ${end.error}`).toContain(end.error.code);
        if (end.error.code === 'journal_locked') await timer.wait(300_000, undefined);
        continue;
      }
      if (end.state === 'done') break;
      // What no read shows, a person settles.
      const open = end.steps.find(({ outcome }) => outcome === 'unknown');
      expect([open?.operation, settled.has(open?.key ?? '')], `story ${seed}: ${JSON.stringify(end.steps)}`).toEqual([
        'social.publish',
        false,
      ]);
      settled.add('info');
      await settleAction(journal, 'info', executed(api, 'social.publish') > 0 ? 'applied' : 'not_applied');
    }
    const shown = api.posts.all().filter(({ content }) => content.startsWith('noel/'));
    const line = (post: { content: string; platforms: readonly string[] }) =>
      `${post.content} on ${[...post.platforms].sort().join()}`;
    expect(shown.map(line).sort(), `story ${seed}, version ${version}`).toEqual(posts.map(line).sort());
    const open = Object.values(parseJournal((await journal.load()) ?? '').entries).filter(
      ({ outcome }) => outcome !== 'applied' && outcome !== 'not_applied',
    );
    expect(open, `story ${seed}`).toEqual([]);
  }
  const once = [executed(api, 'social.publish'), executed(api, 'acquisition.requestReviews')];
  expect(once, `story ${seed}`).toEqual([1, 1]);
  return { kills };
}

describe(`${STORIES} stories of plans that are killed, corrected and pruned`, { timeout: 3_600_000 }, () => {
  let db: Awaited<ReturnType<typeof openPglite>>;
  beforeAll(async () => {
    db = await openPglite();
    await db.exec(sqlJournal.schema('postgres'));
  });
  afterAll(() => db.close());

  it('leave each post of the last version once, and no other one', async () => {
    let kills = 0;
    for (let seed = 1; seed <= STORIES; seed++) {
      const story = await tell(seed, sqlJournal({ ...pgliteDriver(db), name: `story ${seed}` }));
      kills += story.kills;
    }
    expect(kills).toBeGreaterThan(STORIES / 2);
  });
});
