// The chapters that look after locations: a post, a reply, figures, a report. Against a real service they only preview.
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  DryRunNotHonoredError,
  type PlatformName,
  type PostCreateParams,
  postStatusByPlatform,
  type ReportCreateParams,
  type ReviewCounts,
  zonedTime,
} from 'multilocal';
import { type Demo, effectsOf, say, skip, sparkline, table } from './shared.js';

const PLATFORMS: readonly PlatformName[] = ['facebook', 'gmb', 'linkedin'];
const CONTENT = 'La brioche sort du four à 9 h, venez tôt !';

export async function plan({ client, identity, mock, signal }: Demo): Promise<void> {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const scheduled_at = zonedTime(`${tomorrow}T09:00`, 'Europe/Paris');
  const posts: PostCreateParams[] = [];
  say(`“${CONTENT}”`);
  for (const { id: bulle_id, name } of (await client.bulles.list({ signal })).slice(0, 3)) {
    const post = { content: CONTENT, platforms: PLATFORMS, scheduled_at, bulle_id };
    // The check only reads. A platform with an issue is left out.
    const { issues } = await client.posts.check(post, { signal });
    const platforms = PLATFORMS.filter((platform) => issues.every((issue) => issue.platform !== platform));
    say(
      `${name}: ${platforms.join(', ')}`,
      issues.map(({ message }) => `not on ${message}`),
    );
    if (platforms.length > 0) posts.push({ ...post, platforms });
  }
  const [first] = posts;
  if (!first) return;
  if (!identity.permissions.includes('schedule') || !identity.permissions.includes('delete'))
    return skip('the key may not schedule and delete posts');
  const preview = await client.dryRun.posts.create(first, { signal }).catch(async (error: unknown) => {
    // The specification does not list `dry_run` for this route. A post that was made in spite of it is deleted.
    const id = error instanceof DryRunNotHonoredError ? Object(error.body).id : undefined;
    if (Number.isSafeInteger(id)) await client.posts.delete(id);
    throw error;
  });
  say('Creating the first one would do this:', effectsOf(preview));
  if (!mock) return skip('the real service gets no post');

  const created: number[] = [];
  for (const post of posts) created.push((await client.posts.create(post)).id);
  mock.advance(Date.parse(scheduled_at) - mock.now().getTime());
  say(`Posts ${created.join(', ')} are created, and the clock of the mock moves to ${scheduled_at}:`);
  const [id = 0] = created;
  const statuses = Object.entries(postStatusByPlatform(await client.posts.get(id, { signal })));
  table(statuses.map(([platform, status]) => [platform, status?.published ? 'published' : String(status?.error)]));
}

export async function answer({ client, identity, mock, signal }: Demo): Promise<void> {
  const [fiche] = identity.gmb_fiches;
  if (!fiche) return skip('the key covers no listing');
  const { reviews } = client.forFiche(fiche.id);
  const page = await reviews.list({ status: 'unresponded' }, { signal });
  const [review] = page.reviews;
  if (!review) return skip('every review has a reply');
  table([
    ['listing', fiche.name ?? fiche.id],
    ['before', countsOf(page.status_counts)],
    ['★'.repeat(review.rating).padEnd(5, '☆'), `${review.customer_name}: ${review.text?.slice(0, 60) ?? 'no text'}`],
  ]);
  if (!identity.permissions.includes('publish')) return skip('the key may not publish');
  const reply = { text: 'Merci de votre avis, à bientôt au fournil !' };
  say('A reply would do this:', effectsOf(await client.dryRun.reviews.reply(review.review_id, reply, { signal })));
  if (!mock) return skip('the real service gets no reply');
  const { posted } = await reviews.reply(review.review_id, reply);
  const { status_counts } = await reviews.summary({}, { signal });
  say(`after: ${countsOf(status_counts)}, ${posted ? 'the reply is public' : 'not posted'}`);
}

const countsOf = ({ unresponded, responded }: ReviewCounts) => `${unresponded} without a reply, ${responded} with one`;

export async function measure({ client, identity, signal }: Demo): Promise<void> {
  const [fiche] = identity.gmb_fiches;
  if (!fiche) return skip('the key covers no listing');
  const { kpis, timeseries } = await client.gmb.metrics({ period_days: 30, fiche_id: fiche.id }, { signal });
  table([
    ['views', `${kpis.views_total}: ${kpis.views_maps} on Maps, ${kpis.views_search} in searches`],
    ['by day', sparkline(timeseries.map(({ vues }) => vues))],
    ['actions', `${kpis.directions} directions, ${kpis.website} website, ${kpis.calls} calls`],
  ]);
}

export async function report({ client, identity, mock, site, signal }: Demo): Promise<void> {
  const [fiche] = identity.gmb_fiches;
  if (!fiche || !identity.permissions.includes('publish')) return skip('the key may not order a report');
  const order: ReportCreateParams = {
    type: 'fiche',
    fiche_ids: [fiche.id],
    date_start: '2026-10-01',
    date_end: '2026-10-31',
    report_name: `Demo ${crypto.randomUUID().slice(0, 8)}`, // the list has no id that identifies a report
  };
  if (!mock) {
    say('Ordering it would do this:', effectsOf(await client.dryRun.reports.create(order, { signal })));
    return skip('the real service gets no order');
  }
  // The default interval is 15 s. Here the mock's clock moves between two polls.
  const onPoll = () => mock.advance(30_000);
  const made = await client.reports.createAndWait(order, { pollInterval: 200, signal, onPoll });
  const file = join(site.content, 'report.pdf');
  const pdf = await client.reports.download(made, { signal });
  await writeFile(file, Buffer.from(await pdf.arrayBuffer()));
  table([
    ['report', `${made.report_name}, ${made.period}`],
    ['file', relative('', file)],
  ]);
}
