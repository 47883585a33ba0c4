import type { LoaderContext } from 'astro/loaders';

/** Where the slugs that the service sent are kept, by id, for the entries that have another one now. */
const KEY = 'slugs';

interface Context extends Pick<LoaderContext, 'store' | 'meta'> {
  logger: Pick<LoaderContext['logger'], 'warn'>;
}

type Entry = ReturnType<LoaderContext['store']['values']>[number];

/**
 * Gives every entry a slug of its own, because two pages cannot have one address. Of the articles with one slug, the
 * oldest keeps it, and the others get their id behind it. Nothing but the articles decides, so a build without memory
 * comes to the same addresses.
 */
export function distinctSlugs({ store, meta, logger }: Context): void {
  const before = new Map(Object.entries(JSON.parse(meta.get(KEY) ?? '{}') as Record<string, string>));
  const after = new Map<string, string>();
  const taken = new Map<string, string>();
  const later: [Entry, string][] = [];
  const entries = store.values().sort((one, other) => Number(one.id) - Number(other.id));
  for (const entry of entries) {
    const { id, data } = entry;
    // The schema of the user may leave the slug out. A corrected article comes back with that of the service.
    if (typeof data.slug !== 'string') continue;
    const own = before.get(id);
    const slug = own !== undefined && data.slug.startsWith(`${own}-${id}`) ? own : data.slug;
    const key = keyOf(slug);
    if (taken.has(key)) later.push([entry, slug]);
    else {
      taken.set(key, id);
      if (slug !== data.slug) replace(store, entry, slug);
    }
  }
  for (const [entry, slug] of later) {
    const { id } = entry;
    let own = `${slug}-${id}`;
    while (taken.has(keyOf(own))) own += `-${id}`;
    taken.set(keyOf(own), id);
    after.set(id, slug);
    if (own !== entry.data.slug) replace(store, entry, own);
    const first = taken.get(keyOf(slug));
    logger.warn(`Articles ${first} and ${id} have one slug. That of article ${id} is now \`${own}\`.`);
  }
  meta.set(KEY, JSON.stringify(Object.fromEntries(after)));
}

/** Some hosts take no notice of case. */
const keyOf = (slug: string) => slug.normalize().toLowerCase();

/** Astro ignores an entry with the digest of the stored one. */
function replace(store: LoaderContext['store'], entry: Entry, slug: string): void {
  store.delete(entry.id);
  store.set({ ...entry, data: { ...entry.data, slug } });
}
