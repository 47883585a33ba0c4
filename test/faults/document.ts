import { fileURLToPath } from 'node:url';
import { endpoints } from '../../src/resources/index.js';
import type { Fault } from './catalogue.js';
import type { ListRow } from './lists.js';
import type { Matrix } from './matrix.js';
import { OPERATIONS, type Operation } from './operations.js';

export const DOCUMENT = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

/** For each costly write: where its trace shows. */
export const FINDING_OUT: Record<string, string> = Object.fromEntries(
  endpoints.flatMap(({ operation, trace }) => (trace ? [[operation, trace]] : [])),
);

const INTRODUCTION = `# What the client does when something fails

<!-- Written by UPDATE_RELIABILITY=1 npx vitest run test/faults: change test/faults/document.ts, not this file. -->

Every line below was observed. A server on loopback commits one fault at a time over real sockets, with a small real
state behind it, and one operation of each class meets it: through \`Client\`, and through \`ArticlesClient\` where it has
the operation; both did the same in every case. At both ends it is checked how many requests arrived, what the call came
to, whether it waited as long as it should, that no connection stayed open, and that the state shows the write zero times
or once. What should happen is typed in by hand from the rules of the package (\`test/faults/contract.ts\`); a test fails
where the two differ, and where this file is not what was observed.

## The classes

| class | what belongs to it | seen here with |
|---|---|---|
| read | every GET | \`articles.get\` |
| PUT | \`articles.update\`, \`posts.update\` | \`articles.update\` |
| DELETE | \`posts.delete\` | \`posts.delete\` |
| \`confirm\` | \`articles.confirm\` | \`articles.confirm\` |
| dry run | every operation with \`dry_run: true\`, or of \`client.dryRun\` | \`articles.publish\` |
| costly write | every other POST, those of \`client.request\` too | \`articles.publish\` |

All but the last may be sent again whenever an answer is missing. A costly write is sent again only after a 429 and after
failures before which nothing was sent, such as a refused connection: in both cases it was not carried out. **No fault made
the client send one twice where the first may have been carried out.**

## What \`outcome\` means

Every error has an \`outcome\`. Of a read it is always \`not_applied\`.

| \`outcome\` | means | do |
|---|---|---|
| \`not_applied\` | Nothing was sent, or the service refused. | Correct what the error names, then call again. |
| \`unknown\` | It was sent, and no answer says what became of it. Where several attempts were made, one of them may have been carried out. | Look first (below). PUT, DELETE and \`confirm\` can simply be called again. |
| \`applied\` | The service answered with 2xx, but with a body that cannot be used. | Do not call again: read what you need. |

An abort of your own (\`signal\`) rejects with \`signal.reason\`, which has no \`outcome\`. Of a write that was under way, take it for
\`unknown\`. \`timeout\` and \`totalTimeout\` reject with an error that has one: prefer them for writes.

Wait before you look: the service may still be at work on a request that timed out here. It names no bound; a minute, say.

After \`unknown\`, the trace of a costly write shows here:

| after | look at |
|---|---|
`;

const LEGEND = `
## Faults

\`\` 3 × \`timeout\`, unknown \`\`: three requests were sent, then the call was rejected with an error of the code \`timeout\`
whose \`outcome\` is \`unknown\` (for reads it is left out). The first line of a cell is for a fault that lasts, with the
default \`maxRetries\` of 2; the second, if there is one, for a fault that strikes once: \`2 × ok\` resolved with the second
request. Between two requests lies what \`Retry-After\` asks for; without one, half a second and then a second, less a
random part of up to the half. Where the client cannot see whether the service carried the request out before the fault
struck, both were tried.
`;

const ELSEWHERE = `
## Beyond one fault at a time

Tests of their own observed these, at both ends too:

| what happens | what the client does |
|---|---|
| A response that nobody asked for arrives on a connection before the next request is sent | It is not taken for the response to that request; the connection is closed. Node 20 needs the client's help for this, which it has through the global \`fetch\`. |
| … after the request was sent | HTTP/1.1 numbers no responses, so nothing tells the two apart. The request after that gets its own response. |
| The service closes an idle connection | The next request goes out over another, costly writes too. If the end arrives after the request was sent: \`unknown\`. |
| HTTP/2: the service refuses the stream (REFUSED_STREAM) | It promises that nothing was processed: retried, \`not_applied\`. |
| HTTP/2: another reset, GOAWAY, the end of the connection | A costly write is sent once: \`unknown\`. |
| HTTP/2: a reset within the body of a 200 | Node takes the half for the whole: \`invalid_response\`, and \`applied\` after a write. |
| A proxy of the environment refuses the tunnel (403, 407, 502) | Nothing was sent: retried, \`not_applied\`. Neither the key nor the password of the proxy shows. |
| … the tunnel breaks after the request was sent | A costly write is sent once: \`unknown\`. |
| TLS: a reset within the handshake, a service without TLS | Node reports both like the end of a connection in use: \`unknown\`, and a costly write is sent once. |
| A connection that was used before breaks, on Deno | Deno would send any request again by itself. A costly write gets a connection of its own, so it is sent once: \`unknown\`. A \`client\` of yours in \`fetchOptions\` needs \`poolMaxIdlePerHost: 0\` for that. |
| … in a page | Chromium sends any request again by itself, and no page can prevent it. Costly writes belong on a server. |
| The process is stopped and continued (a laptop that sleeps) in a request, in the wait before a retry, in the queue of the limiter | Nothing is doubled, and no minute gets more than its share afterwards. |
| A response has millions of wrong values, or one of 16 MB and more | \`invalid_response\` with at most 100 issues and the beginning of the body. The event loop goes on. |
| A clock is set back, in the client or in front of \`articlesProxy\` | Waits, limits and caches go by monotonic time: nothing stops, and nothing stale is fresh again. |
| One visitor of \`articlesProxy\` asks for another date every two seconds, or for 500 ids that do not exist | Others get every article that the proxy has shown, fresh or stale. |
| A complete listing takes more requests than the day has | The run ends with \`rate_limit\`, and the next one continues where it stopped. |
`;

const LISTS = `
## A list that is wrong

A copy of 200 articles is reconciled (\`syncTo\` with \`reconcile: true\`) while the list of the service is wrong, and again with a
list in order. An article that exists is never removed. A run that cannot know fails with \`sync_stalled\`, removes nothing and
saves no cursor.

| the list | the run | existing articles removed | articles in which the copy differs | after the next run |
|---|---|---|---|---|
`;

/** The document for what was observed. */
export function render(matrix: Matrix, lists: readonly ListRow[]): string {
  const rows = Object.entries(FINDING_OUT).map(([operation, where]) => `| \`${operation}\` | ${where} |\n`);
  const groups = [...new Set(matrix.faults.map(({ group }) => group))];
  const tables = groups.map((group) => table(matrix, group));
  return [INTRODUCTION, ...rows, LEGEND, ...tables, ELSEWHERE, LISTS, ...lists.map(listRow)].join('');
}

function listRow({ name, outcome, removed, differs, differsLater }: ListRow): string {
  return `| ${name} | ${outcome === 'ok' ? outcome : `\`${outcome}\``} | ${removed} | ${differs} | ${differsLater} |\n`;
}

/** Faults with the same consequences share a row, classes with the same consequences a column. */
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
