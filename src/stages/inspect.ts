import type { Session } from '../core/call.js';
import type { Redactor } from '../core/redact.js';
import { hash } from '../core/text.js';
import { scopeOf } from '../core/types.js';
import type { Admission } from './limiter.js';
import { oneLine, serviceTime } from './listeners.js';
import type { View } from './view.js';

/** Node, Bun and Deno print an object with the method of this name. */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** Describes a client in one line, from what is known without a request. `left` is what is left of its budget. */
export function printClient(session: Session, view: View, left: string | undefined): string {
  const { config, identity } = session;
  const { dryRun } = view;
  const [bulle_id, fiche_id] = [view.targetOf('bulle_id'), view.targetOf('fiche_id')];
  const { bulle, sphere, gmb_fiches = [] } = identity ?? {};
  const listing = gmb_fiches.find(({ id }) => id === fiche_id)?.name ?? fiche_id;
  // A view of another location than the key's is possible: the service refuses its calls.
  const location = bulle_id === undefined || bulle_id === bulle?.id ? bulle?.name : bulle_id;
  const parts = Object.entries({
    address: config.root.replace(/\/api\/v2$/, ''),
    scope: identity ? scopeOf(identity).kind : 'unknown',
    brand: sphere?.name,
    location,
    listing,
    left,
    dryRun,
  }).filter(([, value]) => value !== undefined);
  const text = parts.map(([name, value]) => `${name}: ${value}`).join(', ');
  return `Client { ${config.redactor.beginning(oneLine(text))} }`;
}

/**
 * The name of the getter that returns {@link Inside}. It is registered, because the client may be one of the CommonJS
 * build.
 */
export const INSIDE: unique symbol = Symbol.for('multilocal.inside');

/** What other entries of the package read from a client that they get. */
export interface Inside {
  /** Address of the service, its path included. */
  readonly address: string;
  /** The location of a view. */
  readonly bulle_id: string | undefined;
  /** The listing of a view. */
  readonly fiche_id: string | undefined;
  /** Maximum number of retries of a call that passes none. */
  readonly maxRetries: number;
  /** Removes the key from a value. */
  readonly clean: Redactor['json'];
  /** Converts a moment of this machine's clock to the clock of the service, as far as a response has shown it. */
  serviceTime(moment: Date): string;
  /** A front with words of its own sets them. */
  readonly limiter: Pick<Admission, 'words'>;
  /** Returns a hash of key and address. What is stored for one account is of no use to another. */
  account(): Promise<string>;
}

/** Asks a client what it knows. `undefined`: the object is not a client. */
export function inside(client: { readonly [INSIDE]: Inside }): Inside;
export function inside(client: object): Inside | undefined;
export function inside(client: { readonly [INSIDE]?: Inside }): Inside | undefined {
  return client[INSIDE];
}

/** Returns what a client, or one of its views, knows. */
export function insideOf(session: Session, view: View): Inside {
  const { config } = session;
  const { apiKey, root: address, redactor } = config;
  return {
    address,
    bulle_id: view.targetOf('bulle_id'),
    fiche_id: view.targetOf('fiche_id'),
    maxRetries: view.options?.maxRetries ?? config.maxRetries,
    clean: redactor.json,
    serviceTime: (moment) => serviceTime(session, moment),
    limiter: session.stages.limiter as Admission,
    account: () => hash(apiKey + address),
  };
}
