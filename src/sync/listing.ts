import type { Promisable } from 'type-fest';
import { MassDeletionError } from '../core/errors/index.js';
import { isAfter } from '../core/timestamps.js';
import type { Copy } from './copy.js';
import type { Change } from './events.js';
import type { SyncArticle, SyncSource } from './source.js';
import type { ListingPart } from './store.js';
import { BEGINNING, type Step, stalled, walk } from './walk.js';

/** From so many known ids on, the loss of more than half of them looks like a wrong key. */
const MASS = 10;
/** Up to so many missing articles are requested one by one. */
const MOST_REQUESTED = 50;

/** Where a listing keeps how far it has come. */
export interface ListingStore {
  load(): Promisable<ListingPart | null>;
  save(part: ListingPart | null): Promisable<void>;
}

/**
 * Lists all articles and finds the known ones that are missing.
 *
 * No listing proves a deletion by itself, since pages, totals and timestamps may be wrong or change meanwhile. So each
 * missing article is requested: only a 404 deletes it. Beyond 50, a second complete listing must agree.
 * @throws {MassDeletionError} if too many articles are missing.
 */
export async function* completeListing<Listed extends SyncArticle>(
  source: SyncSource<Listed>,
  copy: Copy<Listed>,
  allowMassDeletion: boolean,
  store: ListingStore | undefined,
): AsyncGenerator<Change<Listed>, void, undefined> {
  const known = copy.size;
  let { pass, position, ids } = (await store?.load()) ?? { pass: 1, position: BEGINNING, ids: [] };
  const listed = new Set(ids);
  let reached = copy.cursor ?? '';
  let missing: number[] = [];
  for (; pass <= 2; pass++) {
    let isDoubtful = false;
    let unsaved: number[] = [];
    let isFirst = true;
    for await (const step of walk(source, position)) {
      if (isFirst) source.announce({ total: step.total, requests: pagesLeft(step), canResume: store !== undefined });
      isFirst = false;
      yield* copy.changes(step.articles);
      for (const { id } of step.articles) listed.add(id);
      unsaved.push(...step.articles.map(({ id }) => id));
      isDoubtful = step.isDoubtful;
      if (step.cursor === undefined) continue;
      if (step.cursor !== BEGINNING && isAfter(step.cursor, reached)) reached = step.cursor;
      if (step.isLast) continue;
      await store?.save({ pass, position: step.cursor, ids: unsaved });
      unsaved = [];
    }
    missing = copy.ids.filter((id) => !listed.has(id));
    const isMass = !allowMassDeletion && known > MASS && missing.length > known / 2;
    if (missing.length <= MOST_REQUESTED && !isMass) break;
    // Whatever the cause, the next run must list everything again.
    if (isMass || isDoubtful) await store?.save(null);
    if (isDoubtful)
      throw stalled(source, `${missing.length} known articles are missing and \`total\` disagrees`, reached);
    if (isMass) throw massDeletion(missing.length, known);
    position = BEGINNING;
  }
  for (const id of missing) {
    const article = missing.length <= MOST_REQUESTED ? await source.get(id) : undefined;
    if (article) yield* copy.changes([article], true);
    else yield copy.delete(id);
  }
  await store?.save(null);
  if (reached) yield { type: 'checkpoint', cursor: reached };
}

/** About how many requests the rest of a listing takes: each page repeats the last article of the page before. */
function pagesLeft({ total, limit }: Step<SyncArticle>): number {
  return Math.max(0, Math.ceil((total - limit) / Math.max(1, limit - 1)));
}

function massDeletion(missing: number, known: number): MassDeletionError {
  const message = `${missing} of ${known} known articles vanished: check the key, or set allowMassDeletion.`;
  return new MassDeletionError(message, { operation: 'articles.sync', missing, known });
}
