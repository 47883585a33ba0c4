import { plural } from '../words.js';
import { type Finding, ok, warning } from './finding.js';

/** With a larger difference, schedules and "since" dates are visibly wrong. */
const LARGEST_SKEW = 60_000;

/** @param supported The `engines.node` of the package: `'>=20.19'`. */
export function nodeFinding(version: string, supported: string): Finding {
  const least = supported.replace(/[^\d.]/g, '');
  if (isAtLeast(version, least)) return ok('node', `Node ${version} is supported.`);
  const found = `Node ${version} is older than the supported versions, so calls may fail in odd ways.`;
  return warning('node', found, `Install Node ${least} or later.`);
}

function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, 'en', { numeric: true }) >= 0;
}

/** Looks for a proxy that Node does not use, which explains why an address cannot be reached. */
export function proxyFinding(env: NodeJS.ProcessEnv, version = process.versions.node): Finding[] {
  const name = ['HTTPS_PROXY', 'https_proxy'].find((one) => env[one]);
  const canUse = isAtLeast(version, '22');
  const isUsed = canUse && (env.NODE_USE_ENV_PROXY === '1' || env.NODE_OPTIONS?.includes('--use-env-proxy'));
  if (name === undefined || isUsed) return [];
  const advice = `If this network needs the proxy, ${canUse ? '' : 'use Node 24 or later and '}set NODE_USE_ENV_PROXY=1.`;
  return [warning('proxy', `${name} is set, but Node ${version} does not use it.`, advice)];
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
  const side = `${inWords(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'}`;
  return warning(
    'clock',
    `The clock of this machine is ${side} the clock of the service.`,
    'Turn on network time on this machine. Until then, schedules and dates such as updated_since are off by this time.',
  );
}

function inWords(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 90) return plural(Math.round(minutes), 'minute');
  return minutes < 48 * 60 ? plural(Math.round(minutes / 60), 'hour') : plural(Math.round(minutes / 1440), 'day');
}
