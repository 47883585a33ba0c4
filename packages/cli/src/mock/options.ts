import type { MockApiOptions, MockDeviation, MockFault, MockQuotaName } from 'multilocal/mock';
import { UsageError } from '../failure.js';
import { durationOf, integerOf } from '../flags.js';
import { endpointOf } from '../operation.js';
import { suggestion } from '../words.js';

/** The flags of `mock` that describe the service. Those that may be repeated are lists. */
export interface MockFlags {
  readonly bulles: string | undefined;
  readonly latency: string | undefined;
  readonly 'rate-limit': string | undefined;
  readonly crooked: string | undefined;
  readonly quota: readonly string[];
}

/** What `--crooked` means without a list. */
export const ALL_DEVIATIONS = 'all';

const QUOTAS = ['articles', 'social', 'sms', 'email', 'seo_scans'] as const satisfies readonly MockQuotaName[];

/** What flags of two parts must be. */
const PAIRS = {
  'rate-limit': {
    pattern: /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/,
    expected: 'the requests of a minute and of a day, 1 or more each',
    example: '60/1000',
  },
  quota: {
    pattern: new RegExp(`^(${QUOTAS.join('|')})=(\\d{1,9})$`),
    expected: `\`name=n\`; the names are ${QUOTAS.join(', ')}, and n is 0 or more`,
    example: 'seo_scans=0',
  },
  fail: {
    pattern: /^(.+)=([2-5]\d\d)$/,
    expected: '`operation=status`, with a status from 200 to 599',
    example: 'posts.create=502',
  },
} as const;

function pairOf(flag: keyof typeof PAIRS, value: string): [string, number] {
  const { pattern, expected, example } = PAIRS[flag];
  const [, first, second] = pattern.exec(value) ?? [];
  if (first !== undefined) return [first, Number(second)];
  throw new UsageError(`\`--${flag}\` must be ${expected}.`, `Example: \`--${flag} ${example}\`.`);
}

/**
 * Reads the flags that are options of the mock. `deviations`: those that the mock knows.
 * @throws {UsageError} if one of them has a wrong value.
 */
export function optionsOf(flags: MockFlags, deviations: readonly MockDeviation[]): MockApiOptions {
  const limits = flags['rate-limit'] === undefined ? undefined : pairOf('rate-limit', flags['rate-limit']);
  return {
    bulles: integerOf('bulles', flags.bulles, 13),
    latency: durationOf('latency', flags.latency),
    rateLimit: limits ? { perMinute: Number(limits[0]), perDay: limits[1] } : false,
    quotas: Object.fromEntries(flags.quota.map((value) => pairOf('quota', value))),
    crooked: flags.crooked === ALL_DEVIATIONS || flags.crooked?.split(',').map((name) => deviationOf(name, deviations)),
  };
}

function deviationOf(name: string, known: readonly MockDeviation[]): MockDeviation {
  const found = known.find((one) => one === name);
  if (found !== undefined) return found;
  const shown = /^[\w-]{1,40}$/.test(name) ? `\`${name}\` is` : 'one name is';
  const message = `\`--crooked\`: ${shown} not a deviation.${suggestion(name, known)}`;
  throw new UsageError(message, `Deviations: ${known.join(', ')}.`);
}

/** Reads the values of `--fail`: from the start, every request of the operation fails. */
export function faultsOf(values: readonly string[]): MockFault[] {
  return values.map((value) => {
    const [name, status] = pairOf('fail', value);
    return { operation: endpointOf(name).operation, status, times: Number.POSITIVE_INFINITY };
  });
}
