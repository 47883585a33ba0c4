import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.js';

/** Builds the same commit in another folder, and compares it with `dist`. */
export function checkReproducible(folder: string): void {
  const elsewhere = join(folder, 'elsewhere');
  run(root, 'git', 'clone', '--quiet', root, elsewhere);
  symlinkSync(join(root, 'node_modules'), join(elsewhere, 'node_modules'), 'junction');
  run(elsewhere, join(elsewhere, 'node_modules', '.bin', 'tsup'), '--silent');
  const faults = differences(join(root, 'dist'), join(elsewhere, 'dist'));
  if (faults.length > 0) throw new Error(`Two builds of one commit differ:\n${faults.join('\n')}`);
}

/** The files that are not in both folders with the same bytes. */
export function differences(first: string, second: string): string[] {
  const [left, right] = [filesOf(first), filesOf(second)];
  return [...new Set([...left, ...right])].sort().flatMap((name) => {
    if (!right.includes(name)) return `${name}: only in the first`;
    if (!left.includes(name)) return `${name}: only in the second`;
    return readFileSync(join(first, name)).equals(readFileSync(join(second, name))) ? [] : `${name}: differs`;
  });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}
