import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ReportCreateParams } from 'multilocal';
import type { Chapter } from '../demo.js';
import { effectsOf } from './rehearse.js';

/** Number of seconds by which the mock's clock moves forward after each poll. */
const STEP = 30;
/** Reports need one or two minutes. */
const LONGEST = 120;

export const report: Chapter = {
  title: 'Have a report made, and fetch it',
  async tell({ client, identity, mock, site, screen, signal }) {
    const [fiche] = identity.gmb_fiches;
    if (!fiche || !identity.permissions.includes('publish')) {
      screen.skip(fiche ? 'the key may not publish' : 'the key covers no listing');
      return;
    }
    // A unique name, because the list has no id that identifies the report.
    const report_name = `Demo ${randomUUID().slice(0, 8)}`;
    const order: ReportCreateParams = { type: 'fiche', fiche_ids: [fiche.id], ...lastMonth(), report_name };
    if (!mock) {
      const preview = await client.dryRun.reports.create(order, { signal });
      screen.say('Ordering it would do this:', effectsOf(preview));
      screen.skip('the real service is not given an order; this one was only rehearsed');
      return;
    }

    const bar = screen.bar('seconds waited');
    let waited = 0;
    // The default is 15 s. Here the mock's clock moves forward between two polls.
    const made = await client.reports.createAndWait(order, {
      pollInterval: 200,
      signal,
      onPoll() {
        mock.advance(STEP * 1000);
        waited += STEP;
        bar.update(waited, LONGEST);
      },
    });
    bar.done(`Made within ${waited} s by the clock of the mock`);
    const pdf = await client.reports.download(made, { signal });
    const file = join(site.content, 'report.pdf');
    await mkdir(site.content, { recursive: true });
    await writeFile(file, Buffer.from(await pdf.arrayBuffer()));
    screen.table([
      ['report', made.report_name ?? report_name],
      ['listing', made.fiche_name ?? fiche.name ?? fiche.id],
      ['period', made.period ?? 'not told'],
      ['file', relative('', file)],
    ]);
  },
};

/** First and last day of the last whole month, as reports take them. */
function lastMonth(): { date_start: string; date_end: string } {
  const now = new Date();
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getFullYear(), month, date)).toISOString().slice(0, 10);
  return { date_start: day(now.getMonth() - 1, 1), date_end: day(now.getMonth(), 0) };
}
