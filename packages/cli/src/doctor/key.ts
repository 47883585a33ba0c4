import type { Identity, MultilocalError, Permission } from 'multilocal';
import { endpoints } from 'multilocal/internal/endpoints';
import { ApiError } from 'multilocal/internal/errors';
import { type Finding, ok, problem, warning } from './finding.js';

const SETTINGS = 'in the account settings of the service';
const WITH_READ = `Create a key with the permission \`read\` ${SETTINGS}.`;
const LATER = 'The address and the key work. Try again in a few minutes.';
const COMPARE = `Another server, a proxy or a newer service may respond here. Compare the address with the one ${SETTINGS}.`;

/** What a failure of `GET /me` means, and one of `GET /connections` after `GET /me` has succeeded. */
const FAILURES = {
  key: {
    unknown: [
      'The service refuses the key: it is wrong, expired or revoked.',
      `Create a key ${SETTINGS} and set it as MULTILOCAL_API_KEY. Key and address must belong together.`,
    ],
    forbidden: [
      'The service knows the key, but the key lacks the permission `read`, so it can call almost nothing.',
      WITH_READ,
    ],
    limited: [
      'The key has no requests left for now: other programs may use the same key.',
      ' Give each program its own key.',
    ],
    down: ['The service could not check the key. The key may be right.', 'Try again in a few minutes.'],
    broken: ['The connection broke while the key was checked.', 'Check the network, and try again.'],
    other: ['The key could not be checked', COMPARE],
  },
  accounts: {
    unknown: ['The service does not let this key read the accounts.', WITH_READ],
    forbidden: ['The service does not let this key read the accounts.', WITH_READ],
    limited: ['The key has no requests left for now, so the accounts were not read.', ''],
    down: ['The accounts could not be read: the service did not respond as expected.', LATER],
    broken: ['The accounts could not be read: the service did not respond as expected.', LATER],
    other: ['The accounts could not be read', COMPARE],
  },
} as const;

/** Explains why the key could not be checked, or why the accounts could not be read. */
export function callFailure(check: keyof typeof FAILURES, error: MultilocalError): Finding {
  const { status = 0, retryAfter = 60_000 } = error instanceof ApiError ? error : {};
  const kind = kindOf(error, status);
  const [found, advice] = FAILURES[check][kind];
  if (kind === 'limited')
    return problem(check, found, `Wait ${Math.ceil(retryAfter / 1000)} seconds and try again.${advice}`);
  return problem(check, kind === 'other' ? `${found}: ${whatHappened(error)}` : found, advice);
}

function kindOf({ code }: MultilocalError, status: number): keyof (typeof FAILURES)['key'] {
  if (status >= 500) return 'down';
  if (code === 'connection' || code === 'timeout') return 'broken';
  return ({ 401: 'unknown', 403: 'forbidden', 429: 'limited' } as const)[status] ?? 'other';
}

/** Describes an error without the message of the client, because it contains advice for programs. */
function whatHappened({ code }: MultilocalError): string {
  if (code === 'redirect') return 'the service redirects to another address.';
  if (code === 'invalid_response') return 'the response does not have the expected shape.';
  return `the service refused the request (${code}).`;
}

/** Describes the key of a `GET /me` response. */
export function keyFindings(identity: Identity): Finding[] {
  return [
    ok('key', 'The service accepts the key.'),
    scopeFinding(identity),
    permissionFinding(identity),
    limitFinding(identity),
  ];
}

function scopeFinding({ bulle, sphere, gmb_fiches }: Identity): Finding {
  if (bulle) {
    return ok('scope', `The key covers one location: ${bulle.name} of ${sphere.name}. Calls need no bulle_id.`);
  }
  const listings =
    gmb_fiches.length > 1
      ? ` Calls about reviews and listings need a fiche_id: \`npx multilocal whoami\` lists them.`
      : '';
  return ok(
    'scope',
    `The key covers the whole brand ${sphere.name}, so some calls must name a location, such as ${needingBulle().join(', ')}.`,
    `Add bulle_id=<id> to them: \`npx multilocal call bulles.list\` lists the ids.${listings}`,
  );
}

function needingBulle(): string[] {
  const all = endpoints.filter(({ target, targetRequired }) => target === 'bulle_id' && targetRequired === true);
  return all.slice(0, 3).map(({ operation }) => operation);
}

const PERMISSIONS = ['read', 'schedule', 'publish', 'delete'] as const satisfies Permission[];

function permissionFinding({ permissions }: Identity): Finding {
  const missing = PERMISSIONS.filter((one) => !permissions.includes(one));
  const held = `The key may ${inWords(permissions)}.`;
  if (missing.length === 0) return ok('permissions', `${held} It can call every operation.`);
  const refused = missing.map((permission) => `Without \`${permission}\`, it cannot call ${operationsOf(permission)}.`);
  return warning(
    'permissions',
    `${held} ${refused.join(' ')}`,
    'A site that only reads needs no more. For these calls, create a key with the missing permissions in the account settings of the service.',
  );
}

function operationsOf(permission: Permission): string {
  return inWords(endpoints.filter((one) => one.permission === permission).map(({ operation }) => operation));
}

function inWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function limitFinding({ rate_limits: { per_minute, per_day } }: Identity): Finding {
  if (Math.min(per_minute, per_day) < 1) {
    const found = `The service reports ${per_minute} requests a minute and ${per_day} a day, so calls may be refused.`;
    return warning('limits', found, 'Ask the people who run the service for the limits of this key.');
  }
  // The dry run of an action, and the two reads of `posts.check`.
  const actions = Math.max(1, Math.floor(Math.min(per_minute, per_day) / 3));
  return ok(
    'limits',
    `The key has ${per_minute} requests a minute and ${per_day} a day. A rehearsal of ${actions} actions needs no wait.`,
  );
}
