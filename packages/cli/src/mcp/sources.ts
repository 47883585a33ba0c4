import { call } from '@multilocal/plans/operation';
import type { Client } from 'multilocal';
import type { Endpoint } from 'multilocal/internal/endpoint';
import { ListPromise } from 'multilocal/internal/pages';
import { failureOf } from '../failure.js';
import { AGENT } from '../front.js';
import { maskContacts } from '../mask.js';
import type { Params } from '../operation.js';
import { Note, type Source } from './reading.js';
import type { Connected, Session } from './session.js';

/** A call of `read`. */
export interface Asked {
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly fields: Source['fields'];
  readonly signal: AbortSignal;
}

/** The items of one of the reads. */
export async function sourceOf(asked: Asked, connected: Connected, session: Session): Promise<Source> {
  const { endpoint, params, fields, signal } = asked;
  const { operation } = endpoint;
  const mask = endpoint.confidential?.(params);
  const learn = (item: unknown, page: unknown) => {
    const clean = maskContacts(item, mask);
    session.remember(operation, clean, page);
    return clean;
  };
  const brand = brandOf(asked, connected, learn);
  if (brand) return brand;
  const start = () => call(connected.client, endpoint, params, { signal });
  let first: Promise<unknown> | undefined = start();
  const page = await first;
  if (!(first instanceof ListPromise)) {
    const open = async function* () {
      yield learn(page, page);
    };
    return { operation, fields, isList: false, open };
  }
  const open = async function* () {
    const list = (first ?? start()) as ListPromise<unknown, unknown>;
    first = undefined;
    for await (const item of list) yield learn(item, page);
  };
  return { operation, fields, isList: true, open, ...wrapperOf(page) };
}

/** What stands beside the items of a page. */
function wrapperOf(page: unknown): Pick<Source, 'about' | 'name' | 'total'> {
  if (Array.isArray(page)) return {};
  const { total, filtered_count, limit, offset, page: at, total_pages, ...about } = Object(page);
  const [name] = Object.entries(about).find(([, field]) => Array.isArray(field)) ?? [];
  if (name !== undefined) delete about[name];
  return { about, name, total: [total, filtered_count].find((count) => typeof count === 'number') };
}

/** The reads of one listing that can read all of them. */
const OF_LISTINGS = {
  'reviews.list': ({ reviews }: Client, params: Params, options: object) => reviews.all(params, options),
  'reviews.summary': ({ reviews }: Client, _: Params, options: object) => reviews.summaries(options),
};

/** The items of all listings of the key, if the call names none. A listing that fails, and what the rest costs, are notes. */
function brandOf(
  { endpoint: { operation }, params, fields, signal }: Asked,
  { client, identity: { gmb_fiches: fiches } }: Connected,
  learn: (item: unknown, page: unknown) => unknown,
): Source | undefined {
  const read = OF_LISTINGS[operation as keyof typeof OF_LISTINGS];
  if (!read || params.fiche_id !== undefined || fiches.length < 2) return undefined;
  // The method of one listing refuses an unknown parameter by its name.
  if (operation === 'reviews.summary' && Object.keys(params).length > 0) return undefined;
  let done = 0;
  const open = async function* () {
    for (const fiche of fiches.slice(done)) {
      const { minute, day } = await client.budget();
      const [left, window] = day.left < minute.left ? [day.left, 'today'] : [minute.left, 'in this minute'];
      if (done === 0 && left < fiches.length) {
        const cost = `All ${fiches.length} listings cost at least ${fiches.length} requests`;
        yield new Note(
          `${cost}, and ${left} are left ${window}. Repeat with \`next\` to read them, or name a \`fiche_id\`.`,
          true,
        );
      } else if (left < 1) {
        yield new Note(
          `No request is left ${window}, after ${done} of ${fiches.length} listings. Repeat with \`next\` later.`,
          true,
        );
      }
      const failed: Note[] = [];
      const onFailure = ({ fiche_id, error }: { fiche_id: string; error: unknown }) =>
        failed.push(new Note({ fiche_id, error: failureOf(error, AGENT) }));
      for await (const item of read(client.forFiche(fiche.id), params, { signal, onFailure }))
        yield learn(item, { fiche });
      yield* failed;
      done += 1;
    }
  };
  return { operation, fields, isList: true, open };
}
