import { writes as everyWrite } from '@multilocal/plans/actions';
import type { Bulle, Connection, Identity } from 'multilocal';
import { accountFindings, stateOf } from '../../doctor/accounts.js';
import { failureOf } from '../../failure.js';
import { AGENT } from '../../front.js';
import { answer, said as message } from '../answer.js';
import { today } from '../plan-folder.js';
import { PROVEN_FIRST } from '../previews.js';
import { LONGEST_ANSWER } from '../refused.js';
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
    const about = { today: today(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone, writes: writesOf(session) };
    let connected: Awaited<ReturnType<Session['connect']>>;
    try {
      connected = await session.connect();
    } catch (error) {
      return message({ ready: false, error: failureOf(error, AGENT), ...about }, session);
    }
    const { client, identity } = connected;
    const { bulle, sphere, permissions } = identity;
    const bulles = bulle ? [bulle] : await client.bulles.list({ signal });
    for (const one of bulles) session.remember('bulles.list', one);
    const connections = await client.connections.list({}, { signal });
    const { minute, day } = await client.budget();
    const contract = await session.contract(client);
    const unproven = PROVEN_FIRST.filter((operation) => contract?.dry_run[operation] !== 'honoured');
    const shown = {
      ready: true,
      covers: bulle
        ? 'one location'
        : 'the whole brand: a write names its `bulle_id` or `fiche_id`. A `fiche_id` of `locations` is the listing of the same name',
      permissions,
      brand: { id: sphere.id, name: sphere.name },
      ...placesOf(bulles, identity, connections),
      accounts: accountsOf(connections, bulles),
      requests_left: { minute: minute.left, day: day.left },
      previews:
        unproven.length === 0 ? 'of every operation that has one' : `not of ${unproven.join(', ')}, which are checked`,
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
  const usable = connections.filter((one) => one.bulle_id === bulle && USABLE.has(stateOf(one, Date.now())));
  return usable.map(({ platform }) => platform).join(', ');
}

const USABLE: ReadonlySet<string> = new Set(['ready', 'ends_soon']);

function accountsOf(connections: readonly Connection[], bulles: readonly Pick<Bulle, 'id' | 'name'>[]): object[] {
  return accountFindings(connections, bulles, Date.now()).map(({ found, advice }) => ({ found, advice }));
}

function writesOf({ settings: { writes, isUnattended } }: Session): string {
  if (!writes) return 'off: `rehearse` writes a plan, and a person carries it out';
  const which = writes.size === everyWrite.length ? 'on' : `on for ${[...writes].join(', ')}`;
  return isUnattended
    ? `${which}, without a confirmation`
    : `${which}: \`carry_out\` asks a person to confirm each plan`;
}

/** Lists of hundreds are cut: `read` has all of them. */
function fitting<Overview extends { locations: unknown[]; listings: unknown[]; accounts: unknown[] }>(
  overview: Overview,
): object {
  for (let most = Number.POSITIVE_INFINITY; ; most = Math.min(most, 200) / 2) {
    const cut = (list: unknown[]) => list.slice(0, most);
    const { locations, listings, accounts } = overview;
    const shown = { ...overview, locations: cut(locations), listings: cut(listings), accounts: cut(accounts) };
    const isCut = Math.max(locations.length, listings.length, accounts.length) > most;
    const said = isCut ? { ...shown, cut: 'Lists are cut. All: read bulles.list, me, connections.list.' } : shown;
    if (JSON.stringify(said).length < LONGEST_ANSWER || most < 1) return said;
  }
}
