import type { Identity, MultilocalError, Permission } from 'multilocal';
import { endpoints } from 'multilocal/internal/endpoints';
import { ApiError } from 'multilocal/internal/errors';
import { type Finding, ok, problem, warning } from './finding.js';

const NEW_KEY =
  'Create a key in the account settings of the service and set it as MULTILOCAL_API_KEY. Key and address must belong together.';

/** Explains why `GET /me` failed. */
export function keyFailure(error: MultilocalError): Finding {
  const { status = 0, retryAfter = 60_000 } = error instanceof ApiError ? error : {};
  if (status === 401) return problem('key', 'The service refuses the key: it is wrong, expired or revoked.', NEW_KEY);
  if (status === 403) {
    const found = 'The service knows the key, but the key lacks the permission `read`, so it can call almost nothing.';
    return problem('key', found, 'Create a key with the permission `read` in the account settings of the service.');
  }
  if (status === 429) {
    const found = 'The key has no requests left for now: other programs may use the same key.';
    return problem(
      'key',
      found,
      `Wait ${Math.ceil(retryAfter / 1000)} seconds and try again. Give each program its own key.`,
    );
  }
  if (status >= 500) {
    const found = `The service could not check the key (${status}). The key may be right.`;
    return problem('key', found, 'Try again in a few minutes.');
  }
  if (error.code === 'connection' || error.code === 'timeout')
    return problem('key', 'The connection broke while the key was checked.', 'Check the network, and try again.');
  return problem('key', `GET /me failed: ${whatHappened(error)}`, COMPARE);
}

/** Explains why `GET /connections` failed, after `GET /me` has succeeded. */
export function accountFailure(error: MultilocalError): Finding {
  const { status = 0, retryAfter = 60_000 } = error instanceof ApiError ? error : {};
  if (status === 429) {
    const wait = `Wait ${Math.ceil(retryAfter / 1000)} seconds and try again.`;
    return problem('accounts', 'The key has no requests left for now, so the accounts were not read.', wait);
  }
  if (status === 401 || status === 403) {
    const found = `The service does not let this key read the accounts (${status}).`;
    return problem(
      'accounts',
      found,
      'Create a key with the permission `read` in the account settings of the service.',
    );
  }
  if (status >= 500 || error.code === 'connection' || error.code === 'timeout') {
    const advice = 'The address and the key work. Try again in a few minutes.';
    return problem('accounts', 'The accounts could not be read: the service did not respond as expected.', advice);
  }
  return problem('accounts', `The accounts could not be read: ${whatHappened(error)}`, COMPARE);
}

const COMPARE =
  'Another server, a proxy or a newer service may respond here. Compare the address with the one in the account settings of the service.';

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
