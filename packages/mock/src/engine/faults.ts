import * as z from 'zod/mini';
import { defaultDetail, type Reply } from './http.js';
import { number, optionsSchema, readOptions, word } from './options.js';

const faultOptions = (operations: readonly string[]) =>
  optionsSchema('fail', {
    operation: z.optional(word('operation', operations)),
    method: z.optional(z.string()),
    path: z.optional(z.custom<string | RegExp>(isPath, { error: 'path is what follows /api/v2: /articles/42' })),
    status: z.optional(
      number('must be a whole number from 200 to 599', (it) => it >= 200 && it <= 599 && it % 1 === 0),
    ),
    detail: z.optional(z.unknown()),
    body: z.optional(z.unknown()),
    headers: z.optional(z.record(z.string(), z.string())),
    network: z.optional(z.boolean()),
    delay: z.optional(number('must be 0 ms or more', (delay) => delay >= 0)),
    applied: z.optional(z.boolean()),
    times: z.optional(number('must be 1 or more', (times) => times >= 1)),
  });

export type Fault = z.output<ReturnType<typeof faultOptions>>;

const isPath = (path: unknown): boolean =>
  path instanceof RegExp || (typeof path === 'string' && /^\/(?!api\/v2)/.test(path));

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
  // `null` is a valid body and a valid `detail`. Only an absent value gets a default.
  const {
    status = fault.body === undefined ? 500 : 200,
    headers = {},
    detail = defaultDetail(status),
    body = { detail },
  } = fault;
  // Without a body of its own, a fault is an error of the service, which deviations may change.
  const isGiven = fault.body !== undefined || status < 400;
  return { status, headers, isGiven, ...(typeof body === 'string' ? { text: body } : { body }) };
}

function matches(fault: Fault, { method, path, operation }: Target): boolean {
  // The browser sends preflights. A fault affects them only if it names the method.
  const { method: wanted = method === 'OPTIONS' ? 'any other' : method } = fault;
  if (wanted.toUpperCase() !== method || (fault.operation ?? operation) !== operation) return false;
  // `search` ignores where the last request matched, unlike `test` with the flags g or y.
  if (fault.path instanceof RegExp) return path !== undefined && path.search(fault.path) !== -1;
  return (fault.path ?? path) === path;
}

/** A longer timer would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Delays of responses. One listener for all of them would make Node warn of a leak. */
export class Delays {
  readonly #ends = new Set<() => void>();

  /** Resolves to `true` once the time has passed, to `false` if the client or the mock ends it. `Infinity` never passes. */
  wait(milliseconds: number, client: AbortSignal): Promise<boolean> {
    if (client.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (whole: boolean) => {
        clearTimeout(timer);
        client.removeEventListener('abort', cut);
        this.#ends.delete(cut);
        resolve(whole);
      };
      const cut = () => end(false);
      client.addEventListener('abort', cut);
      this.#ends.add(cut);
      if (milliseconds < Number.POSITIVE_INFINITY) {
        timer = setTimeout(() => end(true), Math.min(milliseconds, LONGEST_TIMER));
      }
    });
  }

  endAll(): void {
    for (const end of this.#ends) end();
  }
}
