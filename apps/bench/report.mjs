import { CANDIDATES } from './candidates.mjs';
import { quantile } from './statistics.mjs';

/**
 * @typedef {object} Findings what a figure has to tell
 * @property {Target[]} targets
 * @property {Table[]} tables
 * @property {Record<string, string>} [pictures] SVG by file name, for docs/images
 *
 * @typedef {object} Target
 * @property {string} figure
 * @property {string} node
 * @property {string} value as measured, in the unit of the target
 * @property {string} target
 * @property {boolean} isHit
 * @property {{ validating: number[], plain: number[] }} peers of the generated clients, where they have such a figure
 * @property {number} digits
 *
 * @typedef {object} Table
 * @property {string} caption
 * @property {string[]} head
 * @property {string[][]} rows
 */

const NONE = { validating: [], plain: [] };

/** Compares a figure with its budget: `most` or `least`. */
export function judge({ figure, node, value, unit, digits = 2, most, least, peers = NONE }) {
  return {
    figure,
    node,
    peers,
    digits,
    value: value.toFixed(digits),
    target: most === undefined ? `≥ ${least}${unit}` : `≤ ${most}${unit}`,
    isHit: most === undefined ? value >= least : value <= most,
  };
}

/** The values of the generated clients. `measured` returns `undefined` for those that have no such figure. */
export function peersOf(measured) {
  const generated = CANDIDATES.filter(({ generate }) => generate).map(({ name, checks }) => ({
    checks,
    value: measured(name),
  }));
  const valuesOf = (isChecking) =>
    generated.filter(({ checks, value }) => checks === isChecking && value !== undefined).map(({ value }) => value);
  return { validating: valuesOf(true), plain: valuesOf(false) };
}

/** A table with a row for each candidate. Instead of cells, `cellsOf` may return why a candidate has no figures. */
export function byCandidate(caption, head, cellsOf, candidates = CANDIDATES) {
  const rows = candidates.map(({ name, title }) => {
    const cells = cellsOf(name);
    return typeof cells === 'string' ? [title, `– (${cells})`, ...head.slice(1).map(() => '–')] : [title, ...cells];
  });
  return { caption, head: ['', ...head], rows };
}

/** Median, quartiles, and the ratio of the median to that of raw fetch. */
export function spread(samples, raw, digits = 1) {
  const [lower, middle, upper] = [0.25, 0.5, 0.75].map((share) => quantile(samples, share));
  const ratio = middle / quantile(raw, 0.5);
  return [middle.toFixed(digits), `${lower.toFixed(digits)} – ${upper.toFixed(digits)}`, ratio.toFixed(2)];
}

/**
 * One line a figure, with what was measured on each engine. A miss on one of them is a miss.
 * @param {Target[]} targets
 * @returns {Table}
 */
export function verdicts(targets) {
  const groups = grouped(targets);
  const rows = groups.map((found) => [
    found[0].figure,
    found[0].target,
    found.map(({ value, isHit }) => (isHit ? value : `**${value}**`)).join(' · '),
    found.map(({ node }) => node).join(' · '),
    found.every(({ isHit }) => isHit) ? 'hit' : '**miss**',
    range(found, 'validating'),
    range(found, 'plain'),
  ]);
  const hits = groups.filter((found) => found.every(({ isHit }) => isHit)).length;
  const head = ['figure', 'target', 'measured', 'on', '', 'clients that validate', 'others'];
  return { caption: `${hits} of ${rows.length} targets hit.`, head, rows };
}

/** The least and the most of the generated clients, on all engines. */
function range(found, kind) {
  const values = found.flatMap(({ peers }) => peers[kind]);
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(found[0].digits));
  if (values.length === 0) return '';
  return least === most ? least : `${least} – ${most}`;
}

/** The targets of each figure, on all engines. Some figures have two targets. */
function grouped(targets) {
  const groups = new Map();
  for (const one of targets) {
    const key = `${one.figure} ${one.target}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** @param {Table} table */
export function markdown({ caption, head, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const align = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [caption, '', line(head), line(align), ...rows.map(line)].join('\n');
}

/** What README.md quotes of the verdicts. */
const QUOTED = [
  /^requests: (connect|full sync|incremental)/,
  /^cold start$/,
  /^import$/,
  /^bundle/,
  /^a call/,
  /^throughput/,
  /^type check/,
  /^sync/,
  /^full sync into/,
  /^clients/,
  /^`npm test`/,
];
const QUOTE = /(<!-- Written by `npm run bench`. -->\n).*(<!-- End of the figures. -->)/s;

/** README.md with the figures of this run. */
export function withQuotes(readme, targets) {
  const { head, rows } = verdicts(targets);
  const quoted = rows.filter(([figure]) => QUOTED.some((pattern) => pattern.test(figure)));
  // The engines are named above the table, and a miss is bold.
  const columns = [0, 1, 2, 5, 6];
  const pick = (cells) => columns.map((column) => cells[column]);
  const table = markdown({ caption: '', head: pick(head), rows: quoted.map(pick) }).trim();
  if (!QUOTE.test(readme)) throw new Error('README.md has no place for the figures');
  return readme.replace(QUOTE, (_, begin, end) => `${begin}\n${table}\n\n${end}`);
}
