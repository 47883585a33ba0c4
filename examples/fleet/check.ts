// Compares what the database holds with what the service has, and counts the requests of each key.
import { isDeepStrictEqual } from 'node:util';
import type { Job } from 'bullmq';
import type { Pool } from 'pg';
import { type BrandReport, KINDS, type Kind } from './brands.js';
import { storedArticles } from './database.js';
import { type BrandJob, progressOf } from './fleet.js';

/** One brand at the end. */
export interface Row {
  id: string;
  kind: Kind;
  articles: number;
  /** Whether each article of the service is stored as it is, and no other. */
  isEqual: boolean;
  requests: number;
  /** The most requests in any 60 s, and how many are allowed. */
  most: number;
  perMinute: number;
  slices: number;
  /** Turns that ended with an error that is retried. */
  retries: number;
  /** Turns that ended because of a limit. */
  waits: number;
}

const MINUTE = 60_000;

export async function checkBrand(
  db: Pool,
  id: string,
  { kind, articles, times, perMinute }: BrandReport,
  job: Job<BrandJob> | undefined,
): Promise<Row> {
  const online = new Map(articles.map((article) => [article.id, article]));
  const stored = new Map((await storedArticles(db, id)).map((article) => [article.id, article]));
  const { slices, waits } = job ? progressOf(job) : { slices: 0, waits: 0 };
  return {
    id,
    kind,
    articles: online.size,
    isEqual: isDeepStrictEqual(stored, online),
    requests: times.length,
    most: mostWithin(MINUTE, times),
    perMinute,
    slices,
    retries: job ? Math.max(0, job.attemptsMade - 1) : 0,
    waits,
  };
}

/** The most of these times that lie in one window. */
export function mostWithin(window: number, times: readonly number[]): number {
  let first = 0;
  let most = 0;
  times.forEach((time, last) => {
    while ((times[first] ?? time) <= time - window) first++;
    most = Math.max(most, last - first + 1);
  });
  return most;
}

/** Whether a brand is as it has to be. */
export const isGood = ({ isEqual, most, perMinute }: Row): boolean => isEqual && most <= perMinute;

/** A line for each kind of brand. */
export function table(rows: readonly Row[]): Record<string, Record<string, string | number>> {
  const lines = KINDS.map((kind) => [kind, rows.filter((row) => row.kind === kind)] as const);
  return Object.fromEntries(lines.filter(([, all]) => all.length > 0).map(([kind, all]) => [kind, lineOf(all)]));
}

const lineOf = (rows: readonly Row[]) => ({
  brands: rows.length,
  equal: rows.filter(({ isEqual }) => isEqual).length,
  articles: range(rows.map(({ articles }) => articles)),
  requests: range(rows.map(({ requests }) => requests)),
  'most in 60 s': `${Math.max(...rows.map(({ most }) => most))} of ${rows[0]?.perMinute}`,
  slices: range(rows.map(({ slices }) => slices)),
  retries: range(rows.map(({ retries }) => retries)),
  waits: range(rows.map(({ waits }) => waits)),
});

function range(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? String(least) : `${least}–${most}`;
}
