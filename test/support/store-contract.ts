import type { RateLimitStore, RateWindow, TakeRequest } from 'multilocal/limiter';
import { beforeEach, describe, expect, it } from 'vitest';

const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** An empty store whose clock the test sets. */
export interface TestStore {
  store: RateLimitStore;
  /** Lets this many ms pass. */
  pass(ms: number): unknown;
}

/** What every store of `rateLimit` must do: the book in memory, Redis, and the stores of the guides. */
export function describeStore(name: string, setUp: () => TestStore | Promise<TestStore>): void {
  describe(`${name}, a store of limits,`, () => {
    let store: RateLimitStore;
    let pass: (ms: number) => Promise<void>;
    beforeEach(async () => {
      const made = await setUp();
      store = made.store;
      pass = async (ms) => void (await made.pass(ms));
    });

    const take = async (id: string, perMinute: number, more: Partial<TakeRequest> = {}) => {
      const windows: RateWindow[] = [[MINUTE, perMinute]];
      return store.take('key', { id, windows, maxWait: 10 * MINUTE, timeout: 10 * MINUTE, ...more });
    };
    const settle = (id: string, result: 'done' | 'unsent' = 'done') => store.settle('key', id, result);
    const used = async (...lengths: number[]) => (await store.count?.('key', lengths))?.used;
    /** A request that gets its response at once. */
    const send = async (id: string, perMinute: number, more: Partial<TakeRequest> = {}) => {
      expect(await take(id, perMinute, more)).toEqual({ state: 'go', ms: 0 });
      await settle(id);
    };
    const go = { state: 'go', ms: 0 };
    const wait = (ms: number) => ({ state: 'wait', ms });
    const refused = (ms: number) => ({ state: 'refused', ms });

    it('holds a minute and a day that slide', async () => {
      const windows: RateWindow[] = [
        [MINUTE, 2],
        [DAY, 3],
      ];
      const maxWait = 2 * DAY;
      await send('a', 0, { windows });
      await pass(20 * SECOND);
      await send('b', 0, { windows });
      expect(await take('c', 0, { windows, maxWait })).toEqual(wait(40 * SECOND));
      expect(await take('d', 0, { windows, maxWait })).toEqual(wait(DAY - 20 * SECOND));
      await pass(40 * SECOND);
      await send('c', 0, { windows });
      expect(await used(MINUTE, DAY)).toEqual([2, 3]);
      // A window is over exactly after its length.
      await pass(20 * SECOND - 1);
      expect(await used(MINUTE)).toEqual([2]);
      await pass(1);
      expect(await used(MINUTE)).toEqual([1]);
      expect(await take('e', 0, { windows, maxWait: MINUTE })).toEqual(refused(DAY - 60 * SECOND));
      await pass(DAY - 80 * SECOND);
      expect(await take('d', 0, { windows, maxWait })).toEqual(go);
    });

    it.each([300, 1_000, 1_001])('lets no call go while a window of %d ms waits for slow responses', async (length) => {
      const windows: RateWindow[] = [[length, 2]];
      const states = (ids: string[]) => ids.map(async (id) => (await take(id, 0, { windows })).state);
      const ids = ['a', 'b', 'c', 'd', 'e'];
      const first = [];
      for (const id of ids) first.push((await take(id, 0, { windows })).state);
      expect(first).toEqual(['go', 'go', 'wait', 'wait', 'wait']);
      await pass(length);
      expect(await Promise.all(states(['c', 'd']))).toEqual(['wait', 'wait']);
      for (const id of ['a', 'b']) await settle(id);
      await pass(length);
      for (const id of ['c', 'd']) expect((await take(id, 0, { windows })).state).toBe('go');
      expect((await take('e', 0, { windows })).state).toBe('wait');
    });

    it('predicts each wait, and refuses a longer one than maxWait', async () => {
      await send('a', 1);
      const told = [];
      for (const id of ['b', 'c', 'd', 'e']) told.push(await take(id, 1));
      expect(told).toEqual([1, 2, 3, 4].map((minutes) => wait(minutes * MINUTE)));
      for (const id of ['b', 'd']) await settle(id, 'unsent');
      await pass(SECOND);
      const late = { maxWait: 3 * MINUTE - SECOND };
      expect(await take('f', 1, late)).toEqual(wait(3 * MINUTE - SECOND));
      expect(await take('g', 1, late)).toEqual(refused(4 * MINUTE - SECOND));
      expect(await store.count?.('key', [MINUTE])).toEqual({ used: [1], waiting: 3 });
      // `c` was told two minutes. It does not come back, and loses its place 5 s later.
      await pass(2 * MINUTE + 4 * SECOND - 1);
      expect(await take('e', 1)).toEqual(wait(MINUTE));
      await pass(1);
      expect(await take('e', 1)).toEqual(go);
    });

    it('predicts anew from responses that came late', async () => {
      await take('a', 1);
      for (const id of ['b', 'c']) await take(id, 1);
      await pass(30 * SECOND);
      await settle('a');
      expect(await take('d', 1)).toEqual(wait(3 * MINUTE));
    });

    it('refuses a call that has waited for its maxWait', async () => {
      await take('a', 1);
      await take('b', 1);
      expect(await take('c', 1, { maxWait: 2 * MINUTE })).toEqual(wait(2 * MINUTE));
      await pass(90 * SECOND);
      await settle('a');
      expect(await take('c', 1, { maxWait: 2 * MINUTE })).toEqual(wait(30 * SECOND));
      await pass(30 * SECOND);
      expect(await take('c', 1, { maxWait: 2 * MINUTE })).toEqual(refused(30 * SECOND));
      expect(await store.count?.('key', [])).toMatchObject({ waiting: 0 });
    });

    it('applies the limits that came last to the whole queue', async () => {
      await send('a', 2);
      expect(await take('b', 1)).toEqual(wait(MINUTE));
      expect(await take('c', 1)).toEqual(wait(2 * MINUTE));
      // Two a minute have room for `b` at once, and then for no other.
      expect(await take('d', 2)).toEqual(wait(MINUTE));
      expect(await take('b', 2)).toEqual(go);
      expect(await take('e', 60)).toEqual(go);
      // At least one request may go.
      await pass(2 * MINUTE);
      for (const id of ['b', 'e']) await settle(id);
      await pass(MINUTE);
      expect(await take('f', 0)).toEqual(go);
    });

    it('lets retries go first, and calls with reserve last', async () => {
      await send('a', 2);
      await take('first', 2);
      expect(await take('job', 2, { reserve: 1 })).toEqual(wait(MINUTE));
      expect(await take('second', 2)).toEqual(wait(MINUTE));
      expect(await take('again', 2, { retry: true })).toEqual(wait(MINUTE));
      expect(await take('job again', 2, { reserve: 1, retry: true })).toEqual(wait(2 * MINUTE));
      await settle('first');
      await pass(MINUTE);
      for (const id of ['job', 'job again']) expect((await take(id, 2, { reserve: 1 })).state).toBe('wait');
      for (const id of ['again', 'second']) await send(id, 2);
      await pass(MINUTE);
      // The reserve leaves one place of two.
      await send('job again', 2, { reserve: 1, retry: true });
      expect(await take('job', 2, { reserve: 1 })).toEqual(wait(MINUTE));
      await send('people', 2);
      // At least one place stays for it.
      await pass(MINUTE);
      expect(await take('job', 2, { reserve: 5 })).toEqual(go);
    });

    it('predicts the wait of a call with reserve by what the calls ahead may use', async () => {
      for (const id of ['a', 'b', 'c']) await send(id, 3);
      for (const id of ['d', 'e', 'f', 'g']) await take(id, 3);
      const job = { reserve: 2, maxWait: 3 * MINUTE };
      expect(await take('job', 3, job)).toEqual(wait(3 * MINUTE));
      expect(await take('other job', 3, job)).toEqual(refused(4 * MINUTE));
    });

    it('gives a call its place a little early, and lets nobody leave before it', async () => {
      for (const id of ['a', 'b', 'c']) await take(id, 2);
      await settle('a');
      await pass(800);
      await settle('b');
      await settle('c', 'unsent');
      await pass(MINUTE - 801);
      // One place is free at 60 s, and the other one 800 ms later.
      expect(await take('d', 1)).toEqual(wait(801));
      await pass(1);
      expect(await take('d', 1)).toEqual({ state: 'go', ms: 800 });
      expect(await take('e', 5, { maxWait: 0 })).toEqual(refused(800));
      expect(await take('retry', 5, { retry: true })).toEqual(wait(800));
      // The answer was lost: the place stays later.
      await pass(300);
      expect(await take('d', 1)).toEqual({ state: 'go', ms: 500 });
      await pass(600);
      expect(await take('d', 1)).toEqual(go);
    });

    it('goes on from the latest time if its clock is set back', async () => {
      for (const id of ['a', 'b']) await send(id, 2);
      await pass(-60 * MINUTE);
      expect(await take('c', 2)).toEqual(wait(MINUTE));
      await pass(MINUTE);
      await send('c', 2);
      await store.hold('key', 20 * SECOND);
      await pass(-60 * MINUTE);
      expect(await take('d', 2)).toEqual(wait(20 * SECOND));
      await pass(20 * SECOND);
      await send('d', 2);
      expect(await used(MINUTE)).toEqual([2]);
    });

    it('gives a call with reserve its place only when it goes', async () => {
      await take('a', 2);
      const job = { reserve: 1 };
      expect(await take('job', 2, job)).toEqual(wait(MINUTE));
      await pass(300);
      await settle('a');
      await pass(MINUTE - 300);
      expect(await take('job', 2, job)).toEqual(wait(300));
      expect(await take('people', 2)).toEqual(go);
    });

    it('frees the place of a request that was not sent, once', async () => {
      await take('a', 1);
      expect(await used(MINUTE)).toEqual([1]);
      await settle('a', 'unsent');
      expect(await used(MINUTE)).toEqual([0]);
      for (const result of ['done', 'unsent'] as const) await settle('a', result);
      await settle('unknown');
      expect(await used(MINUTE)).toEqual([0]);
      await send('b', 1);
      await settle('b', 'unsent');
      expect(await used(MINUTE)).toEqual([1]);
    });

    it('lets no request leave during a hold, and does not shorten it', async () => {
      await store.hold('key', 50 * SECOND);
      await store.hold('key', 20 * SECOND);
      expect(await take('a', 5)).toEqual(wait(50 * SECOND));
      expect(await take('b', 5, { maxWait: 40 * SECOND })).toEqual(refused(50 * SECOND));
      await pass(50 * SECOND);
      expect(await take('a', 5)).toEqual(go);
    });

    it('knows nothing of other keys', async () => {
      await send('a', 1);
      await store.hold('key', MINUTE);
      const request = { id: 'a', windows: [[MINUTE, 1]] as const, maxWait: 0, timeout: MINUTE };
      expect(await store.take('other', request)).toEqual(go);
      expect(await store.count?.('other', [MINUTE])).toEqual({ used: [1], waiting: 0 });
    });

    it('counts a lost request at the end of its timeout, not when somebody looks', async () => {
      await take('lost', 5, { timeout: SECOND });
      for (const id of ['one', 'two']) await take(id, 5);
      for (const id of ['one', 'two']) {
        await pass(2 * SECOND);
        await settle(id);
      }
      // Counted at 1 s, 2 s and 4 s.
      expect(await used(3_500, 2_500, 1_000)).toEqual([3, 2, 1]);
      expect(await take('next', 3, { maxWait: 0 })).toEqual(refused(57 * SECOND));
      await pass(57 * SECOND);
      expect(await take('next', 3, { maxWait: 0 })).toEqual(go);
    });

    it('forgets requests after a day', async () => {
      for (const id of ['a', 'b']) await send(id, 5);
      await pass(DAY);
      await send('c', 5);
      expect(await used(2 * DAY)).toEqual([1]);
    });
  });
}
