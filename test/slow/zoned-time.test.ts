// `zonedTime` against tz data that do not come from the platform: those of moment-timezone.
import moment from 'moment-timezone';
import { describe, expect, it } from 'vitest';
import { InvalidRequestError, type Issue, zonedTime } from '../../src/index.js';

const issuesOf = (wall: unknown, zone: unknown, options?: object): readonly Issue[] => {
  try {
    zonedTime(wall as string, zone as string, options);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequestError);
    return (error as InvalidRequestError).issues;
  }
  return [];
};

describe('zonedTime', () => {
  it.each([
    ['2026-12-24T09:00', 'Europe/Paris', '2026-12-24T09:00:00+01:00'],
    ['2027-07-14T09:00:30', 'Europe/Paris', '2027-07-14T09:00:30+02:00'],
    ['2026-12-24T09:00', 'Indian/Reunion', '2026-12-24T09:00:00+04:00'],
    ['2026-12-24T09:00', 'America/Guadeloupe', '2026-12-24T09:00:00-04:00'],
    ['2028-02-29T00:00', 'UTC', '2028-02-29T00:00:00+00:00'],
    ['2026-12-24T09:00', 'Asia/Kathmandu', '2026-12-24T09:00:00+05:45'],
  ])('%s in %s is %s', (wall, zone, expected) => {
    expect(zonedTime(wall, zone)).toBe(expected);
  });

  it('refuses an hour that the zone skips', () => {
    expect(issuesOf('2027-03-28T02:30', 'Europe/Paris', { overlap: 'later' })).toEqual([
      { path: ['wall'], message: expect.stringMatching(/does not exist in Europe\/Paris.*Choose/) },
    ]);
  });

  it('refuses an hour that the zone has twice, unless `overlap` chooses', () => {
    const wall = '2026-10-25T02:30';
    expect(issuesOf(wall, 'Europe/Paris')).toEqual([
      { path: ['wall'], message: expect.stringMatching(/happens twice in Europe\/Paris.*Set `overlap`/) },
    ]);
    expect(zonedTime(wall, 'Europe/Paris', { overlap: 'earlier' })).toBe('2026-10-25T02:30:00+02:00');
    expect(zonedTime(wall, 'Europe/Paris', { overlap: 'later' })).toBe('2026-10-25T02:30:00+01:00');
  });

  it.each([
    ['a day that no calendar has', '2027-02-30T09:00', 'UTC', 'wall', 'exists'],
    ['the 13th month', '2027-13-01T09:00', 'UTC', 'wall', 'exists'],
    ['24 o’clock', '2027-02-01T24:00', 'UTC', 'wall', 'such as 2026-12-24T09:00'],
    ['a day alone', '2027-02-01', 'UTC', 'wall', 'such as'],
    ['an offset', '2027-02-01T09:00+01:00', 'UTC', 'wall', 'without an offset'],
    ['a Date', new Date(0), 'UTC', 'wall', 'received a date'],
    ['an unknown zone', '2027-02-01T09:00', 'Europe/Lyon', 'zone', 'such as Europe/Paris'],
    ['an offset as zone', '2027-02-01T09:00', '+01:00', 'zone', 'such as Europe/Paris'],
    ['no zone', '2027-02-01T09:00', undefined, 'zone', 'is required'],
  ])('refuses %s', (_, wall, zone, name, message) => {
    expect(issuesOf(wall, zone)).toEqual([{ path: [name], message: expect.stringContaining(message) }]);
  });

  it.each([
    ['an unknown `overlap`', { overlap: 'first' }, ['overlap'], 'earlier, later'],
    ['an unknown option', { overlapp: 'later' }, ['overlapp'], 'Did you mean `overlap`?'],
    ['a text for the options', 'later', [], 'must be an object'],
    ['null for the options', null, [], 'must be an object'],
  ])('refuses %s', (_, options, path, message) => {
    expect(issuesOf('2026-12-24T09:00', 'UTC', options as object)).toEqual([
      { path, message: expect.stringContaining(message) },
    ]);
  });
});

/**
 * Zones whose rules for these years were changed by a release of the tz database. A platform with older data differs from
 * moment-timezone in exactly these. A new version of moment-timezone may need a new line.
 */
const CHANGED: readonly (readonly [release: string, why: string, ...zones: string[]])[] = [
  ['2026a', 'Moldova changes its clocks with the European Union', 'Europe/Chisinau', 'Europe/Tiraspol'],
  ['2026b', 'British Columbia stays on -07', 'America/Vancouver', 'Canada/Pacific'],
  ['2026c', 'Morocco returns to +00', 'Africa/Casablanca', 'Africa/El_Aaiun'],
  ['2026c', 'Alberta stays on -06', 'America/Edmonton', 'America/Yellowknife', 'Canada/Mountain'],
  ['2026d', 'The Northwest Territories stay on -06', 'America/Inuvik'],
  ['2026e', 'Manitoba stays on -05', 'America/Winnipeg', 'America/Rainy_River', 'Canada/Central'],
  ['2026f', 'Cuba stays on -04', 'America/Havana', 'Cuba'],
];

describe('every zone from 2024 to 2030', () => {
  const MINUTE = 60_000;
  const DAY = 1_440 * MINUTE;
  const [from, to] = [Date.UTC(2024), Date.UTC(2031)];
  const zones = [...new Set([...moment.tz.names(), ...Intl.supportedValuesOf('timeZone')])].sort();
  const wallOf = (time: number) => new Date(time).toISOString().slice(0, 16);
  const zoneOf = (name: string) => moment.tz.zone(name) ?? expect.fail(`moment-timezone does not know ${name}`);
  /** The offset of a zone by moment's data, in minutes east of UTC. */
  const offsetAt = (name: string, time: number) => 0 - zoneOf(name).utcOffset(time);

  const isoOf = (offset: number) => {
    const [hours, minutes] = [Math.abs(offset) / 60, Math.abs(offset) % 60].map((part) =>
      `${100 + Math.trunc(part)}`.slice(1),
    );
    return `${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
  };

  /** The moments at which a zone changes its offset, with both offsets in minutes west of UTC. */
  function changesOf(name: string) {
    const { untils, offsets } = zoneOf(name);
    const changes = untils.map((at, index) => ({ at, before: offsets[index] ?? 0, after: offsets[index + 1] ?? 0 }));
    return changes.filter(({ at, before, after }) => at !== null && at >= from && at < to && before !== after);
  }

  /** Times around each change: the first and last minutes of what is skipped or happens twice, and its middle. */
  function edges(name: string): number[] {
    return changesOf(name).flatMap(({ at, before, after }) => {
      const [one, other] = [at - before * MINUTE, at - after * MINUTE];
      return [one - MINUTE, one, other - MINUTE, other, (one + other) / 2];
    });
  }

  /** What moment's data say of a time: one timestamp, none or two. */
  function expected(name: string, wall: number): string {
    const offsets = new Set([offsetAt(name, wall - DAY), offsetAt(name, wall + DAY)]);
    const fitting = [...offsets].filter((offset) => offsetAt(name, wall - offset * MINUTE) === offset);
    return fitting
      .sort((a, b) => b - a)
      .map((offset) => `${wallOf(wall)}:00${isoOf(offset)}`)
      .join();
  }

  function actual(name: string, wall: number): string {
    try {
      const [earlier, later] = (['earlier', 'later'] as const).map((overlap) =>
        zonedTime(wallOf(wall), name, { overlap }),
      );
      return earlier === later ? `${earlier}` : `${earlier},${later}`;
    } catch {
      return '';
    }
  }

  /**
   * Whether the platform has the offsets of moment's data before and after each change, and every three weeks: it may have a
   * change that moment has not.
   */
  function hasTheOffsets(name: string): boolean {
    const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
    const weeks = Array.from({ length: (to - from) / (21 * DAY) }, (_, index) => from + index * 21 * DAY);
    return [...weeks, ...changesOf(name).flatMap(({ at }) => [at - MINUTE, at])].every((time) => {
      const { value = '' } = format.formatToParts(time).find(({ type }) => type === 'timeZoneName') ?? {};
      return (value.slice(3) || '+00:00') === isoOf(offsetAt(name, time));
    });
  }

  it('has the timestamps of moment-timezone around each change, but for zones that changed since the data of the platform', () => {
    const platform = process.versions.tz ?? '';
    // `zonedTime` asks the platform for offsets, so that one of the zones with the same offsets is enough.
    const byRules = new Map(zones.map((name) => [[offsetAt(name, from), ...edges(name)].join(), name]));
    const firsts = new Set(byRules.values());
    const times = new Map(
      zones.map((name) => [name, [...(firsts.has(name) ? edges(name) : []), from, Date.UTC(2027, 6)]]),
    );
    const differs = zones.filter((name) => {
      const isSame = (times.get(name) ?? []).every((wall) => actual(name, wall) === expected(name, wall));
      return !isSame || !hasTheOffsets(name);
    });
    const changed = CHANGED.flatMap(([release, , ...names]) => (release > platform ? names : []));
    expect(differs).toEqual(changed.sort());
    expect(zones.length).toBeGreaterThan(500);
    expect([...times.values()].flat().length).toBeGreaterThan(3_000);
  });
});
