import type { PlanJournal } from 'multilocal/plans';
import { describe, expect, it } from 'vitest';

/** Opens an empty journal. Each call of the returned function opens the same one again, as another process would. */
export type OpenJournal = () => (() => PlanJournal) | Promise<() => PlanJournal>;

/** A file may be locked by another save. */
function refused(error: unknown): boolean {
  expect(error).toMatchObject({ code: 'journal_locked' });
  return false;
}

/** What every journal of plans must do: in memory, in a file, in Postgres and in SQLite. */
export function describeJournal(name: string, open: OpenJournal): void {
  describe(`${name}, a journal of plans,`, () => {
    it('is empty at first, and saves only over the text that is there', async () => {
      const again = await open();
      const journal = again();
      expect(await journal.load()).toBeNull();
      expect(await journal.save('b', 'a')).toBe(false);
      expect(await journal.load()).toBeNull();
      expect(await journal.save('a', null)).toBe(true);
      expect(await journal.save('b', null)).toBe(false);
      expect(await journal.save('c', 'b')).toBe(false);
      expect(await again().load()).toBe('a');
      expect(await again().save('b', 'a')).toBe(true);
      expect(await journal.save('c', 'a')).toBe(false);
      expect(await journal.load()).toBe('b');
    });

    it('keeps texts as they are, and an empty one for nothing', async () => {
      const journal = (await open())();
      const text = `${JSON.stringify({ text: '\'"\\ 🥖 \\u0000 \ud800', filler: 'x'.repeat(100_000) })}\r\n `;
      expect(await journal.save(text, null)).toBe(true);
      expect(await journal.load()).toBe(text);
      expect(await journal.save('', text)).toBe(true);
      expect((await journal.load()) ?? '').toBe('');
    });

    it('lets one of many saves at the same time win', async () => {
      const again = await open();
      const journals = Array.from({ length: 8 }, again);
      let previous: string | null = null;
      for (let round = 0; round < 3; round++) {
        const texts = journals.map((_, index) => JSON.stringify({ round, index, filler: 'x'.repeat(10_000) }));
        const before: string | null = previous;
        const saves: Promise<boolean>[] = journals.map((journal, index) =>
          journal.save(texts[index] ?? '', before).catch(refused),
        );
        const saved = await Promise.all(saves);
        expect(saved.filter(Boolean)).toHaveLength(1);
        previous = texts[saved.indexOf(true)] ?? '';
        expect(new Set(await Promise.all(journals.map((journal) => journal.load())))).toEqual(new Set([previous]));
      }
    });
  });
}
