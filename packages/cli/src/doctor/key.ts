import type { Identity, MultilocalError, Permission } from 'multilocal';
import { endpoints } from 'multilocal/internal/endpoints';
import { ApiError, ConnectionError } from 'multilocal/internal/errors';
import { type Finding, ok, problem, warning } from './finding.js';

const SETTINGS = 'in the account settings of the service';
const WITH_READ = `Create a key with the permission \`read\` ${SETTINGS}.`;
const LATER = 'The address and the key work. Try again in a few minutes.';
const COMPARE = `Another server, a proxy or a newer service may respond here. Compare the address with the one ${SETTINGS}.`;

const UNREAD = ['The service does not let this key read the accounts.', WITH_READ] as const;
const DOWN = ['The accounts could not be read: the service did not respond as expected.', LATER] as const;

/** What a failure of `GET /me` means, and one of `GET /connections` after `GET /me` has succeeded. */
const FAILURES = {
  key: {
    401: [
      'The service refuses the key: it is wrong, expired or revoked.',
      `Create a key ${SETTINGS} and set it as MULTILOCAL_API_KEY. Key and address must belong together.`,
    ],
    403: [
      'The service knows the key, but the key lacks the permission `read`, so it can call almost nothing.',
      WITH_READ,
    ],
    429: [
      'The key has no requests left for now: other programs may use the same key.',
      ' Give each program its own key.',
    ],
    down: ['The service could not check the key. The key may be right.', 'Try again in a few minutes.'],
    broken: ['The connection broke while the key was checked.', 'Check the network, and try again.'],
    other: ['The key could not be checked', COMPARE],
  },
  accounts: {
    401: UNREAD,
    403: UNREAD,
    429: ['The key has no requests left for now, so the accounts were not read.', ''],
    down: DOWN,
    broken: DOWN,
    other: ['The accounts could not be read', COMPARE],
  },
} as const;

/** What happened, without the message of the client, because that has advice for programs. */
const HAPPENED: Readonly<Record<string, string>> = {
  redirect: 'the service redirects to another address.',
  invalid_response: 'the response does not have the expected shape.',
};

/** Explains why the key could not be checked, or why the accounts could not be read. */
export function callFailure(check: keyof typeof FAILURES, error: MultilocalError): Finding {
  const { code } = error;
  const { status = 0, retryAfter = 60_000 } = error instanceof ApiError ? error : {};
  const known = status === 401 || status === 403 || status === 429 ? status : undefined;
  const kind = status >= 500 ? 'down' : error instanceof ConnectionError ? 'broken' : (known ?? 'other');
  const [found, advice] = FAILURES[check][kind];
  if (kind === 429)
    return problem(check, found, `Wait ${Math.ceil(retryAfter / 1000)} seconds and try again.${advice}`);
  const happened = HAPPENED[code] ?? `the service refused the request (${code}).`;
  return problem(check, kind === 'other' ? `${found}: ${happened}` : found, advice);
}

/** Describes the key of a `GET /me` response. */
export function keyFindings(identity: Identity): Finding[] {
  const key = ok('key', 'The service accepts the key.');
  return [key, scopeFinding(identity), permissionFinding(identity), limitFinding(identity)];
}

function scopeFinding({ bulle, sphere, gmb_fiches }: Identity): Finding {
  if (bulle) {
    return ok('scope', `The key covers one location: ${bulle.name} of ${sphere?.name}. Calls need no bulle_id.`);
  }
  const needing = endpoints.filter(({ target, targetRequired }) => target === 'bulle_id' && targetRequired === true);
  const examples = needing.slice(0, 3).map(({ operation }) => operation);
  const listings = ' Calls about reviews and listings need a fiche_id: `npx multilocal whoami` lists them.';
  return ok(
    'scope',
    `The key covers the whole brand ${sphere?.name ?? ''}, so some calls must name a location, such as ${examples.join(', ')}.`,
    `Add bulle_id=<id> to them: \`npx multilocal call bulles.list\` lists the ids.${gmb_fiches.length > 1 ? listings : ''}`,
  );
}

const PERMISSIONS = ['read', 'schedule', 'publish', 'delete'] as const satisfies Permission[];

function permissionFinding({ permissions }: Identity): Finding {
  const missing = PERMISSIONS.filter((one) => !permissions.includes(one));
  const held = `The key may ${inWords(permissions)}.`;
  if (missing.length === 0) return ok('permissions', `${held} It can call every operation.`);
  const refused = missing.map((permission) => {
    const lost = endpoints.filter((one) => one.permission === permission).map(({ operation }) => operation);
    return `Without \`${permission}\`, it cannot call ${inWords(lost)}.`;
  });
  const advice = `A site that only reads needs no more. For these calls, create a key with the missing permissions ${SETTINGS}.`;
  return warning('permissions', `${held} ${refused.join(' ')}`, advice);
}

function inWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function limitFinding({ rate_limits: { per_minute, per_day } }: Identity): Finding {
  const limits = `${per_minute} requests a minute and ${per_day} a day`;
  if (Math.min(per_minute, per_day) < 1) {
    const advice = 'Ask the people who run the service for the limits of this key.';
    return warning('limits', `The service reports ${limits}, so calls may be refused.`, advice);
  }
  // The dry run of an action, and the two reads of `posts.check`.
  const actions = Math.max(1, Math.floor(Math.min(per_minute, per_day) / 3));
  return ok('limits', `The key has ${limits}. A rehearsal of ${actions} actions needs no wait.`);
}
