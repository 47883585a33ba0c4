// cspell:disable the sentences in French
import { platformNames } from '@multilocal/plans/inside';
import type { Both } from '@multilocal/plans/words';
import type { Bulle, Connection } from 'multilocal';
import { accountState } from 'multilocal/internal/account-state';
import { counted, plural } from '../words.js';
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
    const found: Both = [
      'No account is connected, so nothing can be published on social platforms.',
      'Aucun compte n’est connecté : rien ne peut être publié sur les réseaux sociaux.',
    ];
    const advice: Both = [
      'Connect an account, such as a Facebook page, in the settings of a location. Articles and reports work without.',
      'Connectez un compte, comme une page Facebook, dans les réglages d’un lieu. Les articles et les rapports s’en passent.',
    ];
    return [warning('accounts', found, advice)];
  }
  const names = new Map(bulles.map(({ id, name }) => [id, name]));
  const troubled = connections.flatMap((one) => accountFinding(one, names, now) ?? []);
  const usable = connections.filter((one) => canPublish(one, now)).length;
  const summary = ok('accounts', [
    `${usable} of ${plural(connections.length, 'account')} can publish.`,
    `${usable} sur ${counted(connections.length, 'compte')} ${usable > 1 ? 'peuvent' : 'peut'} publier.`,
  ]);
  return usable === 0 ? troubled : [summary, ...troubled];
}

function accountFinding(account: Connection, names: ReadonlyMap<string, Bulle['name']>, now: number) {
  const { bulle_id, platform, name, expires_at } = account;
  const location = names.get(bulle_id ?? '') ?? undefined;
  const id = `bulle_id ${bulle_id}`;
  const place = location === undefined ? id : `${location} (${id})`;
  const on = `${platformNames([platform])}${name ? ` "${name}"` : ''}`;
  const what: Both =
    bulle_id == null ? [`${on} of the brand`, `${on} de la marque`] : [`${on} of ${place}`, `${on}, ${place},`];
  const again: Both = [
    `The owner of the account must connect it again in the settings of ${location ?? 'its location'}`,
    `Le propriétaire du compte doit le reconnecter dans les réglages ${location === undefined ? 'de son lieu' : `du lieu ${location}`}`,
  ];
  const end = expires_at?.slice(0, 10);
  const said: Readonly<Record<ReturnType<typeof accountState>, readonly [] | readonly [found: Both, then: Both]>> = {
    ready: [],
    reconnect: [
      [`${what[0]} has lost its access: posts to it fail.`, `${what[1]} a perdu son accès : les posts y échouent.`],
      ['.', '.'],
    ],
    disconnected: [
      [`${what[0]} is not connected: posts to it fail.`, `${what[1]} n’est pas connecté : les posts y échouent.`],
      [', or remove it there.', ', ou l’y retirer.'],
    ],
    ends_soon: [
      [`The access to ${what[0]} ends on ${end}.`, `L’accès à ${what[1]} se termine le ${end}.`],
      [' before this day.', ' avant ce jour.'],
    ],
  };
  const [found, then] = said[accountState(account, now)];
  return found && then && warning('accounts', found, [`${again[0]}${then[0]}`, `${again[1]}${then[1]}`]);
}
