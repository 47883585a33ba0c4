import type { View } from './api.js';
import { knownBudget, printBudget } from './budget.js';
import type { Session } from './call.js';
import { scopeOf } from './identity.js';
import { oneLine } from './log.js';

/** Node, Bun and Deno print an object with the method of this name. */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** Describes a client in one line, from what is known without a request. */
export function printClient(session: Session, { bulle_id, fiche_id, dryRun }: View): string {
  const { config, identity } = session;
  const { bulle, sphere, gmb_fiches = [] } = identity ?? {};
  const listing = gmb_fiches.find(({ id }) => id === fiche_id)?.name ?? fiche_id;
  // A view of another location than the key's is possible: the service refuses its calls.
  const location = bulle_id === undefined || bulle_id === bulle?.id ? bulle?.name : bulle_id;
  const budget = knownBudget(session);
  const parts = Object.entries({
    address: config.root.replace(/\/api\/v2$/, ''),
    scope: identity ? scopeOf(identity).kind : 'unknown',
    brand: sphere?.name,
    location,
    listing,
    left: budget && printBudget(budget),
    dryRun,
  }).filter(([, value]) => value !== undefined);
  const text = parts.map(([name, value]) => `${name}: ${value}`).join(', ');
  return `Client { ${config.redactor.beginning(oneLine(text))} }`;
}
