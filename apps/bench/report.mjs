import { CANDIDATES } from './candidates.mjs';
import { quantile } from './statistics.mjs';

/**
 * @typedef {object} Findings what a figure has to tell
 * @property {Target[]} targets
 * @property {Table[]} tables
 *
 * @typedef {object} Target
 * @property {string} figure
 * @property {string} node
 * @property {string} value as measured
 * @property {string} target
 * @property {boolean} isHit
 *
 * @typedef {object} Table
 * @property {string} caption
 * @property {string[]} head
 * @property {string[][]} rows
 */

/** Compares a figure with its budget: `most` or `least`. */
export function judge({ figure, node, value, unit, digits = 2, most, least }) {
  return {
    figure,
    node,
    value: `${value.toFixed(digits)}${unit}`,
    target: most === undefined ? `≥ ${least}${unit}` : `≤ ${most}${unit}`,
    isHit: most === undefined ? value >= least : value <= most,
  };
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

/** @param {Target[]} targets @returns {Table} */
export function verdicts(targets) {
  const hits = targets.filter(({ isHit }) => isHit).length;
  return {
    caption: `${hits} of ${targets.length} targets hit.`,
    head: ['figure', 'on', 'target', 'measured', ''],
    rows: targets.map(({ figure, node, target, value, isHit }) => [
      figure,
      node,
      target,
      value,
      isHit ? 'hit' : '**miss**',
    ]),
  };
}

/** @param {Table} table */
export function markdown({ caption, head, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const align = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [caption, '', line(head), line(align), ...rows.map(line)].join('\n');
}
