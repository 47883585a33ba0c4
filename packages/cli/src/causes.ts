// cspell:disable the sentences in French
import type { Both } from '@multilocal/plans/words';

/** Why a request got no response. `host` is the one that was asked. */
export interface Cause {
  readonly check: 'address' | 'tls' | 'proxy';
  readonly found: Both;
  /** What to do. */
  readonly advice: Both;
}

/** Node's codes for a request that got no response, with what they mean. */
const CAUSES: readonly (readonly [codes: RegExp, check: Cause['check'], found: Both, advice: Both])[] = [
  [
    /^(ENOTFOUND|EAI_[A-Z]+)$/,
    'address',
    ['This machine finds no server with the name HOST.', 'Cette machine ne trouve aucun serveur du nom de HOST.'],
    [
      'Check the spelling of the address. If it is right, check the network, the VPN and the name server of this machine.',
      'Vérifiez l’orthographe de l’adresse. Si elle est juste, vérifiez le réseau, le VPN et le serveur de noms de cette machine.',
    ],
  ],
  [
    /^ECONNREFUSED$/,
    'address',
    [
      'The connection to HOST was refused: no service listens there.',
      'La connexion à HOST a été refusée : aucun service n’y écoute.',
    ],
    [
      'Check host and port of the address. If it is the mock, start it: `npx multilocal mock`.',
      'Vérifiez l’hôte et le port de l’adresse. Si c’est le mock, lancez-le : `npx multilocal mock`.',
    ],
  ],
  [
    /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'address',
    ['This machine cannot reach HOST.', 'Cette machine ne peut pas joindre HOST.'],
    [
      'Check the network and the VPN of this machine, and whether a firewall blocks the connection.',
      'Vérifiez le réseau et le VPN de cette machine, et si un pare-feu bloque la connexion.',
    ],
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    'tls',
    ['The certificate of HOST has expired.', 'Le certificat de HOST a expiré.'],
    [
      'Tell the people who run the service. First check that the clock of this machine is right.',
      'Prévenez ceux qui exploitent le service. Vérifiez d’abord que l’horloge de cette machine est juste.',
    ],
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    'tls',
    ['The certificate of HOST is not valid yet.', 'Le certificat de HOST n’est pas encore valable.'],
    ['Check that the clock of this machine is right.', 'Vérifiez que l’horloge de cette machine est juste.'],
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_\w+$/,
    'tls',
    ['The certificate belongs to another host than HOST.', 'Le certificat appartient à un autre hôte que HOST.'],
    [
      'Use the host name that the service documents. An IP address or an old name does not work.',
      'Utilisez le nom d’hôte que le service documente. Une adresse IP ou un ancien nom ne marche pas.',
    ],
  ],
  [
    /^((DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|CERT_\w+)$/,
    'tls',
    [
      'This machine does not trust the certificate of HOST.',
      'Cette machine ne fait pas confiance au certificat de HOST.',
    ],
    [
      'If your company issues such certificates, set NODE_EXTRA_CA_CERTS to the file with its root certificate. Otherwise ask the people who run the service.',
      'Si votre entreprise émet ces certificats, réglez NODE_EXTRA_CA_CERTS sur le fichier de son certificat racine. Sinon, demandez à ceux qui exploitent le service.',
    ],
  ],
  [
    /^(EPROTO|ERR_SSL_\w+)$/,
    'tls',
    ['The server at HOST does not speak https.', 'Le serveur de HOST ne parle pas https.'],
    [
      'Check the port of the address: https usually has the port 443. If it is the mock, use http://.',
      'Vérifiez le port de l’adresse : https utilise d’ordinaire le port 443. Si c’est le mock, utilisez http://.',
    ],
  ],
  [
    /^(UND_ERR_PRX_\w+|UND_ERR_ABORTED)$/,
    'proxy',
    ['The proxy refused the connection.', 'Le proxy a refusé la connexion.'],
    [
      'Check HTTPS_PROXY, its user name and its password.',
      'Vérifiez HTTPS_PROXY, son nom d’utilisateur et son mot de passe.',
    ],
  ],
];

/** Explains a request that got no response. `undefined` if nothing is known of its cause. */
export function causeOf({ cause }: Error, host?: string): Cause | undefined {
  const codes = codesOf(cause);
  const [, check, found, advice] = CAUSES.find(([known]) => codes.some((code) => known.test(code))) ?? [];
  if (!check || !found || !advice) return undefined;
  const [en, fr] = found;
  const own: Both = [
    en.replace('HOST', () => host ?? 'the service'),
    fr.replace('HOST', () => host ?? 'l’adresse du service'),
  ];
  return { check, found: own, advice };
}

function codesOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [];
  const { code, cause } = thrown as Error & { code?: unknown };
  return [String(code), ...codesOf(cause)];
}
