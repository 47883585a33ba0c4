import type { DryRunPreview } from 'multilocal';

/** What a dry run says would happen, a line each. The fields differ by operation; all of them begin with `would_`. */
export function effectsOf(preview: DryRunPreview): string[] {
  return Object.entries(preview).flatMap(([name, value]) => (name.startsWith('would_') ? linesOf(name, value) : []));
}

function linesOf(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.length > 0 ? [`${name}: ${value.join(', ')}`] : [];
  if (typeof value !== 'object') return [`${name}: ${value}`];
  return Object.entries(value ?? {}).flatMap(([part, inner]) => linesOf(`${name}.${part}`, inner));
}
