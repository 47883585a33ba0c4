// cspell:ignore lundi août
const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;
type Day = (typeof DAYS)[number];
/** From when to when, in 24 hours: `07:00-13:00`. After midnight, `18:00-02:00`. */
type Span = `${number}:${number}-${number}:${number}`;
/** The hours of days, or of days that follow each other: `{ 'Mo-Fr': '07:00-19:00', Sa: '07:00-13:00' }`. */
export type Hours = { readonly [days in Day | `${Day}-${Day}`]?: Span | readonly Span[] };
/** A day, or the first and the last of several: `2026-08-03/2026-08-24`. */
export type Period = `${number}-${number}-${number}` | `${number}-${number}-${number}/${number}-${number}-${number}`;

const SPAN = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;

/** Returns the hours of each day, Monday first. @throws an error that names what cannot be read. */
export function weekOf(hours: Hours): string[][] {
  const week: string[][] = DAYS.map(() => []);
  for (const [days, value] of Object.entries(hours)) {
    const [first, last] = [days.split('-')[0], days.split('-').at(-1)].map((day) => DAYS.indexOf(day as Day)) as [
      number,
      number,
    ];
    if (first < 0 || last < first || days.split('-').length > 2) {
      throw new Error(`\`hours\`: \`${days}\` must be a day (${DAYS.join(', ')}), or two in order: \`Mo-Fr\``);
    }
    const spans = [value].flat() as string[];
    const wrong = spans.find((span) => !SPAN.test(span));
    if (wrong !== undefined) throw new Error(`\`hours\`: \`${wrong}\` must be like \`07:00-19:30\``);
    for (let day = first; day <= last; day++) week[day] = spans;
  }
  return week;
}

/** Returns the first and the last day of a period. @throws an error that names what cannot be read. */
export function periodOf(period: string): [first: string, last: string] {
  const [first = '', last = first, ...more] = period.split('/');
  // Dates know no 30 February: they take it for the 2 March.
  const isDay = (day: string) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().slice(0, 10) === day;
  if (!isDay(first) || !isDay(last) || last < first || more.length > 0) {
    throw new Error(`\`closed\`: \`${period}\` must be a day such as \`2026-12-25\`, or \`2026-08-03/2026-08-24\``);
  }
  return [first, last];
}

// 5 January 2026 is a Monday.
const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 5 + index));
const timeOf = (time: string) => new Date(`2026-01-05T${time}Z`);

/** Returns the days with their hours as people read them: `['lundi', ['07:00 – 13:00']]`. A closed day has none. */
export function weekInWords(week: readonly (readonly string[])[], language: string): [day: string, hours: string[]][] {
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' });
  const inWords = (span: string) => {
    const [opens = '', closes = ''] = span.split('-');
    return `${time.format(timeOf(opens))} – ${time.format(timeOf(closes))}`;
  };
  return week.map((spans, index) => [day.format(dayOf(index)), spans.map(inWords)]);
}

/** Returns a period as people read it: `3–24 août 2026`. */
export const periodInWords = (period: string, language: string) => {
  const [first, last] = periodOf(period);
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return format.formatRange(new Date(first), new Date(last));
};

const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Returns hours and closed days for search engines. */
export function hoursJsonLd(week: readonly (readonly string[])[], closed: readonly string[]): Record<string, unknown> {
  const days = new Map<string, string[]>();
  week.forEach((spans, day) => {
    for (const span of spans) days.set(span, [...(days.get(span) ?? []), NAMES[day] ?? '']);
  });
  const specification = (opens?: string, closes?: string) => ({ '@type': 'OpeningHoursSpecification', opens, closes });
  const open = [...days].map(([span, dayOfWeek]) => ({ ...specification(...span.split('-')), dayOfWeek }));
  const special = closed.map(periodOf).map(([validFrom, validThrough]) => {
    return { ...specification('00:00', '00:00'), validFrom, validThrough };
  });
  return {
    ...(open.length > 0 && { openingHoursSpecification: open }),
    ...(special.length > 0 && { specialOpeningHoursSpecification: special }),
  };
}
