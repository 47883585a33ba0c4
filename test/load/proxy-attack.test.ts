import { describe, expect, it, vi } from 'vitest';
import { LIST, magazine, OLD, useVirtualTime, visits } from '../proxy/helpers.js';

useVirtualTime();

const HOUR = 3_600_000;
/** Articles that are not on the first page of all changes. */
const NEW = [56, 57, 58, 59, 60];

const start = Date.UTC(2026, 0, 1);
/** When all articles of the magazine changed. */
const changed = Date.UTC(2026, 1, 1);

describe('a visitor who asks for another list every two seconds', () => {
  const [attacker, reader] = ['192.0.2.66', '192.0.2.1'];

  it.each<[string, string | undefined, string | undefined, (n: number) => number]>([
    ['another second each time, told from others', attacker, reader, (n) => start + n * 1_000],
    ['another second each time, not told from others', undefined, undefined, (n) => start + n * 1_000],
    ['another hour each time, not told from others', undefined, undefined, (n) => start - n * HOUR],
    [
      'another second of the hour of all changes, not told from others',
      undefined,
      undefined,
      (n) => changed + n * 1_000,
    ],
  ])(
    '%s: keeps no article from being read',
    async (_, attacker, reader, date) => {
      const service = magazine();
      const visit = visits(service);
      const statuses = new Map<number, number>();
      let asked = 0;
      for (let round = 0; round < 120; round++) {
        for (const id of NEW) {
          const { status } = await visit(reader, `${LIST}/${id}`);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        // Ten minutes. Later, when nothing new gets through any more, a few requests are as good as all.
        const requests = round < 3 ? 300 : 10;
        for (let n = 0; n < requests; n++) {
          await visit(attacker, `${LIST}?updated_since=${new Date(date(asked++)).toISOString()}`);
          await vi.advanceTimersByTimeAsync(600_000 / requests);
        }
      }
      expect([...statuses]).toEqual([[200, 600]]);
    },
    600_000,
  );

  it.each([
    ['told from others', attacker, reader],
    ['not told from others', undefined, undefined],
  ])(
    '%s: keeps what others read for two days',
    async (_, attacker, reader) => {
      const service = magazine();
      const visit = visits(service);
      for (const id of OLD) await visit(reader, `${LIST}/${id}`);
      const statuses = new Set<number>();
      for (let n = 0; n < 2 * 24 * 6; n++) {
        for (let k = 0; k < 40; k++) await visit(attacker, `${LIST}?bulle_id=b-${n}-${k}`);
        for (const id of OLD) statuses.add((await visit(reader, `${LIST}/${id}`)).status);
        statuses.add((await visit(reader, LIST)).status);
        await vi.advanceTimersByTimeAsync(600_000);
      }
      expect([...statuses]).toEqual([200]);
      expect(service.asked.length).toBeLessThanOrEqual(2 * 750);
    },
    600_000,
  );
});
