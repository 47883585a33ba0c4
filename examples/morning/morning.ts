import type { ConnectedClient, Report, ReportCreateParams } from 'multilocal';
import type { Campaign, CampaignRow, Plan, PlanAction, PlanJournal } from 'multilocal/plans';
import { planCampaign, rehearsePlan, runPlan } from 'multilocal/plans';

/**
 * Publishes the posts of a campaign and returns the report on the week before. After any failure, call it again with the
 * same campaign: nothing is published twice, and the report is ordered once.
 */
export async function publishMorning(
  client: ConnectedClient,
  journal: PlanJournal,
  campaign: Campaign,
  rows: CampaignRow[],
): Promise<Report> {
  const posts = planCampaign(campaign, await client.bulles.list(), rows);
  stopAt(posts.problems);

  const fiche_ids = client.identity.gmb_fiches.slice(0, 1).map(({ id }) => id);
  const week = { date_start: daysBefore(campaign, 7), date_end: daysBefore(campaign, 1) };
  const report: ReportCreateParams = { type: 'fiche', fiche_ids, ...week, report_name: campaign.campaign };
  const order: PlanAction = { key: `${campaign.campaign}/report`, operation: 'reports.create', params: report };
  const plan: Plan = { name: campaign.campaign, actions: [...posts.plan.actions, order] };

  const rehearsal = await rehearsePlan(client, plan, { journal });
  stopAt(rehearsal.actions.flatMap(({ problems }) => problems));
  const { steps } = await runPlan(client, plan, { journal });
  stopAt(steps.flatMap(({ problem }) => problem ?? []));
  // The name is unique, so a report that an earlier run has ordered is found, too.
  return client.reports.wait({ report_name: campaign.campaign, since: new Date(week.date_start) });
}

function stopAt(problems: readonly object[]): void {
  if (problems.length > 0) throw new Error(problems.map((problem) => JSON.stringify(problem)).join('\n'));
}

const daysBefore = ({ at }: Campaign, days: number): string =>
  new Date(Date.parse(at.slice(0, 10)) - days * 86_400_000).toISOString().slice(0, 10);
