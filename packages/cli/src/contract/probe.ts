import type { Client, Connection, MultilocalError, PlatformName } from 'multilocal';
import { DryRunNotHonoredError, isMultilocalError } from 'multilocal/internal/errors';
import { canPublish } from '../doctor/accounts.js';
import { UsageError } from '../failure.js';
import type { Honoured } from './file.js';

/** What a probe has done. */
export interface Probe {
  readonly dry_run: Honoured;
  /** What people must know: what an ignored dry run has made, and whether it was deleted. */
  readonly said: readonly string[];
}

const TEXT = 'Dry run of a contract check. Please delete this post.';
const YEAR = 365 * 86_400_000;

/**
 * Previews the operations whose `dry_run` the specification shows only under a general rule. A service that ignores it
 * schedules a post a year ahead, which is deleted.
 * @param asks whether `social.publish` may be tried, once `posts.create` was honoured.
 */
export async function probe(
  client: Client,
  bulle_id: string,
  asks: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<Probe> {
  const platform = platformOf(await client.connections.list({ bulle_id }, { signal }));
  const target = { bulle_id, platforms: [platform], scheduled_at: new Date(Date.now() + YEAR) };
  const options = { signal, maxRetries: 0 };
  const said: string[] = [];
  const honoured = async (preview: Promise<unknown>) => {
    const error = await ignored(preview);
    if (error) said.push(await takeBack(client, bulle_id, error));
    return error ? 'ignored' : 'honoured';
  };
  const created = await honoured(client.dryRun.posts.create({ ...target, content: TEXT }, options));
  // The specification has one rule for both.
  const dry_run = { 'posts.create': created, 'posts.publish': created } as const;
  if (created === 'ignored') return { dry_run, said };
  if (!(await asks())) return { dry_run, said: ['`social.publish` was not tried.'] };
  const published = await honoured(client.dryRun.social.publish({ ...target, text: TEXT }, options));
  return { dry_run: { ...dry_run, 'social.publish': published }, said };
}

function platformOf(connections: readonly Connection[]): PlatformName {
  const ready = connections.find((one) => canPublish(one, Date.now()));
  // The service may know more platforms than this version. It refuses those that it does not know.
  if (ready) return ready.platform as PlatformName;
  throw new UsageError('The location of `--probe-dry-run` has no account that can post.', 'Pass another `bulle_id`.');
}

/** Returns the error if the service has executed a dry run. */
async function ignored(preview: Promise<unknown>): Promise<DryRunNotHonoredError | undefined> {
  try {
    await preview;
    return undefined;
  } catch (error) {
    if (error instanceof DryRunNotHonoredError) return error;
    throw error;
  }
}

/** Deletes the post that an ignored dry run has made. Ctrl-C must not leave it there. */
async function takeBack(client: Client, bulle_id: string, error: DryRunNotHonoredError): Promise<string> {
  const what = `\`${error.operation}\` ignored \`dry_run\` and made a post that is scheduled a year ahead`;
  try {
    const posts = await client.posts.findRecent({ content: TEXT, bulle_id, since: error.sentAt ?? new Date() });
    for (const { id } of posts) await client.posts.delete(id);
    if (posts.length > 0) return `${what}. It was deleted.`;
    return `${what}. It was not found: look for "${TEXT}" in the account, and delete it.`;
  } catch (failure) {
    if (!isMultilocalError(failure)) throw failure;
    const { code }: MultilocalError = failure;
    return `${what}. It could not be deleted (${code}): delete the post "${TEXT}" in the account.`;
  }
}
