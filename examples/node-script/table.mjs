// @ts-check

/**
 * Columns with their titles. Numbers are aligned right.
 *
 * @param {string[]} titles
 * @param {(string | number)[][]} rows
 */
export function table(titles, rows) {
  const lines = [titles, ...rows].map((row) => row.map(String));
  const widths = titles.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const align = (/** @type {string} */ cell, /** @type {number} */ column) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return `${lines.map((line) => line.map(align).join('  ').trimEnd()).join('\n')}\n`;
}
