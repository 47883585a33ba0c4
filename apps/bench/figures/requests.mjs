import { judge } from '../report.mjs';
import { countRequests } from '../request-counts.mjs';

export const title = 'Requests of a job';
export const method = `Against the mock, on a virtual clock. The service allows 1000 a day. The other candidates have none of these jobs:
what they cost there is what the user writes.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure() {
  const counts = await countRequests();
  const targets = counts.map(({ job, requests, most }) =>
    judge({ figure: `requests: ${job}`, node: '–', value: requests, unit: '', digits: 0, most }),
  );
  const rows = counts.map(({ job, requests }) => [job, String(requests)]);
  return { targets, tables: [{ caption: 'multilocal', head: ['job', 'requests'], rows }] };
}
