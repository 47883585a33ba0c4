import type { KnownService } from '../contract/known-service.js';

/**
 * Operations that have a preview by a general rule of the specification only. If the service ignored their `dry_run`, the
 * preview would publish, so a tool that says it is read-only sends it only after a contract check has seen it honoured.
 */
export const PROVEN_FIRST = ['posts.create', 'posts.publish', 'social.publish'] as const;

/** Why one of them was only checked. */
export const UNPROVEN =
  'It was checked against accounts, limits and the posts that there are, and not previewed: no contract check has seen that the service honours its `dry_run`.';

/** Why operations that have a preview are only checked. */
export function unpreviewedBy(contract: KnownService | undefined): ReadonlyMap<string, string> {
  const unproven = PROVEN_FIRST.filter((operation) => contract?.dry_run[operation] !== 'honoured');
  return new Map([...unproven.map((operation) => [operation, UNPROVEN] as const), ...(contract?.unpreviewed ?? [])]);
}
