// cspell:disable the sentences in French
import type { Both } from '@multilocal/plans/words';
import type { Client, MultilocalError } from 'multilocal';
import { ApiError, RedirectError } from 'multilocal/internal/errors';
import { inside } from 'multilocal/internal/inspect';
import { causeOf } from '../causes.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** The address of a client. */
export interface Address {
  /** `https://host/prefix`, for people. */
  readonly text: string;
  /** `host:port`. */
  readonly host: string;
  /** `''`, or the path prefix, such as `/tenant`. */
  readonly prefix: string;
  readonly isSecure: boolean;
}

/** Returns the address of a client, as the client has read it. */
export function addressOf(client: Client): Address {
  const { origin, pathname, host, protocol } = new URL(inside(client).address);
  const prefix = pathname.slice(0, -'/api/v2'.length);
  return { text: origin + prefix, host, prefix, isSecure: protocol === 'https:' };
}

/** Describes a connection that works. `isSafe`: the client accepts the address without `--allow-http`. */
export function tlsFinding({ isSecure }: Address, isSafe: boolean): Finding {
  if (isSecure)
    return ok('tls', [
      'The connection is encrypted, and the certificate is valid.',
      'La connexion est chiffrée, et le certificat est valable.',
    ]);
  if (isSafe)
    return ok('tls', ['Not needed: the address is on this machine.', 'Inutile : l’adresse est sur cette machine.']);
  const found: Both = [
    'The connection is not encrypted: anyone on the way can read the key.',
    'La connexion n’est pas chiffrée : sur le chemin, n’importe qui peut lire la clé.',
  ];
  return warning('tls', found, [
    'Use `--allow-http` only on a trusted network, and https:// everywhere else.',
    'N’utilisez `--allow-http` que sur un réseau de confiance, et https:// partout ailleurs.',
  ]);
}

/** Explains why `GET /health` failed. */
export function addressFailure(error: MultilocalError, address: Address): Finding {
  const cause = causeOf(error, address.host);
  if (cause) return problem(cause.check, cause.found, cause.advice);
  const { text } = address;
  if (error instanceof RedirectError) {
    const elsewhere = error.location === new URL(text).origin ? undefined : error.location;
    const final: Both =
      elsewhere === undefined
        ? ['the final address', 'l’adresse finale']
        : [`${elsewhere} if this is the service`, `${elsewhere} si c’est le service`];
    return problem(
      'address',
      [
        `${text} redirects to ${elsewhere ?? 'another path'}.`,
        `${text} redirige vers ${elsewhere ?? 'un autre chemin'}.`,
      ],
      [
        `Set MULTILOCAL_BASE_URL to ${final[0]}. Redirects are not followed, so that the key goes nowhere else.`,
        `Réglez MULTILOCAL_BASE_URL sur ${final[1]}. Les redirections ne sont pas suivies, pour que la clé n’aille nulle part ailleurs.`,
      ],
    );
  }
  const status = error instanceof ApiError ? error.status : 0;
  const known = failuresOf(address, status, error);
  const rest = status >= 500 ? 'down' : status > 0 ? 'refused' : 'broken';
  const [found, advice] = known[error.code] ?? known[status] ?? known[rest] ?? [];
  return problem('address', found ?? ['', ''], advice ?? ['', '']);
}

/** What a failure means, by code or status. */
function failuresOf(
  { text, host, prefix }: Address,
  status: number,
  error: MultilocalError,
): Readonly<Record<string | number, readonly [found: Both, advice: Both]>> {
  const compare: Both = [
    `Compare the address with the one in the account settings of the service. ${prefix ? `The path ${prefix} may be wrong.` : 'A path may be missing, as in https://host/path.'}`,
    `Comparez l’adresse avec celle des réglages du compte, sur le service. ${prefix ? `Le chemin ${prefix} est peut-être faux.` : 'Il manque peut-être un chemin, comme dans https://host/path.'}`,
  ];
  return {
    timeout: [
      [`${host} did not respond in time.`, `${host} n’a pas répondu à temps.`],
      [
        'Try again later. If it stays like this, check the network and the VPN.',
        'Réessayez plus tard. Si cela dure, vérifiez le réseau et le VPN.',
      ],
    ],
    invalid_response: [
      [
        `${text} responds, but not as the service does: it is another server, or a login page in between.`,
        `${text} répond, mais pas comme le service : c’est un autre serveur, ou une page de connexion entre les deux.`,
      ],
      compare,
    ],
    404: [
      [
        `${text} responds, but the service is not at this path (404).`,
        `${text} répond, mais le service n’est pas à ce chemin (404).`,
      ],
      compare,
    ],
    407: [
      ['The proxy asks for a password (407).', 'Le proxy demande un mot de passe (407).'],
      [
        'Check HTTPS_PROXY, its user name and its password.',
        'Vérifiez HTTPS_PROXY, son nom d’utilisateur et son mot de passe.',
      ],
    ],
    429: [
      [`${text} refuses more requests for now (429).`, `${text} refuse d’autres requêtes pour le moment (429).`],
      ['Wait a minute, and try again.', 'Attendez une minute, puis réessayez.'],
    ],
    down: [
      [`The service at ${text} is down (${status}).`, `Le service à ${text} est en panne (${status}).`],
      [
        'Try again in a few minutes. The cause is at the service: your settings may be right.',
        'Réessayez dans quelques minutes. La cause est chez le service : vos réglages sont peut-être justes.',
      ],
    ],
    refused: [
      [
        `${text} refuses requests without a login (${status}), which the service does not.`,
        `${text} refuse les requêtes sans connexion (${status}), ce que le service ne fait pas.`,
      ],
      [
        'Check the address. A firewall, a VPN or a proxy in between may also refuse requests from this machine.',
        'Vérifiez l’adresse. Un pare-feu, un VPN ou un proxy peut aussi refuser les requêtes de cette machine.',
      ],
    ],
    broken: [
      [`The connection to ${host} broke: ${error.message}`, `La connexion à ${host} a été coupée : ${error.message}`],
      ['Check the address and the network, and try again.', 'Vérifiez l’adresse et le réseau, puis réessayez.'],
    ],
  };
}
