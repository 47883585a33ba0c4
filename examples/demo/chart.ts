// Charts of block characters: plain text, which the screen shows in colour in a terminal.
const HEIGHTS = [...'▁▂▃▄▅▆▇█'];
const PARTS = [...' ▏▎▍▌▋▊▉'];

/** One column for each value, from the smallest to the largest. */
export function sparkline(values: readonly number[]): string {
  const least = Math.min(...values);
  const span = Math.max(...values) - least || 1;
  return values.map((value) => HEIGHTS[Math.round(((value - least) / span) * (HEIGHTS.length - 1))]).join('');
}

/** One row for each value. The longest has `width` characters. */
export function bars(rows: readonly (readonly [name: string, value: number])[], width: number) {
  const most = Math.max(1, ...rows.map(([, value]) => value));
  const digits = String(most).length;
  return rows.map(([name, value]) => {
    const eighths = Math.round((8 * width * value) / most);
    const drawn = '█'.repeat(Math.floor(eighths / 8)) + (PARTS[eighths % 8] as string);
    return [name, `${String(value).padStart(digits)}  ${drawn}`.trimEnd()] as const;
  });
}
