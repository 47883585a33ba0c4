import { defaultDetail, type Reply } from './http.js';
import { type Names, requireKnownNames, unknown } from './known-names.js';
import { OPERATIONS } from './operations.js';
import type { MockFault } from './types.js';

const FAULT: Names<MockFault> = {
  operation: true,
  method: true,
  path: true,
  status: true,
  detail: true,
  body: true,
  headers: true,
  network: true,
  delay: true,
  applied: true,
  times: true,
};

interface Waiting {
  readonly fault: MockFault;
  left: number;
}

export interface FaultTarget {
  readonly method: string;
  readonly path: string | undefined;
  readonly operation: string | undefined;
}

/** The faults that {@link MockFault} describes, first given first served. */
export class Faults {
  #waiting: Waiting[] = [];

  add(given: MockFault): () => void {
    const fault = { ...given };
    requireKnownNames('fail', fault, FAULT);
    check(fault);
    const waiting = { fault, left: fault.times ?? 1 };
    this.#waiting.push(waiting);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    };
  }

  /** The fault for this request, used up by one. */
  take(target: FaultTarget): MockFault | undefined {
    const waiting = this.#waiting.find(({ fault, left }) => left > 0 && matches(fault, target));
    if (waiting === undefined) return undefined;
    waiting.left -= 1;
    return waiting.fault;
  }
}

/** Whether the request gets its normal answer, only later. */
export const isOnlyDelay = ({ status, detail, body, headers, network, delay }: MockFault): boolean =>
  delay !== undefined && network !== true && [status, detail, body, headers].every((value) => value === undefined);

export function faultReply(fault: MockFault): Reply {
  const status = fault.status ?? 500;
  const headers = fault.headers === undefined ? {} : { headers: fault.headers };
  if (typeof fault.body === 'string') return { status, text: fault.body, ...headers };
  // `null` is a body, and a `detail` of its own: only what was left out is filled in.
  const detail = fault.detail === undefined ? defaultDetail(status) : fault.detail;
  return { status, body: fault.body === undefined ? { detail } : fault.body, ...headers };
}

function matches(fault: MockFault, { method, path, operation }: FaultTarget): boolean {
  const wanted = fault.method?.toUpperCase();
  // A preflight is the browser's request, not the one that a test means, unless it says so.
  if (method === 'OPTIONS' && wanted !== 'OPTIONS') return false;
  if (wanted !== undefined && wanted !== method) return false;
  if (fault.operation !== undefined && fault.operation !== operation) return false;
  if (fault.path === undefined) return true;
  if (path === undefined) return false;
  if (typeof fault.path === 'string') return fault.path === path;
  // A copy: with the flags g or y, `test` would remember where the last request matched.
  return new RegExp(fault.path.source, fault.path.flags.replace(/[gy]/g, '')).test(path);
}

function check({ operation, status, delay, times, path }: MockFault): void {
  if (operation !== undefined && !OPERATIONS.some((known) => known === operation)) {
    throw unknown('unknown operation', operation, [...OPERATIONS].sort());
  }
  if (status !== undefined && (!Number.isInteger(status) || status < 200 || status > 599)) {
    throw new RangeError('status must be a whole number from 200 to 599');
  }
  if (delay !== undefined && !(delay >= 0)) throw new RangeError('delay must be 0 ms or more');
  if (times !== undefined && !(times >= 1)) throw new RangeError('times must be 1 or more');
  if (typeof path === 'string' && (!path.startsWith('/') || path.startsWith('/api/v2'))) {
    throw new RangeError('path is what follows /api/v2: /articles/42');
  }
}
