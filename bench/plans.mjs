// What plans cost: node --expose-gc bench/plans.mjs prints the rows of RESULTS.md.
import { equal } from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { Client } from 'multilocal';
import { createMockApi } from 'multilocal/mock/server';
import { memoryJournal, planCampaign, planStatus, rehearsePlan, runPlan } from 'multilocal/plans';

const LOCATIONS = 1_000;
const POSTS = 10;
const ACTIONS = 200;
const CORRECTED = 20;
/** Posts of each of 40 locations, for the status. */
const SHOWN = 3;
const ROUNDS = 5;

/** Rows of what was done, its time and its requests. */
export async function planRows() {
  const planning = [];
  for (let round = 0; round < ROUNDS; round++) planning.push(timeOf(campaigns).ms);
  const left = heapLeft();
  const { requests, times } = await carryOut();
  const after = await correctAndShow();
  const row = (what, ms, count) => [what, ms.toFixed(0), count === undefined ? '' : String(count)];
  return [
    row(`planning ${LOCATIONS} locations × ${POSTS} posts`, median(planning)),
    ...['rehearsing', 'running', 'resuming'].map((what) =>
      row(`${what} ${ACTIONS} actions`, times[what], requests[what]),
    ),
    row(`correcting ${CORRECTED} of ${ACTIONS} posts`, after.correcting.ms, after.correcting.value.requests),
    row(`status of 40 locations × ${SHOWN} posts`, after.status.ms, after.status.value.requests),
    ['heap in use after the plan is gone, bytes a location', '', Math.max(0, left).toFixed(0)],
  ];
}

function campaigns() {
  const locations = Array.from({ length: LOCATIONS }, (_, index) => {
    return { id: `bul_${index}`, name: `Boulangerie ${index}`, slug: `b-${index}`, city: 'Lyon', is_active: true };
  });
  return Array.from({ length: POSTS }, (_, day) => {
    const { plan, problems } = planCampaign(
      {
        campaign: 'Brioches',
        at: `2030-01-${String(day + 10)}T09:00`,
        zone: 'Europe/Paris',
        for: 'all',
        post: { platforms: ['facebook', 'gmb'], content: '{{name}} : les brioches sortent du four.' },
      },
      locations,
    );
    equal(problems.length, 0);
    equal(plan.actions.length, LOCATIONS);
    return plan;
  });
}

function heapLeft() {
  const inUse = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = inUse();
  campaigns();
  return (inUse() - before) / LOCATIONS;
}

/** 200 posts of one location: rehearsed, carried out half by a run that is stopped, and resumed. */
async function carryOut() {
  const api = createMockApi();
  const options = { baseUrl: api.baseUrl, apiKey: api.keys.sphere, fetch: api.handle, rateLimit: false };
  const client = new Client(options);
  const actions = Array.from({ length: ACTIONS }, (_, index) => {
    const params = { bulle_id: 'bul_lyon_croix_rousse', platforms: ['facebook'], content: `Post ${index}` };
    return { operation: 'posts.create', params };
  });
  const plan = { actions };
  const rehearsing = await timed(() => rehearsePlan(client, plan));
  equal(rehearsing.value.ok, true);
  const running = await timed(() => runPlan(client, plan, { journal: memoryJournal(), again: true }));
  equal(running.value.state, 'done');
  const journal = memoryJournal();
  const stop = new AbortController();
  const onStep = ({ index }) => index === ACTIONS / 2 - 1 && stop.abort();
  await runPlan(client, plan, { journal, again: true, signal: stop.signal, onStep });
  const resuming = await timed(() => runPlan(client, plan, { journal, again: true }));
  equal(resuming.value.state, 'done');
  const of = (read) =>
    Object.fromEntries(Object.entries({ rehearsing, running, resuming }).map(([name, one]) => [name, read(one)]));
  return { requests: of(({ value }) => value.requests), times: of(({ ms }) => ms) };
}

/** A corrected plan of pending posts, and what became of the posts of 40 locations. */
async function correctAndShow() {
  const api = createMockApi({ bulles: 40 });
  const client = new Client({ baseUrl: api.baseUrl, apiKey: api.keys.sphere, fetch: api.handle, rateLimit: false });
  const bulles = await client.bulles.list();
  const scheduled_at = new Date(Date.now() + 30 * 86_400_000);
  const postsOf = (count, textOf) =>
    Array.from({ length: count }, (_, index) => ({
      key: `noel/${index}`,
      operation: 'posts.create',
      params: {
        bulle_id: bulles[index % bulles.length].id,
        platforms: ['facebook'],
        content: textOf(index),
        scheduled_at,
      },
    }));
  const run = (actions, journal) => runPlan(client, { name: 'noel', actions }, { journal, again: true });
  const journal = memoryJournal();
  equal(
    (
      await run(
        postsOf(ACTIONS, (index) => `Post ${index}`),
        journal,
      )
    ).state,
    'done',
  );
  const corrected = postsOf(ACTIONS, (index) => (index < CORRECTED ? `Corrected ${index}` : `Post ${index}`));
  const correcting = await timed(() => run(corrected, journal));
  equal(correcting.value.state, 'done');
  const shown = { name: 'noel', actions: postsOf(40 * SHOWN, (index) => `Post ${index}`) };
  const status = await timed(() => planStatus(client, shown, { journal }));
  equal(status.value.ok, true);
  return { correcting, status };
}

function timeOf(work) {
  const begin = performance.now();
  const value = work();
  return { value, ms: performance.now() - begin };
}

async function timed(work) {
  const begin = performance.now();
  const value = await work();
  return { value, ms: performance.now() - begin };
}

function median(samples) {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const row of await planRows()) console.log(row.join(' | '));
}
