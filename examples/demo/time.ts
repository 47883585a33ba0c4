import { parseTimestamp } from 'multilocal';

const two = (value: number): string => String(value).padStart(2, '0');

/** That hour of tomorrow by this machine's clock, with its offset: `2026-12-01T09:00:00+01:00`. */
export function tomorrowAt(hour: number): string {
  const moment = new Date();
  moment.setDate(moment.getDate() + 1);
  moment.setHours(hour, 0, 0, 0);
  const east = -moment.getTimezoneOffset();
  const local = new Date(moment.getTime() + east * 60_000).toISOString().slice(0, 19);
  const ahead = Math.abs(east);
  return `${local}${east < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}

/** First and last day of the last whole month, as reports take them. */
export function lastMonth(): { date_start: string; date_end: string } {
  const now = new Date();
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getFullYear(), month, date)).toISOString().slice(0, 10);
  return { date_start: day(now.getMonth() - 1, 1), date_end: day(now.getMonth(), 0) };
}

/** A timestamp of the service in local time: `22 Nov 2026, 09:00`. */
export function spoken(timestamp: string): string {
  return parseTimestamp(timestamp)?.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' }) ?? timestamp;
}
