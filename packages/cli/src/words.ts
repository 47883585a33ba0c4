import { createHash } from 'node:crypto';
import * as s from 'multilocal/internal/schema';

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A name, or the id of what has none. */
export function nameOf({ id, name }: { id: string; name?: string | null }): string {
  return name || id;
}

/** `1 article`, `2 articles`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The same in French, where only more than one is a plural. */
export function counted(count: number, noun: string, several = `${noun}s`): string {
  return `${count} ${count > 1 ? several : noun}`;
}

/** With a capital at its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Ends a sentence about an unknown name: ` Did you mean `sync`?`, or `''` if no known name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = s.nearest(name, known);
  return meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
}

/**
 * The line that sets variables in the shell that started this process. npm starts programs through cmd in every shell of Windows, and
 * only the paths of modules tell: PowerShell adds those of the user to the two of the machine.
 */
export function variablesLine(
  variables: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const all = Object.entries(variables);
  // Git Bash sets `SHELL` on Windows, too.
  if (platform !== 'win32' || env.SHELL) return `export ${all.map(([name, value]) => `${name}=${value}`).join(' ')}`;
  const isPowerShell = (env.PSModulePath ?? '').split(';').length > 2;
  if (isPowerShell) return all.map(([name, value]) => `$env:${name}='${value}'`).join('; ');
  return all.map(([name, value]) => `set "${name}=${value}"`).join(' & ');
}

/** A path in a command that people copy. A shell takes `-rf` for an option, and runs `$(…)` also within double quotes, which Windows needs. */
export function shellPath(path: string): string {
  if (path.startsWith('-')) return shellPath(`./${path}`);
  if (/^[\w./:@~-]+$/.test(path)) return path;
  return /["$`!]/.test(path) ? `'${path.replaceAll("'", "'\\''")}'` : `"${path}"`;
}
