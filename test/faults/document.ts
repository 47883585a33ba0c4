import { fileURLToPath } from 'node:url';
import { endpoints } from '../../src/resources/index.js';
import type { Fault } from './catalogue.js';
import type { ListRow } from './lists.js';
import type { Matrix } from './matrix.js';
import { OPERATIONS, type Operation } from './operations.js';

export const DOCUMENT = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

/** For each costly write, the read that shows whether it succeeded. */
export const FINDING_OUT: Record<string, string> = Object.fromEntries(
  endpoints.flatMap(({ operation, trace }) => (trace ? [[operation, trace]] : [])),
);

const INTRODUCTION = `# What the client does when something fails

<!-- Written by UPDATE_RELIABILITY=1 npx vitest run test/faults: change test/faults/document.ts, not this file. -->

This page lists observed behaviour. A test server on loopback produces one fault at a time over real sockets and keeps a
small real state. One operation of each class is called with \`Client\`, and also with \`ArticlesClient\` if it has the
operation. Both clients behave the same in every case. The tests check five things: how many requests arrived, how the
call ended, which wait its \`retry\` events announced, that no connection stayed open, and that the state has the write at most once. The
expected behaviour is written by hand in \`test/faults/contract.ts\`. A test fails if the observed behaviour differs from it
or from this page.

## The classes

| class | operations | tested with |
|---|---|---|
| read | every GET | \`articles.get\` |
| PUT | \`articles.update\`, \`posts.update\` | \`articles.update\` |
| DELETE | \`posts.delete\` | \`posts.delete\` |
| \`confirm\` | \`articles.confirm\` | \`articles.confirm\` |
| dry run | every operation with \`dry_run: true\`, or of \`client.dryRun\` | \`articles.publish\` |
| costly write | every other POST, including POSTs of \`client.request\` | \`articles.publish\` |

The client retries all classes except costly writes if the response is missing. It retries a costly write only if the
service did not execute it: after a 429, and after a failure before the request was sent, such as a refused connection.
**In no test did the client send a costly write again that may have succeeded.**

## What \`outcome\` means

Every error has an \`outcome\`. For a read it is always \`not_applied\`.

| \`outcome\` | meaning | what to do |
|---|---|---|
| \`not_applied\` | Nothing was sent, or the service refused the request. | Correct the cause, then call again. |
| \`unknown\` | The request was sent, but no response shows its result. If there were several attempts, one of them may have succeeded. | Check first (see below). You can call PUT, DELETE and \`confirm\` again without a check. |
| \`applied\` | The service returned 2xx with an unusable body. | Do not call again. Read the data that you need. |

If you abort a call with \`signal\`, it rejects with \`signal.reason\`, which has no \`outcome\`. Treat a write that you aborted like
\`unknown\`. For writes, prefer \`timeout\` and \`totalTimeout\`, which reject with an error that has an \`outcome\`.

Wait before you check, because the service may still be working on a request that timed out. The service documents no limit
for this. One minute is a good start.

After \`unknown\`, check whether a costly write succeeded:

| after | check |
|---|---|
`;

const LEGEND = `
## Faults

How to read a cell: \`\` 3 × \`timeout\`, unknown \`\` means that the client sent three requests, and that the call then rejected
with an error whose code is \`timeout\` and whose \`outcome\` is \`unknown\`. The \`outcome\` of reads is left out. \`2 × ok\` means
that the call resolved with the second request.

The first line of a cell is for a permanent fault, with the default \`maxRetries\` of 2. The second line, if there is one, is
for a fault that happens once. Between two requests, the client waits as long as \`Retry-After\` says. Without it, the client
waits half a second, then a second, and each wait is randomly shorter, by up to 50 %. If the client cannot know whether the
service executed the request before the fault, both cases were tested.
`;

const ELSEWHERE = `
## Beyond one fault at a time

Other tests observed these cases, with checks on both sides:

| fault | behaviour of the client |
|---|---|
| A response without a request arrives on a connection before the next request is sent | The client does not use it as the response to that request. It closes the connection. On Node 20, this only works with the global \`fetch\`. |
| … after the request was sent | HTTP/1.1 does not number responses, so the client cannot detect the wrong one. The following request gets its own response. |
| The service closes an idle connection | The client sends the next request over another connection, including costly writes. If the connection closes after the request was sent: \`unknown\`. |
| HTTP/2: a reset, GOAWAY, the end of the connection | A costly write is sent once: \`unknown\`. |
| HTTP/2: a reset within the body of a 200 | Node treats the incomplete body as complete: \`invalid_response\`, and \`applied\` after a write. |
| A proxy of the environment refuses the tunnel (403, 407, 502) | Only a sentence of the runtime says that nothing was sent: \`unknown\`, and a costly write is sent once. The error contains neither the key nor the password of the proxy. |
| … the tunnel breaks after the request was sent | A costly write is sent once: \`unknown\`. |
| TLS: a reset or an end within the handshake, a service without TLS | Node reports them like the end of an open connection: \`unknown\`, and a costly write is sent once. |
| A connection that was used before breaks, on Deno | Deno would retry every request. A costly write gets its own connection, so it is sent once: \`unknown\`. If you pass your own \`client\` in \`fetchOptions\`, set \`poolMaxIdlePerHost: 0\`. |
| … in a page | Chromium retries every request, and pages cannot prevent this. Send costly writes from a server. |
| The process is stopped and continued (a laptop that sleeps) in a request, in the wait before a retry, in the queue of the limiter | No request is sent twice, and the limit of each minute is kept afterwards. |
| A response has millions of wrong values, or one of 16 MB and more | \`invalid_response\` with at most 100 issues and the beginning of the body. The event loop is not blocked. |
| The clock is set back, on the machine of the client or of \`articlesProxy\` | Waits, limits and caches use monotonic time: nothing stops, and nothing stale becomes fresh. |
| One visitor of \`articlesProxy\` requests another date every two seconds, or 500 unknown ids | The others get every article that the proxy has shown, fresh or stale. |
| A complete listing needs more requests than the day has | The run ends with \`rate_limit\`, and the next run continues where it stopped. |
`;

const LISTS = `
## A list that is wrong

A copy of 200 articles is reconciled (\`syncTo\` with \`reconcile: true\`) while the list of the service is wrong, and then again
with a correct list. A run never removes an existing article. If a run cannot know which articles exist, it fails with
\`sync_stalled\`, removes nothing and saves no cursor.

| the list | the run | existing articles removed | wrong articles in the copy | after the next run |
|---|---|---|---|---|
`;

/** Writes the document from the observed behaviour. */
export function render(matrix: Matrix, lists: readonly ListRow[]): string {
  const rows = Object.entries(FINDING_OUT).map(([operation, where]) => `| \`${operation}\` | ${where} |\n`);
  const groups = [...new Set(matrix.faults.map(({ group }) => group))];
  const tables = groups.map((group) => table(matrix, group));
  return [INTRODUCTION, ...rows, LEGEND, ...tables, ELSEWHERE, LISTS, ...lists.map(listRow)].join('');
}

function listRow({ name, outcome, removed, differs, differsLater }: ListRow): string {
  return `| ${name} | ${outcome === 'ok' ? outcome : `\`${outcome}\``} | ${removed} | ${differs} | ${differsLater} |\n`;
}

/** Faults with the same behaviour share a row, and classes with the same behaviour share a column. */

function table(matrix: Matrix, group: string): string {
  const faults = matrix.faults.filter((fault) => fault.group === group);
  const columns = new Map<string, string[]>();
  for (const { id, title } of OPERATIONS) {
    const column = JSON.stringify(faults.map((fault) => consequences(matrix, fault, id)));
    columns.set(column, [...(columns.get(column) ?? []), title]);
  }
  const cells = [...columns.keys()].map((column) => JSON.parse(column) as string[]);
  const rows = new Map<string, Set<string>>();
  faults.forEach(({ name }, index) => {
    const row = cells.map((column) => column[index]).join(' | ');
    rows.set(row, (rows.get(row) ?? new Set()).add(name));
  });
  return [
    `\n### ${group}\n\n`,
    `| fault | ${[...columns.values()].map((titles) => titles.join(', ')).join(' | ')} |\n`,
    `|${'---|'.repeat(columns.size + 1)}\n`,
    ...[...rows].map(([row, names]) => `| ${[...names].join('<br>')} | ${row} |\n`),
  ].join('');
}

/** One line for the fault that lasts, one for the fault that strikes once; a difference between transports would add one. */
function consequences(matrix: Matrix, fault: Fault, id: Operation['id']): string {
  const cells = matrix.cells.filter((cell) => cell.fault === fault && cell.operation.id === id);
  const shown = (mode: string) => new Set(cells.filter((cell) => cell.mode === mode).map((cell) => cell.shown));
  const lines = [...shown('lasts'), ...shown('once')].join('<br>');
  return id === 'read' ? lines.replaceAll(', not_applied', '') : lines;
}
