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
  if (isSecure) return ok('tls', 'The connection is encrypted, and the certificate is valid.');
  if (isSafe) return ok('tls', 'Not needed: the address is on this machine.');
  const found = 'The connection is not encrypted: anyone on the way can read the key.';
  return warning('tls', found, 'Use `--allow-http` only on a trusted network, and https:// everywhere else.');
}

/** Explains why `GET /health` failed. */
export function addressFailure(error: MultilocalError, address: Address): Finding {
  const cause = causeOf(error, address.host);
  if (cause) return problem(cause.check, cause.found, cause.advice);
  const { text, host, prefix } = address;
  if (error instanceof RedirectError) {
    const elsewhere = error.location === new URL(text).origin ? undefined : error.location;
    const final = elsewhere === undefined ? 'the final address' : `${elsewhere} if this is the service`;
    return problem(
      'address',
      `${text} redirects to ${elsewhere ?? 'another path'}.`,
      `Set MULTILOCAL_BASE_URL to ${final}. Redirects are not followed, so that the key goes nowhere else.`,
    );
  }
  const path = prefix ? `The path ${prefix} may be wrong.` : 'A path may be missing, as in https://host/path.';
  const compare = `Compare the address with the one in the account settings of the service. ${path}`;
  const status = error instanceof ApiError ? error.status : 0;
  const known: Readonly<Record<string | number, readonly [found: string, advice: string]>> = {
    timeout: [
      `${host} did not respond in time.`,
      'Try again later. If it stays like this, check the network and the VPN.',
    ],
    invalid_response: [
      `${text} responds, but not as the service does: it is another server, or a login page in between.`,
      compare,
    ],
    404: [`${text} responds, but the service is not at this path (404).`, compare],
    407: ['The proxy asks for a password (407).', 'Check HTTPS_PROXY, its user name and its password.'],
    429: [`${text} refuses more requests for now (429).`, 'Wait a minute, and try again.'],
    down: [
      `The service at ${text} is down (${status}).`,
      'Try again in a few minutes. The cause is at the service: your settings may be right.',
    ],
    refused: [
      `${text} refuses requests without a login (${status}), which the service does not.`,
      'Check the address. A firewall, a VPN or a proxy in between may also refuse requests from this machine.',
    ],
    broken: [`The connection to ${host} broke: ${error.message}`, 'Check the address and the network, and try again.'],
  };
  const rest = status >= 500 ? 'down' : status > 0 ? 'refused' : 'broken';
  const [found, advice] = known[error.code] ?? known[status] ?? known[rest] ?? [];
  return problem('address', found ?? '', advice ?? '');
}
