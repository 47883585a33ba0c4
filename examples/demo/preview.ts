import type { DryRunPreview } from 'multilocal';

/** The fields of a preview, one per line. The fields differ by operation. All of them begin with `would_`. */
export function effectsOf(preview: DryRunPreview): string[] {
  return Object.entries(preview).flatMap(([name, value]) => (name.startsWith('would_') ? linesOf(name, value) : []));
}

function linesOf(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.length > 0 ? [`${name}: ${value.join(', ')}`] : [];
  if (typeof value !== 'object') return [`${name}: ${value}`];
  return Object.entries(value ?? {}).flatMap(([part, inner]) => linesOf(`${name}.${part}`, inner));
}
