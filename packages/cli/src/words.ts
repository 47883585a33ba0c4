import * as s from 'multilocal/internal/schema';

/** `1 article`, `2 articles`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Ends a sentence about an unknown name: ` Did you mean `sync`?`, or `''` if no known name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = s.nearest(name, known);
  return meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
}

/** A path in a command that people copy. A shell takes `-rf` for an option, and runs `$(…)` also within double quotes, which Windows needs. */
export function shellPath(path: string): string {
  if (path.startsWith('-')) return shellPath(`./${path}`);
  if (/^[\w./:@~-]+$/.test(path)) return path;
  return /["$`!]/.test(path) ? `'${path.replaceAll("'", "'\\''")}'` : `"${path}"`;
}
