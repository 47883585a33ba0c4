// Charts of block characters: plain text, which the screen colours in a terminal.
const HEIGHTS = [...'▁▂▃▄▅▆▇█'];
const PARTS = [...' ▏▎▍▌▋▊▉'];

/** A column for each value, from the least to the most. */
export function sparkline(values: readonly number[]): string {
  const least = Math.min(...values);
  const span = Math.max(...values) - least || 1;
  return values.map((value) => HEIGHTS[Math.round(((value - least) / span) * (HEIGHTS.length - 1))]).join('');
}

/** A row for each value, the most of them `width` characters long. */
export function bars(rows: readonly (readonly [name: string, value: number])[], width: number) {
  const most = Math.max(1, ...rows.map(([, value]) => value));
  const digits = String(most).length;
  return rows.map(([name, value]) => {
    const eighths = Math.round((8 * width * value) / most);
    const drawn = '█'.repeat(Math.floor(eighths / 8)) + (PARTS[eighths % 8] as string);
    return [name, `${String(value).padStart(digits)}  ${drawn}`.trimEnd()] as const;
  });
}
