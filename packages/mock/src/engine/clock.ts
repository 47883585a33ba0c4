/** An instant in microseconds since 1970, as a safe integer: milliseconds would lose what the service's cursors carry. */
export type Micros = number;

export const SECOND: Micros = 1_000_000;
export const MINUTE: Micros = 60 * SECOND;
export const HOUR: Micros = 60 * MINUTE;
export const DAY: Micros = 24 * HOUR;

export const fromMillis = (milliseconds: number): Micros => Math.round(milliseconds) * 1000;
export const toMillis = (instant: Micros): number => Math.floor(instant / 1000);

/** Within these years, instants in microseconds are exact, also those of the seed and of what is scheduled years ahead. */
export const isExact = (instant: Micros): boolean =>
  instant >= Date.UTC(1700, 0) * 1000 && instant < Date.UTC(2200, 0) * 1000;

/** `2026-11-21T09:30:00.123456+00:00`: what a Python service emits, `+` and microseconds included. */
export function formatInstant(instant: Micros): string {
  const fraction = String(((instant % SECOND) + SECOND) % SECOND).padStart(6, '0');
  return `${formatNaive(instant)}.${fraction}+00:00`;
}

/** `2026-11-21T09:30:00`: the form without offset that connections use for `expires_at`. */
export const formatNaive = (instant: Micros): string => new Date(toMillis(instant)).toISOString().slice(0, 19);

/** `2026-11-21`: the day (UTC) that figures belong to. */
export const formatDay = (instant: Micros): string => formatNaive(instant).slice(0, 10);

type DateField = `${string}_${'at' | 'date' | 'timestamp'}`;
type Dates<Row, Form> = { [Name in keyof Row]: Name extends DateField ? Form | Extract<Row[Name], null> : Row[Name] };

/** A row of the state for a row of a response: its dates are numbers, so that comparisons are exact to the microsecond. */
export type Stored<Row> = Dates<Row, Micros>;

/** Writes the dates of a stored row as ISO 8601. Their names end in `_at`, `_date` or `_timestamp`. */
export const served = <Row extends object>(row: Row): Dates<Row, string> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' && /_(at|date|timestamp)$/.test(name) ? formatInstant(value) : value,
    ]),
    // The names decide the types of the values, which the compiler cannot see.
  ) as Dates<Row, string>;

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/;

/** An ISO 8601 date or date-time, without an offset UTC. An unencoded `+` arrives as a space, and ` 00:00` is no offset. */
export function parseInstant(text: string): Micros | undefined {
  const [, date, time = '00:00', second = '00', digits = '', sign, ...offset] = ISO.exec(text.trim()) ?? [];
  const utc = Date.parse(`${date}T${time}:${second}Z`) * 1000;
  // 31 February rolls over to March, and 24:00 to the next day: such a date does not exist.
  if (Number.isNaN(utc) || formatDay(utc) !== date) return undefined;
  const [hours = 0, minutes = 0] = offset.map((part) => Number(part ?? 0));
  const ahead = (sign === '-' ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
  return utc + Number(digits.slice(0, 6).padEnd(6, '0')) - ahead;
}

/** The mock's clock. It starts at the time in the options, runs with real time, and can be moved forward. */
export class Clock {
  /** The start of the clock. The dates of the seed are relative to it. */
  readonly start: Micros;
  #seen = Date.now();
  #elapsed = 0;
  #writes = 0;
  #last: Micros;

  constructor(start: Micros) {
    this.start = start;
    this.#last = start;
  }

  now(): Micros {
    const real = Date.now();
    // If the system clock is set back, as fake timers do, the mock's clock goes on from where it is.
    this.advance(Math.max(0, real - this.#seen));
    this.#seen = real;
    return this.start + fromMillis(this.#elapsed);
  }

  advance(milliseconds: number): void {
    this.#elapsed += milliseconds;
  }

  /** The timestamp of one write: `at` (now, by default), or later, so that two writes never share an `updated_at` by chance. */
  stamp(at?: Micros): Micros {
    // Digits below the millisecond, as a database gives them, so that a cursor cut to milliseconds shows.
    this.#writes += 1;
    this.#last = Math.max(at ?? this.now() + ((this.#writes * 617) % 1000), this.#last + 1);
    return this.#last;
  }
}
