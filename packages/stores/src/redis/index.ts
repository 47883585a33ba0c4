import type { MultilocalError } from 'multilocal';
import { ConfigurationError, ConnectionError } from 'multilocal/internal/errors';
import type { RateLimitStore, TakeAnswer, TakeRequest, Usage } from 'multilocal/limiter';
import { SCRIPT } from './script.js';

/** Runs a Lua script in Redis and resolves to its result. `args` are the arguments that are not keys. */
export type EvalFunction = (script: string, keys: string[], args: string[]) => Promise<unknown>;

/** A store in Redis. Clients call its methods. */
export interface RedisStore extends RateLimitStore {
  /** Gives a request its place in the windows, or the call its place in the queue. */
  take(key: string, request: TakeRequest): Promise<TakeAnswer>;
  /** Ends a request (`'done'`, `'unsent'`) or a wait. */
  settle(key: string, id: string, result: 'done' | 'unsent'): Promise<void>;
  /** Lets no request of the key leave for this many ms. */
  hold(key: string, ms: number): Promise<void>;
  /** Counts the requests in windows of these lengths (ms), and the calls that wait. */
  count(key: string, lengths: readonly number[]): Promise<Usage>;
}

/**
 * Creates a store for `rateLimit` that counts the requests of all processes and machines in Redis 5 or later, or in
 * Valkey. Pass a function that gives its three arguments to the command `EVAL` of your client.
 *
 * A call costs one evaluation to get its place, or two if it waits, and one when the response is there. A call that
 * waits behind responses of more than a second may cost further ones. Redis keeps only a SHA-256 of key and address, and
 * every key of Redis expires. The five keys of an API key are in one slot of a cluster. The clock of Redis decides, so
 * the clocks of the processes do not matter.
 *
 * The methods of the store reject with a `ConfigurationError` or a `ConnectionError` that says what to do.
 * @throws a {@link ConfigurationError} if `evalFunction` is not a function.
 * @example
 * const redis = new Redis('redis://127.0.0.1:6379'); // ioredis
 * const store = redisStore((script, keys, args) => redis.eval(script, keys.length, ...keys, ...args));
 * const client = new Client({ rateLimit: { store } });
 */
export function redisStore(evalFunction: EvalFunction): RedisStore {
  if (typeof evalFunction !== 'function') {
    throw new ConfigurationError(`redisStore: \`evalFunction\` must be a function. ${EXAMPLE}`);
  }

  /** Runs the script. `read` returns `undefined` for a result that the script cannot have. */
  async function evaluate<T>(
    read: (result: unknown) => T | undefined,
    key: string,
    ...args: (string | number)[]
  ): Promise<T> {
    const keys = KEYS.map((name) => `multilocal:{${key}}:${name}`);
    let result: unknown;
    try {
      result = await evalFunction(SCRIPT, keys, args.map(String));
    } catch (thrown) {
      throw problemOf(thrown);
    }
    const data = read(result);
    if (data === undefined) {
      throw new ConfigurationError(`redisStore: \`evalFunction\` must resolve to the result of the script. ${EXAMPLE}`);
    }
    return data;
  }

  return {
    async take(key, { id, windows, maxWait, timeout, retry, reserve = 0 }) {
      const limits = windows.map((window) => window.join(':')).join(',');
      return evaluate(answer, key, 'take', id, timeout, maxWait, retry ? 1 : 0, reserve, limits);
    },
    async settle(key, id, result) {
      await evaluate(nothing, key, 'settle', id, result);
    },
    async hold(key, ms) {
      await evaluate(nothing, key, 'hold', Math.ceil(ms));
    },
    async count(key, lengths) {
      const [waiting = 0, ...used] = await evaluate(numbers, key, 'count', ...lengths);
      return { used, waiting };
    },
  };
}

const KEYS = ['state', 'done', 'flight', 'queue', 'asks'];
const EXAMPLE =
  'For ioredis: redisStore((script, keys, args) => redis.eval(script, keys.length, ...keys, ...args)). ' +
  'For redis: redisStore((script, keys, args) => redis.eval(script, { keys, arguments: args })).';

/** Some clients return numbers as strings. */
function numbers(result: unknown): number[] | undefined {
  const isNumber = (item: unknown) => Number.isSafeInteger(item) || (typeof item === 'string' && /^\d+$/.test(item));
  return Array.isArray(result) && result.every(isNumber) ? result.map(Number) : undefined;
}

function answer(result: unknown): TakeAnswer | undefined {
  const [state, ...rest] = Array.isArray(result) ? result : [];
  const [ms, more] = numbers(rest) ?? [];
  const isKnown = state === 'go' || state === 'wait' || state === 'refused';
  return isKnown && ms !== undefined && more === undefined ? { state, ms } : undefined;
}

const nothing = () => true;

/** Errors of Redis, by the beginning of their message, in older versions behind that of a script. The messages themselves may hold a password. */
const REFUSALS: readonly [RegExp, string][] = [
  [/^(NOAUTH|WRONGPASS|ERR AUTH)/, 'Redis refused the user or the password. Check the options of your Redis client'],
  [
    /(^|-)NOPERM|^ERR (ACL failure|The user executing the script)/,
    'the Redis user must be allowed to use EVAL, and the commands of the script, on the keys `multilocal:*`',
  ],
  [/(^|-)READONLY/, 'this Redis is a replica. Connect to the primary'],
  [/^(MOVED|ASK|CROSSSLOT)/, 'this Redis is a cluster. Use the cluster client of your library'],
  [/(^|-)OOM/, 'Redis has no memory left'],
  [/(^|-)MISCONF/, 'Redis cannot save to its disk, so it refuses writes. Its log has the reason'],
  [/(^|-)NOREPLICAS/, 'Redis refuses writes while too few of its replicas are connected'],
  [/^BUSY/, 'Redis is busy with a script of another program. It can be ended with SCRIPT KILL'],
  [/^(ERR|WRONGTYPE|NOSCRIPT)/, `Redis could not run the script. Pass all arguments on to EVAL. ${EXAMPLE}`],
];

function problemOf(thrown: unknown): MultilocalError {
  const { message = '', code = '', name = 'error' } = Object(thrown) as Partial<Record<string, unknown>>;
  const refusal = REFUSALS.find(([beginning]) => beginning.test(String(message)));
  if (refusal) return new ConfigurationError(`redisStore: ${refusal[1]}.`.replace(/\.\.$/, '.'));
  // Codes of system calls, such as ECONNREFUSED.
  const word = [code, name].map(String).find((one) => /^\w{1,40}$/.test(one));
  return new ConnectionError(
    `redisStore: \`evalFunction\` failed (${word}). Check that Redis runs and can be reached.`,
  );
}
