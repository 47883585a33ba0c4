import { watch } from 'multilocal/watch';
import { vi } from 'vitest';
import { DAY, Disk, HOUR, mostInADay, pass, randomOf, World } from './world.js';

/** What a soak has found. */
export interface SoakResult {
  lost: string[];
  doubled: string[];
  invented: string[];
  kills: number;
  most: number;
  requests: number;
  bytes: number;
  events: number;
}

export interface SoakOptions {
  seed: number;
  days: number;
  perDay: number;
  /** Days without new happenings at the end, so that everything can be seen. */
  quiet: number;
  world: ConstructorParameters<typeof World>[0];
  /** Probability that a save or a request kills the process. */
  killRate: number;
  /** Minutes between two ticks of the world, and happenings in each. */
  tick: number;
}

/** Days of a brand with killed processes, outages, and clocks that jump. Needs fake timers. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { seed, days, perDay, quiet, killRate, tick } = options;
  const random = randomOf(seed);
  const world = new World(options.world);
  const disk = new Disk();
  const told = new Map<string, number>();
  const counts = new Map<string, number>();
  const result = { lost: [] as string[], doubled: [] as string[], invented: [] as string[], kills: 0, events: 0 };
  let inHand = '';
  let process = 0;
  let deaths = 0;
  const die = (own: number) => {
    if (own !== process) return new Promise<never>(() => {});
    if (random() >= killRate) return undefined;
    process++;
    deaths++;
    return new Promise<never>(() => {});
  };
  const start = async () => {
    const own = process;
    world.fault = () => die(own) ?? outage();
    const cursor = disk.cursor(() => die(own));
    try {
      for await (const event of watch(world.client(), { cursor, perDay })) {
        if (own !== process) return;
        const isAgain = event.id === inHand;
        inHand = event.id;
        if (isAgain) continue;
        const key = world.keyOf(event, counts);
        told.set(key, (told.get(key) ?? 0) + 1);
        result.events++;
      }
    } catch (error) {
      if (own === process) throw error;
    }
  };
  using timers = collectTimers();
  let outageUntil = 0;
  const outage = () => {
    if (world.now() >= outageUntil) return undefined;
    return random() < 0.5 ? new Response('{}', { status: 503 }) : Response.error();
  };
  let failure: unknown;
  const run = () => void start().catch((error) => (failure ??= error));
  run();
  const happen = happenings(world, random);
  // Until the first look at everything, what happens is old.
  const isReady = () => {
    const { posts, connections, articles, reports, reviews = {} } = JSON.parse(disk.text ?? '{}');
    return posts && connections && articles && reports && Object.keys(reviews).length === world.listings.size;
  };
  let began: number | undefined;
  for (let day = 0; day < days + quiet; day = began === undefined ? 0 : (world.now() - began) / DAY) {
    await pass(tick * 60_000);
    if (failure !== undefined) throw failure;
    if (began === undefined && isReady()) began = world.now();
    if (began !== undefined && day < days) happen(tick);
    if (random() < 0.0008 * tick && day < days) vi.setSystemTime(Date.now() + (random() - 0.4) * 5 * DAY);
    if (random() < 0.0005 * tick && day < days) outageUntil = world.now() + random() * 6 * HOUR;
    if (deaths > result.kills) {
      result.kills = deaths;
      timers.stop();
      // Nobody watches for a while.
      if (random() < 0.1) await vi.advanceTimersByTimeAsync(random() * 12 * HOUR);
      run();
    }
  }
  process++;
  result.lost = [...world.truth.keys()].filter((key) => !told.has(key));
  result.doubled = [...told].filter(([, times]) => times > 1).map(([key]) => key);
  result.invented = [...told.keys()].filter((key) => !world.truth.has(key));
  return { ...result, most: mostInADay(world.requests), requests: world.requests.length, bytes: disk.largest };
}

/** Stops the timers that were started since, as the death of a process does. It ends before the fake timers do. */
function collectTimers() {
  const started: NodeJS.Timeout[] = [];
  const { setTimeout, setInterval } = globalThis;
  const collecting = (start: typeof setInterval) => {
    return (...given: Parameters<typeof start>) => {
      const timer = start(...given);
      started.push(timer);
      return timer;
    };
  };
  Object.assign(globalThis, { setTimeout: collecting(setTimeout), setInterval: collecting(setInterval) });
  return {
    stop: () => started.splice(0).forEach(clearTimeout),
    [Symbol.dispose]: () => void Object.assign(globalThis, { setTimeout, setInterval }),
  };
}

/** Lets things happen: about one every ten minutes, and a campaign a day. */
function happenings(world: World, random: () => number): (minutes: number) => void {
  const fiches = [...world.listings.keys()];
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * random() * items.length)] as Item;
  const due: [number, () => void][] = [];
  const flips = new Map<number, [number, number]>();
  let articleId = 10_000;
  let lastCampaign = 0;
  const campaign = () => {
    for (const _ of fiches) {
      const id = world.addPost(world.now() + 5 * HOUR, ['facebook', 'gmb']);
      const fails = random() < 0.05;
      const isDeleted = random() < 0.02;
      due.push([
        world.now() + 5 * HOUR,
        () =>
          isDeleted
            ? void world.posts.delete(id)
            : world.deliver(id, fails ? ['gmb'] : ['facebook', 'gmb'], fails ? ['facebook'] : []),
      ]);
    }
  };
  const flip = () => {
    const at = Math.floor(random() * world.connections.length);
    const [times, last] = flips.get(at) ?? [0, 0];
    if (world.now() - last < 2 * DAY && times > 0) return;
    flips.set(at, [times + 1, world.now()]);
    world.breakAccount(at, times % 2 === 0, Math.floor(times / 2) + 1);
  };
  const touch = () => {
    const ids = [...world.articles.values()];
    const article = pick(ids);
    const at = Date.parse(article.updated_at);
    // What is undone between two looks is not seen.
    if (world.now() - at < 2 * DAY) return;
    if (random() < 0.15) world.deleteArticle(article.id);
    else world.changeArticle(article.id, article.status === 'draft' || random() < 0.7 ? 'published' : 'draft');
  };
  return (minutes) => {
    for (let at = due.length - 1; at >= 0; at--)
      if ((due[at] as [number, unknown])[0] <= world.now()) due.splice(at, 1)[0]?.[1]();
    if (world.now() - lastCampaign > DAY) {
      lastCampaign = world.now();
      campaign();
    }
    if (random() > minutes / 10) return;
    const choice = random();
    if (choice < 0.45) world.addReview(pick(fiches));
    else if (choice < 0.7) {
      const open = (world.listings.get(pick(fiches)) ?? []).filter((one) => !one.responded);
      if (open.length > 0) world.answer(pick(open));
    } else if (choice < 0.78) world.deliver(world.addPost(world.now(), ['linkedin']), ['linkedin'], []);
    else if (choice < 0.84) world.changeArticle(articleId++, 'published');
    else if (choice < 0.92) touch();
    else if (choice < 0.96) flip();
    else world.addReport(`report ${articleId++}`);
  };
}
