import * as z from 'zod/mini';
import { defaultDetail, type Reply } from './http.js';
import { optionsSchema, readOptions, rule, word } from './options.js';

const faultOptions = (operations: readonly string[]) =>
  optionsSchema('fail', {
    operation: z.optional(word('operation', operations)),
    method: z.optional(z.string()),
    path: z.optional(
      z.custom<string | RegExp>((path) => path instanceof RegExp || isPath(path), {
        error: 'path is what follows /api/v2: /articles/42',
      }),
    ),
    status: z.optional(number('must be a whole number from 200 to 599', isStatus)),
    detail: z.optional(z.unknown()),
    body: z.optional(z.unknown()),
    headers: z.optional(z.record(z.string(), z.string())),
    network: z.optional(z.boolean()),
    delay: z.optional(number('must be 0 ms or more', (delay) => delay >= 0)),
    applied: z.optional(z.boolean()),
    times: z.optional(number('must be 1 or more', (times) => times >= 1)),
  });

/** A checked fault of `api.fail`. */
export type Fault = z.output<ReturnType<typeof faultOptions>>;

// Not `z.number()`, which refuses `Infinity`: faults may last forever.
const number = (text: string, isValid: (value: number) => boolean) =>
  z.custom<number>((value) => typeof value === 'number' && isValid(value), { error: rule(text) });

const isPath = (value: unknown): boolean => typeof value === 'string' && /^\/(?!api\/v2)/.test(value);

const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status <= 599;

interface Target {
  readonly method: string;
  readonly path: string | undefined;
  readonly operation: string | undefined;
}

/** The faults that wait for their requests, oldest first. */
export class Faults {
  readonly #options: ReturnType<typeof faultOptions>;
  #waiting: { readonly fault: Fault; left: number }[] = [];

  constructor(operations: readonly string[]) {
    this.#options = faultOptions([...operations].sort());
  }

  /** @returns a function that removes the fault. */
  add(given: unknown): () => void {
    const fault = readOptions(this.#options, given);
    const waiting = { fault, left: fault.times ?? 1 };
    this.#waiting.push(waiting);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    };
  }

  /** Returns the fault for this request and counts it down. */
  take(target: Target): Fault | undefined {
    const waiting = this.#waiting.find(({ fault, left }) => left > 0 && matches(fault, target));
    if (waiting === undefined) return undefined;
    waiting.left -= 1;
    return waiting.fault;
  }
}

/** Whether the request gets its normal response, only later. */
export const isOnlyDelay = ({ status, detail, body, headers, network, delay }: Fault): boolean =>
  delay !== undefined && network !== true && [status, detail, body, headers].every((value) => value === undefined);

export function faultReply(fault: Fault): Reply {
  const status = fault.status ?? 500;
  // Without a body of its own, a fault is an error of the service, which deviations may change.
  const common = {
    status,
    isGiven: fault.body !== undefined || status < 400,
    ...(fault.headers === undefined ? {} : { headers: fault.headers }),
  };
  if (typeof fault.body === 'string') return { ...common, text: fault.body };
  // `null` is a valid body and a valid `detail`. Only an absent value gets a default.
  const detail = fault.detail === undefined ? defaultDetail(status) : fault.detail;
  return { ...common, body: fault.body === undefined ? { detail } : fault.body };
}

function matches(fault: Fault, { method, path, operation }: Target): boolean {
  const wanted = fault.method?.toUpperCase();
  // The browser sends preflights. A fault affects them only if it names the method.
  if (method === 'OPTIONS' && wanted !== 'OPTIONS') return false;
  if (wanted !== undefined && wanted !== method) return false;
  if (fault.operation !== undefined && fault.operation !== operation) return false;
  if (fault.path === undefined) return true;
  if (path === undefined) return false;
  if (typeof fault.path === 'string') return fault.path === path;
  // A copy, because `test` with the flags g or y remembers where the last request matched.
  return new RegExp(fault.path.source, fault.path.flags.replace(/[gy]/g, '')).test(path);
}

/** A longer timer would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Waits until the time has passed or a signal aborts. Resolves to `true` if the time has passed. `Infinity` never
 * passes.
 */
export function sleep(milliseconds: number, signals: readonly AbortSignal[]): Promise<boolean> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (whole: boolean) => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', cut);
      resolve(whole);
    };
    const cut = () => end(false);
    if (signals.some((signal) => signal.aborted)) return cut();
    for (const signal of signals) signal.addEventListener('abort', cut);
    if (milliseconds === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(() => end(true), Math.min(milliseconds, LONGEST_TIMER));
  });
}
