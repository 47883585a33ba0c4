import type { MultilocalError } from 'multilocal';
import { ApiError, InvalidResponseError, RedirectError } from 'multilocal/internal/errors';
import { causeOf } from '../causes.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** The address that was given. */
export interface Address {
  /** `https://host/prefix`, for people. */
  readonly text: string;
  /** `host:port`. */
  readonly host: string;
  /** `''`, or the path prefix, such as `/tenant`. */
  readonly prefix: string;
  readonly isSecure: boolean;
}

/** Reads an address that the client has accepted. */
export function readAddress(baseUrl: string): Address {
  const { origin, pathname, host, protocol } = new URL(baseUrl);
  const prefix = pathname.replace(/\/*(\/api\/v2)?\/*$/, '');
  return { text: origin + prefix, host, prefix, isSecure: protocol === 'https:' };
}

/** Describes a connection that works. `isSafe`: the client accepts the address without `--allow-http`. */
export function tlsFinding({ isSecure }: Address, isSafe: boolean): Finding {
  if (isSecure) return ok('tls', 'The connection is encrypted, and the certificate is valid.');
  if (isSafe) return ok('tls', 'Not needed: the address is on this machine.');
  const found = 'The connection is not encrypted: anyone on the way can read the key.';
  return warning('tls', found, 'Use `--allow-http` only on a trusted network, and https:// everywhere else.');
}

type Words = readonly [found: string, advice: string];

/** Explains why `GET /health` failed. */
export function addressFailure(error: MultilocalError, address: Address): Finding {
  const cause = causeOf(error, address.host);
  return cause
    ? problem(cause.check, cause.found, cause.advice)
    : problem('address', ...responseFailure(error, address));
}

function responseFailure(error: MultilocalError, address: Address): Words {
  const { text, host } = address;
  if (error.code === 'timeout')
    return [
      `${host} did not respond in time.`,
      'Try again later. If it stays like this, check the network and the VPN.',
    ];
  if (error instanceof RedirectError) {
    const { location } = error;
    return location === undefined || location === new URL(text).origin
      ? [
          `${text} redirects to another path.`,
          'Set MULTILOCAL_BASE_URL to the final address. Redirects are not followed, so that the key goes nowhere else.',
        ]
      : [
          `${text} redirects to ${location}.`,
          `Set MULTILOCAL_BASE_URL to ${location} if this is the service. Redirects are not followed, so that the key goes nowhere else.`,
        ];
  }
  if (error instanceof InvalidResponseError)
    return [
      `${text} responds, but not as the service does: it is another server, or a login page in between.`,
      pathAdvice(address),
    ];
  if (error instanceof ApiError) return statusFailure(error, address);
  return [`The connection to ${host} broke: ${error.message}`, 'Check the address and the network, and try again.'];
}

function statusFailure({ status }: ApiError, address: Address): Words {
  const { text } = address;
  if (status === 404) return [`${text} responds, but the service is not at this path (404).`, pathAdvice(address)];
  if (status === 407)
    return ['The proxy asks for a password (407).', 'Check HTTPS_PROXY, its user name and its password.'];
  if (status === 429) return [`${text} refuses more requests for now (429).`, 'Wait a minute, and try again.'];
  if (status >= 500)
    return [
      `The service at ${text} is down (${status}).`,
      'Try again in a few minutes. The cause is at the service: your settings may be right.',
    ];
  return [
    `${text} refuses requests without a login (${status}), which the service does not.`,
    'Check the address. A firewall, a VPN or a proxy in between may also refuse requests from this machine.',
  ];
}

function pathAdvice({ prefix }: Address): string {
  const path = prefix ? `The path ${prefix} may be wrong.` : 'A path may be missing, as in https://host/path.';
  return `Compare the address with the one in the account settings of the service. ${path}`;
}
