import { createRequire } from 'node:module';
import type { ClientOptions } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { inside } from 'multilocal/internal/inspect';
import { ask } from '../ask.js';
import { EXIT, UsageError } from '../failure.js';
import type { Output } from '../output.js';
import { workflowWarning } from '../plan/github.js';
import { sha256 } from '../words.js';
import { checkContract, type Result } from './check.js';
import { sentences } from './facts.js';
import { type Contract, readContract, update, writeContract } from './file.js';
import { type ContractReport, describeContract, printChange } from './print.js';
import { probe } from './probe.js';

/** What `doctor --contract` gets. */
interface Order {
  readonly options: ClientOptions;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** The file for shapes and facts. */
  readonly out: string | undefined;
  /** The location whose dry runs are probed. */
  readonly bulle: string | undefined;
  /** Whether `social.publish` may be probed without a question. */
  readonly isSure: boolean;
}

/** Runs `doctor --contract`. Resolves to the exit code. */
export async function contract({ options, output, signal, out, bulle, isSure }: Order): Promise<number> {
  const client = new Client(options);
  // The address may name the customer.
  const address = sha256(inside(client).address);
  const before = out === undefined ? undefined : await readContract(out);
  if (before && before.address !== address) {
    throw new UsageError('The file of `--out` belongs to another address.', 'Pass another path.');
  }
  const found = await checkContract(options, signal, before?.left && resultsOf(before));
  const head = { client: version(), address, checked_at: new Date().toISOString() };
  // A check that was cut short says nothing about changes.
  const { changes, contract } = update(before, found, head);
  const asks = async () => isSure || (output.isInteractive && (await ask(QUESTION, signal)));
  const probed = bulle === undefined ? undefined : await probe(client, bulle, asks, signal);
  const dry_run = probed && { ...before?.dry_run, ...probed.dry_run };
  if (out !== undefined) await writeContract(out, output.clean({ ...contract, ...(dry_run && { dry_run }) }));
  for (const line of probed?.said ?? []) output.note(line);
  const hasDrift = found.results.some(({ status }) => status === 'drift');
  const failed = found.results.filter(({ status }) => status === 'failed');
  const isChanged = hasDrift || changes.length > 0 || Object.values(probed?.dry_run ?? {}).includes('ignored');
  const report: ContractReport = {
    ok: !isChanged && failed.length === 0,
    operations: found.results.map(({ shape: _, ...result }) => result),
    facts: found.facts,
    sentences: sentences(found.facts),
    changes,
    ...(probed && { dry_run: probed.dry_run }),
    requests: found.requests,
  };
  output.data(report, describeContract(report, output));
  if (process.env.GITHUB_ACTIONS === 'true') {
    for (const change of changes) output.workflowCommand(workflowWarning(out ?? '', printChange(change)));
  }
  if (isChanged) return EXIT.failed;
  if (failed.length === 0) return EXIT.done;
  return found.isTransient ? EXIT.retry : EXIT.failed;
}

const QUESTION =
  '`social.publish` comes next: if the service ignores `dry_run`, it schedules a post a year ahead. Try it?';

/** What an earlier check that was cut short has read. */
function resultsOf({ operations }: Contract): Result[] {
  return Object.entries(operations).map(([operation, result]) => ({ operation, ...result }));
}

function version(): string {
  return (createRequire(import.meta.url)('multilocal/package.json') as { version: string }).version;
}
