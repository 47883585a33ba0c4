import { DAY, formatDay, type Micros } from '../timestamps.js';
import { saltOf, scatter } from './scatter.js';

/** A bakery's week, Sunday first: how the interest of a day compares to the average. */
const WEEK = [1.35, 0.6, 0.85, 0.9, 0.95, 1.1, 1.5];

interface Day {
  readonly label: string;
  readonly search: number;
  readonly maps: number;
  readonly calls: number;
  readonly website: number;
  readonly directions: number;
  readonly messages: number;
  readonly bookings: number;
}

/** The figures of a listing for one day: always the same ones for the same listing and day. */
function figuresOf(ficheId: string, at: Micros): Day {
  const day = Math.floor(at / DAY);
  const salt = saltOf(ficheId);
  // Day 0 was a Thursday.
  const weekday = WEEK[(((day + 4) % 7) + 7) % 7] ?? 1;
  const views = Math.round((90 + (salt % 160)) * weekday * (0.8 + scatter(day, salt, 41) / 100));
  const maps = Math.round(views * (0.55 + scatter(day, salt + 1, 15) / 100));
  const share = (step: number, percent: number) => Math.round((views * (percent + scatter(day, salt + step, 4))) / 100);
  return {
    label: formatDay(at),
    search: views - maps,
    maps,
    calls: share(2, 2),
    website: share(3, 3),
    directions: share(4, 6),
    messages: scatter(day, salt + 5, 3),
    bookings: scatter(day, salt + 6, 2),
  };
}

/** Listing metrics of the last `days` days, the current one included. */
export function seedMetrics(ficheId: string, days: number, now: Micros) {
  const figures = Array.from({ length: days }, (_, index) => figuresOf(ficheId, now - (days - 1 - index) * DAY));
  const sum = (name: Exclude<keyof Day, 'label'>) => figures.reduce((total, day) => total + day[name], 0);
  const kpis = {
    views_total: sum('search') + sum('maps'),
    views_search: sum('search'),
    views_maps: sum('maps'),
    calls: sum('calls'),
    website: sum('website'),
    directions: sum('directions'),
    messages: sum('messages'),
    bookings: sum('bookings'),
  };
  const mobile = Math.round(0.71 * kpis.views_total);
  return {
    kpis,
    timeseries: figures.map(({ label, search, maps, calls, website, directions, messages, bookings }) => ({
      label,
      vues: search + maps,
      interactions: calls + website + directions + messages + bookings,
    })),
    breakdown: { views_mobile: mobile, views_desktop: kpis.views_total - mobile },
  };
}
