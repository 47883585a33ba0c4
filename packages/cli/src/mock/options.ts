import type { MockApiOptions, MockDeviation, MockFault, MockQuotaName } from 'multilocal/mock';
import { UsageError } from '../failure.js';
import { endpointOf } from '../operation.js';
import { durationOf, integerOf } from '../values.js';
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

/**
 * Reads the flags that are options of the mock. `deviations`: those that the mock knows.
 * @throws {UsageError} if one of them has a wrong value.
 */
export function optionsOf(flags: MockFlags, deviations: readonly MockDeviation[]): MockApiOptions {
  return {
    bulles: integerOf('bulles', flags.bulles, 13),
    latency: durationOf('latency', flags.latency),
    rateLimit: limitsOf(flags['rate-limit']),
    quotas: quotasOf(flags.quota),
    crooked: crookedOf(flags.crooked, deviations),
  };
}

function limitsOf(value: string | undefined): MockApiOptions['rateLimit'] {
  if (value === undefined) return false;
  const [, perMinute = 0, perDay = 0] = (/^(\d{1,9})\/(\d{1,9})$/.exec(value) ?? []).map(Number);
  if (perMinute > 0 && perDay > 0) return { perMinute, perDay };
  throw new UsageError(
    '`--rate-limit` must be the requests of a minute and of a day, 1 or more each.',
    'Example: `--rate-limit 60/1000`.',
  );
}

const QUOTAS = ['articles', 'social', 'sms', 'email', 'seo_scans'] as const satisfies readonly MockQuotaName[];

function quotasOf(values: readonly string[]): MockApiOptions['quotas'] {
  const pairs = values.map((value) => {
    const [, name = '', limit = ''] = /^(\w+)=(\d{1,9})$/.exec(value) ?? [];
    if (!QUOTAS.some((one) => one === name)) {
      throw new UsageError(
        `\`--quota\` must be \`name=n\`; the names are ${QUOTAS.join(', ')}, and n is 0 or more.`,
        'Example: `--quota seo_scans=0`.',
      );
    }
    return [name, Number(limit)];
  });
  return Object.fromEntries(pairs);
}

function crookedOf(value: string | undefined, known: readonly MockDeviation[]): MockApiOptions['crooked'] {
  if (value === ALL_DEVIATIONS) return true;
  return value?.split(',').map((name) => {
    const found = known.find((one) => one === name);
    if (found !== undefined) return found;
    const shown = /^[\w-]{1,40}$/.test(name) ? `\`${name}\` is` : 'one name is';
    throw new UsageError(
      `\`--crooked\`: ${shown} not a deviation.${suggestion(name, known)}`,
      `Deviations: ${known.join(', ')}.`,
    );
  });
}

/** Reads the values of `--fail`: from the start, every request of the operation fails. */
export function faultsOf(values: readonly string[]): MockFault[] {
  return values.map((value) => {
    const [, operation = '', status = ''] = /^(.+)=([2-5]\d\d)$/.exec(value) ?? [];
    if (operation === '') {
      throw new UsageError(
        '`--fail` must be `operation=status`, with a status from 200 to 599.',
        'Example: `--fail posts.create=502`.',
      );
    }
    endpointOf(operation);
    return { operation, status: Number(status), times: Number.POSITIVE_INFINITY };
  });
}
