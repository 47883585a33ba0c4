import { plural } from '../words.js';
import { type Finding, ok, warning } from './finding.js';

/** With a larger difference, schedules and "since" dates are visibly wrong. */
const LARGEST_SKEW = 60_000;

/** @param supported The `engines.node` of the package: `'>=20.19'`. */
export function nodeFinding(version: string, supported: string): Finding {
  const least = supported.replace(/[^\d.]/g, '');
  if (isAtLeast(version, least)) return ok('node', `Node ${version} is supported.`);
  return warning(
    'node',
    `Node ${version} is older than the supported versions, so calls may fail in odd ways.`,
    `Install Node ${least} or later.`,
  );
}

function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, 'en', { numeric: true }) >= 0;
}

/** Looks for a proxy that Node does not use, which explains why an address cannot be reached. */
export function proxyFinding(env: Readonly<Record<string, string | undefined>>, version: string): Finding | undefined {
  const name = ['HTTPS_PROXY', 'https_proxy'].find((one) => env[one]);
  if (name === undefined) return undefined;
  const canUse = isAtLeast(version, '22');
  if (canUse && (env.NODE_USE_ENV_PROXY === '1' || env.NODE_OPTIONS?.includes('--use-env-proxy'))) return undefined;
  return warning(
    'proxy',
    `${name} is set, but Node ${version} does not use it.`,
    `If this network needs the proxy, ${canUse ? '' : 'use Node 24 or later and '}set NODE_USE_ENV_PROXY=1.`,
  );
}

/** The service's time of a response, and the times of this machine before and after the request, in ms. */
export interface ClockReading {
  /** The `Date` header, or the `timestamp` of `GET /health`. */
  readonly date: string;
  readonly sent: number;
  readonly received: number;
}

/** Compares the clocks. Returns `undefined` if the service sent no valid date. */
export function clockFinding({ date, sent, received }: ClockReading): Finding | undefined {
  // The header has whole seconds: on average, the real time is half a second later.
  const remote = Date.parse(date) + 500;
  if (Number.isNaN(remote)) return undefined;
  const skew = (sent + received) / 2 - remote;
  if (Math.abs(skew) <= LARGEST_SKEW) return ok('clock', 'The clocks of this machine and of the service agree.');
  return warning(
    'clock',
    `The clock of this machine is ${inWords(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the clock of the service.`,
    'Turn on network time on this machine. Until then, schedules and dates such as updated_since are off by this time.',
  );
}

function inWords(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 90) return plural(Math.round(minutes), 'minute');
  if (minutes < 48 * 60) return plural(Math.round(minutes / 60), 'hour');
  return plural(Math.round(minutes / 1440), 'day');
}
