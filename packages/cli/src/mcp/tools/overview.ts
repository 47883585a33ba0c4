import { writes as everyWrite } from '@multilocal/plans/inside';
import type { Bulle, Connection, Identity } from 'multilocal';
import { accountFindings, canPublish } from '../../doctor/accounts.js';
import { saidIn } from '../../doctor/finding.js';
import { failureOf } from '../../failure.js';
import { AGENT } from '../../front.js';
import { answer, said } from '../answer.js';
import { LONGEST_ANSWER } from '../refused.js';
import { unprovenBy } from '../rehearsing.js';
import type { Session } from '../session.js';
import type { Tool } from './tool.js';

/** Says what the key covers, and what the server may do. A missing key is an answer, not an error. */
export const overview: Tool<Record<string, never>> = {
  name: 'overview',
  description:
    'Start here: what the key covers (locations, listings, accounts to reconnect), requests left, whether writes are on.',
  input: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run(_, session, { signal }) {
    // Swedish dates are those of ISO 8601: 2026-12-24, on the clock of this machine.
    const today = new Date().toLocaleDateString('sv');
    const about = { today, zone: Intl.DateTimeFormat().resolvedOptions().timeZone, writes: writesOf(session) };
    const connected = await session.connect(true).catch((error) => ({ error: failureOf(error, AGENT) }));
    if ('error' in connected) return said({ ready: false, ...connected, ...about }, session);
    const { client, identity } = connected;
    const { bulle, sphere, permissions } = identity;
    const bulles = bulle ? [bulle] : await client.bulles.list({ signal });
    for (const one of bulles) session.remember('bulles.list', one);
    const connections = await client.connections.list({}, { signal });
    const { minute, day } = await client.budget();
    const unproven = unprovenBy(await session.contract(client));
    const shown = {
      ready: true,
      covers: bulle
        ? 'one location'
        : 'the whole brand: a write names its `bulle_id` or `fiche_id`. A `fiche_id` of `locations` is the listing of the same name',
      permissions,
      brand: { id: sphere.id, name: sphere.name },
      ...placesOf(bulles, identity, connections),
      accounts: saidIn(accountFindings(connections, bulles, Date.now()), 'en').map(({ found, advice }) => ({
        found,
        advice,
      })),
      requests_left: { minute: minute.left, day: day.left },
      previews: unproven.length === 0 ? 'all' : `all but ${unproven.join(', ')}, which \`rehearse\` only checks`,
      ...about,
    };
    return answer(fitting(shown), session);
  },
};

/** The locations, and the listings that are not beside a location. No route links both, but a name that only one of each has does. */
function placesOf(bulles: readonly Place[], { gmb_fiches }: Identity, connections: readonly Connection[]) {
  const onlyOf = <One extends Named>(list: readonly One[], name: Named['name']) => {
    const [found, ...more] = list.filter((one) => one.name === name);
    return name && more.length === 0 ? found : undefined;
  };
  const fichesOf = new Map(bulles.map(({ id, name }) => [id, onlyOf(bulles, name) && onlyOf(gmb_fiches, name)]));
  const locations = bulles.map(({ id, name, city }) => {
    return { bulle_id: id, name, city, platforms: platformsOf(id, connections), fiche_id: fichesOf.get(id)?.id };
  });
  const beside = new Set(fichesOf.values());
  const others = gmb_fiches.filter((fiche) => !beside.has(fiche));
  return { locations, listings: others.map(({ id, name, address }) => ({ fiche_id: id, name, address })) };
}

type Named = Pick<Bulle, 'id' | 'name'>;
type Place = Pick<Bulle, 'id' | 'name' | 'city'>;

/** The platforms on which a location can publish. */
function platformsOf(bulle: string, connections: readonly Connection[]): string {
  const own = connections.filter(({ bulle_id }) => bulle_id === bulle);
  const usable = own.filter((one) => canPublish(one, Date.now()));
  return usable.map(({ platform }) => platform).join(', ');
}

function writesOf({ settings: { writes, isUnattended } }: Session): string {
  if (!writes) return 'off: `rehearse` writes a plan, and a person carries it out';
  const which = writes.size === everyWrite.length ? 'on' : `on for ${[...writes].join(', ')}`;
  return isUnattended
    ? `${which}, without a confirmation`
    : `${which}: \`carry_out\` asks a person to confirm each plan`;
}

/** Lists of hundreds are cut: `read` has all of them. */
function fitting<Lists extends { locations: unknown[]; listings: unknown[]; accounts: unknown[] }>(all: Lists): object {
  const { locations, listings, accounts } = all;
  for (
    let most = Math.max(locations.length, listings.length, accounts.length), cut = '';
    ;
    most = Math.min(most, 200) / 2
  ) {
    const first = (list: unknown[]) => list.slice(0, most);
    const shown = { ...all, locations: first(locations), listings: first(listings), accounts: first(accounts), cut };
    if (JSON.stringify(shown).length < LONGEST_ANSWER || most < 1) return cut ? shown : all;
    cut = 'Lists are cut. All: read bulles.list, me, connections.list.';
  }
}
