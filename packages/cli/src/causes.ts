/** Why a request got no response. `host` is the one that was asked. */
export interface Cause {
  readonly check: 'address' | 'tls' | 'proxy';
  readonly found: string;
  /** What to do. */
  readonly advice: string;
}

/** Node's codes for a request that got no response, with what they mean. */
const CAUSES: readonly (readonly [codes: RegExp, check: Cause['check'], found: string, advice: string])[] = [
  [
    /^(ENOTFOUND|EAI_[A-Z]+)$/,
    'address',
    'This machine finds no server with the name HOST.',
    'Check the spelling of the address. If it is right, check the network, the VPN and the name server of this machine.',
  ],
  [
    /^ECONNREFUSED$/,
    'address',
    'The connection to HOST was refused: no service listens there.',
    'Check host and port of the address. If it is the mock, start it: `npx multilocal mock`.',
  ],
  [
    /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'address',
    'This machine cannot reach HOST.',
    'Check the network and the VPN of this machine, and whether a firewall blocks the connection.',
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    'tls',
    'The certificate of HOST has expired.',
    'Tell the people who run the service. First check that the clock of this machine is right.',
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    'tls',
    'The certificate of HOST is not valid yet.',
    'Check that the clock of this machine is right.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_\w+$/,
    'tls',
    'The certificate belongs to another host than HOST.',
    'Use the host name that the service documents. An IP address or an old name does not work.',
  ],
  [
    /^((DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|CERT_\w+)$/,
    'tls',
    'This machine does not trust the certificate of HOST.',
    'If your company issues such certificates, set NODE_EXTRA_CA_CERTS to the file with its root certificate. Otherwise ask the people who run the service.',
  ],
  [
    /^(EPROTO|ERR_SSL_\w+)$/,
    'tls',
    'The server at HOST does not speak https.',
    'Check the port of the address: https usually has the port 443. If it is the mock, use http://.',
  ],
  [
    /^(UND_ERR_PRX_\w+|UND_ERR_ABORTED)$/,
    'proxy',
    'The proxy refused the connection.',
    'Check HTTPS_PROXY, its user name and its password.',
  ],
];

/** Explains a request that got no response. `undefined` if nothing is known of its cause. */
export function causeOf({ cause }: Error, host = 'the service'): Cause | undefined {
  const codes = codesOf(cause);
  const [, check, found, advice] = CAUSES.find(([known]) => codes.some((code) => known.test(code))) ?? [];
  return check && found && advice ? { check, found: found.replace('HOST', () => host), advice } : undefined;
}

function codesOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [];
  const { code, cause } = thrown as Error & { code?: unknown };
  return [String(code), ...codesOf(cause)];
}
