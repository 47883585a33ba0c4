import { call } from '@multilocal/plans/inside';
import type { Client } from 'multilocal';
import type { Endpoint } from 'multilocal/internal/endpoint';
import { ListPromise } from 'multilocal/internal/pages';
import { failureOf } from '../failure.js';
import { AGENT } from '../front.js';
import { maskContacts } from '../mask.js';
import type { Params } from '../operation.js';
import { Note, type Source, Stop } from './reading.js';
import type { Connected, Session } from './session.js';
import { visible } from './visible.js';

/** A call of `read`. */
interface Asked {
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly fields: Source['fields'];
  /** Of what is begun at once. */
  readonly signal: AbortSignal;
}

/** The items of one of the reads. */
export async function sourceOf(asked: Asked, connected: Connected, session: Session): Promise<Source> {
  const { endpoint, params, fields } = asked;
  const { operation } = endpoint;
  const mask = endpoint.confidential?.(params);
  const learn = (item: unknown, page: unknown) => {
    const clean = visible(maskContacts(item, mask));
    session.remember(operation, clean, page);
    return clean;
  };
  const brand = brandOf(asked, connected, learn);
  if (brand) return brand;
  const start = (signal: AbortSignal) => call(connected.client, endpoint, params, { signal });
  let first: Promise<unknown> | undefined = start(asked.signal);
  const isList = first instanceof ListPromise;
  const page = await first;
  const open: Source['open'] = async function* (signal) {
    const again = first ?? start(signal);
    first = undefined;
    if (!(again instanceof ListPromise)) yield learn(page, page);
    else for await (const item of again) yield learn(item, page);
  };
  const wrapper: Wrapper = isList ? wrapperOf(page) : { wrap: ([one]) => one, isOne: true };
  return { operation, fields, open, ...wrapper };
}

type Wrapper = Pick<Source, 'about' | 'wrap' | 'total' | 'isOne'>;

/** What stands beside the items of a page, in which they have a name. */
function wrapperOf(page: unknown): Wrapper {
  if (Array.isArray(page)) return {};
  const { total, filtered_count, limit, offset, page: at, total_pages, ...about } = Object(page);
  const name = Object.keys(about).find((one) => Array.isArray(about[one]));
  if (name !== undefined) delete about[name];
  const wrap: Source['wrap'] = (items, beside) => (name === undefined ? items : { ...beside, [name]: items });
  return { about: visible(about), wrap, total: [total, filtered_count].find((count) => typeof count === 'number') };
}

/** The reads of one listing that can read all of them. */
const OF_LISTINGS = {
  'reviews.list': ({ reviews }: Client, params: Params, options: object) => reviews.all(params, options),
  'reviews.summary': ({ reviews }: Client, _: Params, options: object) => reviews.summaries(options),
};

/** Whether a call reads all listings. */
export function isOfBrand(operation: string, params: Params): boolean {
  return Object.hasOwn(OF_LISTINGS, operation) && params.fiche_id === undefined;
}

/** The items of all listings of the key, if the call names none. A listing that fails is a note, and what the rest costs a pause. */
function brandOf(
  { endpoint: { operation }, params, fields }: Asked,
  { client, identity: { gmb_fiches: fiches } }: Connected,
  learn: (item: unknown, page: unknown) => unknown,
): Source | undefined {
  const read = OF_LISTINGS[operation as keyof typeof OF_LISTINGS];
  if (!isOfBrand(operation, params) || fiches.length < 2) return undefined;
  // The method of one listing refuses an unknown parameter by its name.
  if (operation === 'reviews.summary' && Object.keys(params).length > 0) return undefined;
  const count = fiches.length;
  let done = 0;
  let isTold = false;
  const pauseOf = async () => {
    const { minute, day } = await client.budget();
    const [left, window] = day.left < minute.left ? [day.left, 'today'] : [minute.left, 'in this minute'];
    const isCostly = !isTold && left < count;
    isTold = true;
    if (isCostly) {
      const cost = `All ${count} listings cost at least ${count} requests, and ${left} are left ${window}.`;
      return new Stop(`${cost} Repeat with \`next\` to read them, or name a \`fiche_id\`.`);
    }
    const why = `No request is left ${window}, after ${done} of ${count} listings. Repeat with \`next\` later.`;
    return left < 1 ? new Stop(why) : undefined;
  };
  const open: Source['open'] = async function* (signal) {
    for (const fiche of fiches.slice(done)) {
      for (let pause = await pauseOf(); pause; pause = await pauseOf()) yield pause;
      const failed: Note[] = [];
      const onFailure = ({ fiche_id, error }: { fiche_id: string; error: unknown }) =>
        failed.push(new Note({ fiche_id, error: failureOf(error, AGENT) }));
      for await (const item of read(client.forFiche(fiche.id), params, { signal, onFailure }))
        yield learn(item, { fiche });
      yield* failed;
      done += 1;
    }
  };
  return { operation, fields, open };
}
