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
