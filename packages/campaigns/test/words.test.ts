// The words of calendars.
import { writes } from '@multilocal/plans/actions';
import { LOCALES } from '@multilocal/plans/words';
import { expect, it } from 'vitest';
import { dayInWords, labelOf, WORDS, zoneInWords } from '../src/calendar-words.js';

it('has words for every operation that a plan can hold', async () => {
  const rows = writes.map(({ operation }) => [
    operation,
    ...LOCALES.map((locale) => labelOf(WORDS[locale], operation)),
  ]);
  expect(rows.filter(([name, ...words]) => words.includes(name as string))).toEqual([]);
  await expect(rows.map((row) => row.join(' | ')).join('\n')).toMatchFileSnapshot('./snapshots/operations.txt');
});

it.each([
  ['2026-12-01', 'fr', 'mardi 1er décembre 2026'],
  ['2026-12-11', 'fr', 'vendredi 11 décembre 2026'],
  ['2026-12-01', 'en', 'Tuesday 1 December 2026'],
] as const)('has the day as people say it: %s in %s', (day, locale, words) => {
  expect(dayInWords(day, locale)).toBe(words);
});

it.each([
  ['Indian/Reunion', 'fr', 'heure de La Réunion'],
  ['Europe/Paris', 'en', 'Central European Time'],
] as const)('has a zone with a name: %s in %s', (zone, locale, words) => {
  expect(zoneInWords(zone, new Date('2026-12-24T08:00:00Z'), locale)).toBe(words);
});
