import { isDeepStrictEqual } from 'node:util';
import { ArticlesClient } from '../../src/articles.js';
import { Client } from '../../src/client.js';
import { type ApiError, type ClientEvent, isMultilocalError, type MultilocalError } from '../../src/index.js';
import { KEY } from '../support/fixtures.js';
import { agentOf } from '../support/tls.js';
import { catalogue, type Fault } from './catalogue.js';
import { type Expected, expected, SHORT_TIMEOUT } from './contract.js';
import { answerProperly, FaultServer, quietPort, waitFor } from './fault-server.js';
import { OPERATIONS, type Operation } from './operations.js';

/** Cells under way at once: enough to keep the waits from adding up, few enough for attempts to end before their timeout. */
const AT_ONCE = 100;
const HEAVY_AT_ONCE = 2;

/** One call against one fault. */
interface Cell {
  operation: Operation;
  fault: Fault;
  transport: 'Client' | 'ArticlesClient';
  /** The fault strikes every attempt, or the first alone. */
  mode: 'lasts' | 'once';
}

/** What was seen, from both ends. */
interface Observed {
  /** What the call resolved to or rejected with. */
  settled: { value: unknown } | { error: unknown };
  /** Attempts as the client reports them. */
  attempts: number;
  connections: number;
  requests: number;
  /** Ms that the client said it would wait before each retry. */
  waits: number[];
  /** Visible changes on the service. */
  effects: number;
  told: unknown;
  /** Connections that the client had not let go of well after the call had ended. */
  leftOpen: number;
  /** Requests of calls that had ended. */
  strays: string[];
  /** What the call left behind, in which the key may not show. */
  left: unknown;
}

/** A cell with its verdict. */
export interface CellReport {
  fault: Fault;
  operation: Operation;
  mode: Cell['mode'];
  name: string;
  /** Requests, and what they came to. */
  shown: string;
  /** Where the client does something else than the contract says. */
  deviations: string[];
}

export interface Matrix {
  faults: Fault[];
  cells: CellReport[];
  /** Connections to the origin that redirects point to. */
  elsewhere: number;
  /** Of each call: what it came to, the client, the promise, the events. */
  leftBehind: unknown[];
}

/** Run every fault against every class of operations through both transports. */
export async function runMatrix(): Promise<Matrix> {
  const other = new FaultServer(() => ({ received: answerProperly }));
  const faults = catalogue(await other.listen());
  const cells = faults.flatMap((fault) => OPERATIONS.flatMap((operation) => cellsOf(fault, operation)));
  const reports = new Map<Cell, CellReport>();
  const leftBehind: unknown[] = [];
  const run = async (cell: Cell) => {
    const { report, left } = await runCell(cell);
    reports.set(cell, report);
    leftBehind.push(left);
  };
  await pool(
    cells.filter(({ fault }) => !fault.heavy).map((cell) => () => run(cell)),
    AT_ONCE,
  );
  await pool(
    cells.filter(({ fault }) => fault.heavy).map((cell) => () => run(cell)),
    HEAVY_AT_ONCE,
  );
  await other.close();
  return {
    faults,
    cells: cells.map((cell) => reports.get(cell) as CellReport),
    elsewhere: other.connections,
    leftBehind,
  };
}

function cellsOf(fault: Fault, operation: Operation): Cell[] {
  const transports =
    typeof operation.call === 'function' ? (['Client', 'ArticlesClient'] as const) : (['Client'] as const);
  // A fault after which nothing is repeated strikes once anyway.
  return transports.flatMap((transport) => {
    const { requests } = expected(operation, fault, transport === 'ArticlesClient');
    // A certificate stays what it is.
    const strikesOnce = requests > 1 && !fault.lasting && fault.family.kind !== 'untrusted';
    const modes = strikesOnce ? (['lasts', 'once'] as const) : (['lasts'] as const);
    return modes.map((mode) => ({ operation, fault, transport, mode }));
  });
}

async function runCell(cell: Cell): Promise<{ report: CellReport; left: unknown }> {
  const { fault, operation, mode, transport } = cell;
  const seen = await observe(cell);
  const report = {
    fault,
    operation,
    mode,
    name: `${operation.title}, ${transport}, ${mode === 'lasts' ? 'the fault lasts' : 'the fault strikes once'}`,
    shown: show(seen),
    deviations: compare(cell, expected(operation, fault, transport === 'ArticlesClient'), seen),
  };
  return { report, left: seen.left };
}

async function observe({ operation, fault, transport, mode }: Cell): Promise<Observed> {
  const well = { received: answerProperly };
  const server = new FaultServer((connection) => {
    return mode === 'lasts' || connection === 0 ? (fault.behaviour ?? well) : well;
  }, fault.certificate);
  // Where nobody listens at first, somebody may by the time of the repetition.
  const port = fault.behaviour ? 0 : await quietPort();
  if (fault.behaviour) await server.listen();
  else server.reserve(port);
  let opening: Promise<unknown> | undefined;
  let attempts = 0;
  const events: ClientEvent[] = [];
  const agent = fault.connect && (await agentOf({ connect: fault.connect }));
  const options = {
    apiKey: KEY,
    baseUrl: server.url.replace('127.0.0.1', fault.host ?? '127.0.0.1'),
    ...(agent && { fetchOptions: { dispatcher: agent } as object }),
    timeout: fault.family.kind === 'timeout' ? SHORT_TIMEOUT : 600_000,
    onEvent: (event: ClientEvent) => {
      const { type } = event;
      events.push(event);
      if (type === 'request') attempts++;
      if (type === 'retry' && !fault.behaviour && mode === 'once') opening ??= server.listen(port);
    },
  };
  const client = new Client(options);
  const { call } = operation;
  const work =
    typeof call === 'function'
      ? call(transport === 'Client' ? client.articles : new ArticlesClient(options))
      : call.client(client);
  const settled = await Promise.resolve(work).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await opening;
  await waitFor(() => server.open.size === 0);
  const { connections, received, service } = server;
  const observed = {
    settled,
    attempts,
    connections,
    requests: received.length,
    waits: events.flatMap((event) => (event.type === 'retry' ? [event.delay] : [])),
    effects: service.effects,
    told: service.told,
    leftOpen: server.open.size,
    strays: server.strays,
    left: { settled, client, work, events },
  };
  await server.close();
  await agent?.destroy();
  return observed;
}

/** Everything in which what was seen is not what the contract says. */
function compare({ operation, fault, mode }: Cell, lasting: Expected, seen: Observed): string[] {
  const faults: string[] = [];
  const check = (what: string, is: unknown, should: unknown) => {
    if (!isDeepStrictEqual(is, should)) faults.push(`${what}: ${quote(is)} instead of ${quote(should)}`);
  };
  const { settled } = seen;
  const resolves = mode === 'once' || lasting.result.resolves;
  const requests = mode === 'once' ? 2 : lasting.requests;
  const isUnsent = fault.family.kind === 'unsent' || fault.family.kind === 'untrusted';
  const arrived = isUnsent ? (mode === 'once' ? 1 : 0) : requests;

  check('attempts', seen.attempts, requests);
  // Where nothing is read, a connection stands for the request that was sent on it.
  check('requests that arrived', fault.behaviour?.connected && !isUnsent ? seen.connections : seen.requests, arrived);
  check('connections left open', seen.leftOpen, 0);
  check('requests of other calls', seen.strays, []);

  // Zero or one times, and as the error says.
  check('changes on the service', seen.effects, operation.changes && resolves ? 1 : lasting.effects);

  if ('value' in settled) {
    check('resolves', true, resolves);
    if (resolves && !fault.deep) check('value', settled.value, answerOf(operation, fault, mode, seen));
  } else if (lasting.result.resolves || resolves) {
    check('rejects with', printError(settled.error), 'nothing');
  } else {
    const { kind, code, outcome, status } = lasting.result;
    const { error } = settled;
    if (!isMultilocalError(error)) return [...faults, `rejects with ${printError(error)}`];
    check(`instanceof ${kind.name}`, error instanceof kind, true);
    check('name', error.name, kind.name);
    check('code', error.code, code);
    check('outcome', error.outcome, outcome);
    check('attempts of the error', error.attempts, requests);
    if (status !== undefined) check('status', (error as ApiError).status, status);
    check('retryAfter', retryAfterOf(error, lasting.retryAfter), lasting.retryAfter);
    if (error.outcome === 'not_applied') check('changes after not_applied', seen.effects, 0);
    if (error.outcome === 'applied' && operation.changes) check('changes after applied', seen.effects, 1);
    check('how the error prints', typeof printError(error), 'string');
  }

  const waits = lasting.waits.slice(0, requests - 1);
  check('waits', seen.waits.length, waits.length);
  seen.waits.forEach((wait, index) => {
    const { least, most } = waits[index] ?? { least: 0, most: 0 };
    if (wait < least || wait > most) faults.push(`waits ${wait} ms before a retry: expected ${least} to ${most}`);
  });
  return faults;
}

function answerOf({ id }: Operation, { family }: Fault, mode: Cell['mode'], { told }: Observed): unknown {
  if (mode === 'lasts' && family.kind === 'success' && family.body === 'none') return undefined;
  if (mode === 'lasts' && family.kind === 'success' && family.body === 'wrong') return [];
  // Gone already: the repetition was answered with 404.
  if (id === 'delete' && (told as { detail?: string }).detail !== undefined) return undefined;
  return told;
}

/** A date is as far away as the moment of asking makes it. */
function retryAfterOf(error: MultilocalError, wanted: Expected['retryAfter']): unknown {
  const { retryAfter } = error as ApiError;
  if (retryAfter === undefined || wanted === undefined || wanted === 0) return retryAfter;
  if (wanted === 'soon') return retryAfter >= 0 && retryAfter <= 2000 ? 'soon' : retryAfter;
  return Math.abs(retryAfter - wanted) <= 60_000 && retryAfter > 500 ? wanted : retryAfter;
}

function show({ settled, attempts }: Observed): string {
  if ('value' in settled) return attempts === 1 ? 'ok' : `${attempts} × ok`;
  const { error } = settled;
  if (!isMultilocalError(error)) return `${attempts} × ${String(error)}`;
  return `${attempts} × \`${error.code}\`, ${error.outcome}`;
}

function quote(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

function printError(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : quote(error);
  } catch (fault) {
    return `something that cannot be printed (${String(fault)})`;
  }
}

async function pool(tasks: (() => Promise<void>)[], size: number): Promise<void> {
  const queue = tasks[Symbol.iterator]();
  const worker = async () => {
    for (const task of queue) await task();
  };
  await Promise.all(Array.from({ length: size }, worker));
}
