import { platformName } from '@multilocal/plans/inside';
import type { Bulle, Connection } from 'multilocal';
import { accountState } from 'multilocal/internal/posts-check';
import { plural } from '../words.js';
import { type Finding, ok, warning } from './finding.js';

/** Whether posts to an account can succeed. `now` is the time of the service in ms. */
export function canPublish(account: Connection, now: number): boolean {
  return ['ready', 'ends_soon'].includes(accountState(account, now));
}

/** Describes the accounts. `bulles` are the locations whose names are known. */
export function accountFindings(
  connections: readonly Connection[],
  bulles: readonly Pick<Bulle, 'id' | 'name'>[],
  now: number,
): Finding[] {
  if (connections.length === 0) {
    const advice =
      'Connect an account, such as a Facebook page, in the settings of a location. Articles and reports work without.';
    return [warning('accounts', 'No account is connected, so nothing can be published on social platforms.', advice)];
  }
  const names = new Map(bulles.map(({ id, name }) => [id, name]));
  const troubled = connections.flatMap((one) => accountFinding(one, names, now) ?? []);
  const usable = connections.filter((one) => canPublish(one, now)).length;
  const summary = ok('accounts', `${usable} of ${plural(connections.length, 'account')} can publish.`);
  return usable === 0 ? troubled : [summary, ...troubled];
}

function accountFinding(account: Connection, names: ReadonlyMap<string, Bulle['name']>, now: number) {
  const { bulle_id, platform, name, expires_at } = account;
  const location = names.get(bulle_id ?? '') ?? undefined;
  const id = `bulle_id ${bulle_id}`;
  const place = bulle_id == null ? 'the brand' : location === undefined ? id : `${location} (${id})`;
  const what = `${platformName(platform)}${name ? ` "${name}"` : ''} of ${place}`;
  const again = `The owner of the account must connect it again in the settings of ${location ?? 'its location'}`;
  const said = {
    ready: [],
    reconnect: [`${what} has lost its access: posts to it fail.`, `${again}.`],
    disconnected: [`${what} is not connected: posts to it fail.`, `${again}, or remove it there.`],
    ends_soon: [`The access to ${what} ends on ${expires_at?.slice(0, 10)}.`, `${again} before this day.`],
  } as const;
  const [found, advice] = said[accountState(account, now)];
  return found && warning('accounts', found, advice);
}
