import type { LoaderContext } from 'astro/loaders';

/** An entry of a content collection. */
export type Entry = ReturnType<LoaderContext['store']['values']>[number];

/**
 * The collections of this process. The integration runs in Astro's process and the loader may run in Vite's module graph,
 * which loads a linked package a second time. So the map is on the global object.
 */
const COLLECTIONS: unique symbol = Symbol.for('multilocal.astro.collections');

type Shared = typeof globalThis & { [COLLECTIONS]?: Map<string, readonly Entry[]> };

/** The entries of each collection, as this build has loaded them. */
export function collections(): Map<string, readonly Entry[]> {
  const shared: Shared = globalThis;
  shared[COLLECTIONS] ??= new Map();
  return shared[COLLECTIONS];
}

/** Keeps the entries of a collection for the end of the build. */
export function rememberCollection(name: string, entries: readonly Entry[]): void {
  collections().set(name, entries);
}
