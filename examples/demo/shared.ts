// What the chapters share, and the output: a line that counts in a terminal, plain lines elsewhere.
import { styleText } from 'node:util';
import type { ArticleStore, Client, DryRunPreview, Identity } from 'multilocal';
import type { MockControl } from 'multilocal/mock/server';

export interface Demo {
  readonly client: Client;
  readonly identity: Identity;
  /** Changes the mock, as editors would. `undefined` against the real service. */
  readonly mock: MockControl | undefined;
  readonly site: Site;
  /** Aborted by Ctrl-C. Every read uses it. */
  readonly signal: AbortSignal;
}

/** The folders on the disk. */
export interface Site {
  readonly name: string;
  /** Where the site will be online. `undefined`: nothing is confirmed to a real service. */
  readonly url: string | undefined;
  /** The stored articles, the list of confirmations, and a report. */
  readonly content: string;
  readonly pages: string;
  /** The address of the home page, which terminals open with a click. */
  readonly index: string;
  readonly store: ArticleStore;
}

/** The fields of a preview, one per line. All of them begin with `would_`. */
export function effectsOf(preview: DryRunPreview): string[] {
  const effects = Object.entries(preview).filter(([name]) => name.startsWith('would_'));
  return effects.map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
}

export type Rows = readonly (readonly [name: string, value: string])[];

const inTerminal = process.stdout.isTTY === true && !process.env.CI;

/** Removes control characters, which texts of the service may contain. */
const clean = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

const print = (text: string) => console.log(clean(text));

export function chapter(title: string): void {
  console.log(inTerminal ? `\n${styleText('bold', clean(title))}` : `\n${clean(title)}`);
}

/** A completed step. The lines of `details` follow below it. */
export function say(text: string, details: readonly string[] = []): void {
  print(`  ${text}`);
  for (const detail of details) print(`    ${detail}`);
}

/** A skipped step with the reason. */
export const skip = (text: string): void => say(`Left out: ${text}`);

/** Names with their values. */
export function table(rows: Rows): void {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) say(`${name.padEnd(width)}  ${value}`);
}

/** In a terminal, a line that counts. The next line replaces it. */
export function count(label: string, value: number, total: number): void {
  if (inTerminal) process.stdout.write(`\r  ${label}: ${value} of ${total}${value >= total ? '\r\x1b[2K' : ''}`);
}

/** `1 page`, `2 pages`. */
export const counted = (value: number, noun: string): string => `${value} ${noun}${value === 1 ? '' : 's'}`;

/** One character for each value, from the smallest to the largest. */
export function sparkline(values: readonly number[]): string {
  const least = Math.min(...values);
  const span = Math.max(...values) - least || 1;
  return values.map((value) => '▁▂▃▄▅▆▇█'[Math.round(((value - least) / span) * 7)]).join('');
}
