import {
  type Client,
  DryRunNotHonoredError,
  type PlatformName,
  type PostCreateParams,
  parseTimestamp,
  postStatusByPlatform,
} from 'multilocal';
import type { Chapter, Demo } from '../demo.js';
import { counted } from '../screen.js';
import { effectsOf } from './rehearse.js';

const LOCATIONS = 3;
const CONTENT = 'La brioche sort du four à 9 h, venez tôt\u00a0!';
const PLATFORMS: readonly PlatformName[] = ['facebook', 'gmb', 'linkedin'];

interface Plan {
  readonly place: string;
  /** The client for this location. */
  readonly local: Client;
  readonly params: PostCreateParams;
}

export const plan: Chapter = {
  title: 'Plan a post for three locations',
  async tell(demo) {
    const { client, identity, mock, screen, signal } = demo;
    const scheduled_at = tomorrowAt(9);
    const plans = await checkedPlans(demo, scheduled_at);
    const [first] = plans;
    if (!first) return;
    // A rehearsal may have to delete a post: see `rehearsal`.
    if (!identity.permissions.includes('schedule') || !identity.permissions.includes('delete')) {
      screen.skip('the key may not schedule and delete posts');
      return;
    }
    screen.say(`Planning the one for ${first.place} would do this:`, effectsOf(await rehearsal(first, demo)));
    if (!mock) {
      screen.skip('the real service is not given a post; this one was only rehearsed');
      return;
    }

    const posts = [];
    for (const { local, params } of plans) posts.push(await local.posts.create(params, { signal }));
    screen.say(`Planned for ${spoken(scheduled_at)}:`);
    screen.table(posts.map(({ id, platforms }) => [`post ${id}`, platforms.join(', ')]));

    const [post] = posts;
    if (!post) return;
    mock.advance(Date.parse(scheduled_at) - mock.now().getTime());
    const statuses = postStatusByPlatform(await client.posts.get(post.id, { signal }));
    screen.say(`The clock of the mock is put forward to that moment, and post ${post.id} is`);
    screen.table(
      Object.entries(statuses).map(([platform, status]) => [
        platform,
        status?.published ? `out since ${spoken(status.published)}` : (status?.error ?? 'still to come'),
      ]),
    );
  },
};

/** The same post for each location, without the platforms for which the check finds an issue. */
async function checkedPlans({ client, screen, signal }: Demo, scheduled_at: string): Promise<Plan[]> {
  const bulles = (await client.bulles.list({ signal })).slice(0, LOCATIONS);
  const plans: Plan[] = [];
  const rows: [string, string][] = [];
  for (const { id, name, city } of bulles) {
    const place = city ?? name ?? id;
    const local = client.forBulle(id);
    const params = { content: CONTENT, platforms: PLATFORMS, scheduled_at };
    // The check only reads, so a post without a chance costs nothing.
    const { issues } = await local.posts.check(params, { signal });
    const platforms = PLATFORMS.filter((platform) => issues.every((issue) => issue.platform !== platform));
    rows.push([place, platforms.join(', ') || 'no platform, so no post']);
    for (const { message } of issues) rows.push(['', `not on ${message}`]);
    if (platforms.length > 0) plans.push({ place, local, params: { ...params, platforms } });
  }
  screen.say(`“${CONTENT}”, checked for ${counted(bulles.length, 'location')}:`);
  screen.table(rows);
  return plans;
}

/**
 * The specification says that publishing can be previewed, but it does not list `dry_run` for this route. If the
 * service creates the post nevertheless, it is scheduled for tomorrow, and the demo deletes it before.
 */
async function rehearsal({ local, params }: Plan, { screen, signal }: Demo) {
  try {
    return await local.dryRun.posts.create(params, { signal });
  } catch (error) {
    const id = error instanceof DryRunNotHonoredError ? Object(error.body).id : undefined;
    if (Number.isSafeInteger(id)) {
      screen.say(`The service has created post ${id} in spite of the dry run: it is deleted now`);
      await local.posts.delete(id);
    }
    throw error;
  }
}

/** That hour of tomorrow by this machine's clock, with its offset: `2026-12-01T09:00:00+01:00`. */
function tomorrowAt(hour: number): string {
  const moment = new Date();
  moment.setDate(moment.getDate() + 1);
  moment.setHours(hour, 0, 0, 0);
  const east = -moment.getTimezoneOffset();
  const local = new Date(moment.getTime() + east * 60_000).toISOString().slice(0, 19);
  const ahead = Math.abs(east);
  return `${local}${east < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A timestamp of the service in local time: `22 Nov 2026, 09:00`. */
function spoken(timestamp: string): string {
  return parseTimestamp(timestamp)?.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' }) ?? timestamp;
}
