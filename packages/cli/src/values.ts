import { UsageError } from './failure.js';

// Values are never repeated in the messages, because one of them may be a key.

/** Reads a whole number. @throws {UsageError} if the value is none, or below `min`. */
export function integerOf(flag: string, value: string | undefined, min: number): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= min) return number;
  throw new UsageError(
    `\`--${flag}\` must be an integer, ${min} or more.`,
    `Example: \`--${flag} ${Math.max(min, 20)}\`.`,
  );
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads a time in ms: `500`, `30s`, `10m`. @throws {UsageError} if the value is none. */
export function durationOf(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, count = '', unit = 'ms'] = /^(\d+)(ms|s|m|h)?$/.exec(value) ?? [];
  const ms = Number(count || Number.NaN) * (UNITS[unit] ?? Number.NaN);
  if (Number.isSafeInteger(ms)) return ms;
  throw new UsageError(
    `\`--${flag}\` must be a number of ms, or a time such as 30s, 10m or 1h.`,
    `Example: \`--${flag} 30s\`.`,
  );
}
