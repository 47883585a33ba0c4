// cspell:disable the sentences in French
import type { Both } from '@multilocal/plans/words';
import { counted, plural } from '../words.js';
import { type Finding, ok, warning } from './finding.js';

/** With a larger difference, schedules and "since" dates are visibly wrong. */
const LARGEST_SKEW = 60_000;

/** @param supported The `engines.node` of the package: `'>=20.19'`. */
export function nodeFinding(version: string, supported: string): Finding {
  const least = supported.replace(/[^\d.]/g, '');
  if (isAtLeast(version, least)) return ok('node', [`Node ${version} is supported.`, `Node ${version} convient.`]);
  const found: Both = [
    `Node ${version} is older than the supported versions, so calls may fail in odd ways.`,
    `Node ${version} est trop ancien : des appels échoueront peut-être de façon étrange.`,
  ];
  return warning('node', found, [`Install Node ${least} or later.`, `Installez Node ${least} ou plus récent.`]);
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
  const advice: Both = [
    `If this network needs the proxy, ${canUse ? '' : 'use Node 24 or later and '}set NODE_USE_ENV_PROXY=1.`,
    `Si ce réseau demande le proxy, ${canUse ? '' : 'utilisez Node 24 ou plus récent et '}réglez NODE_USE_ENV_PROXY=1.`,
  ];
  const found: Both = [
    `${name} is set, but Node ${version} does not use it.`,
    `${name} est réglé, mais Node ${version} ne l’utilise pas.`,
  ];
  return [warning('proxy', found, advice)];
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
  if (Math.abs(skew) <= LARGEST_SKEW)
    return ok('clock', [
      'The clocks of this machine and of the service agree.',
      'Les horloges de cette machine et du service concordent.',
    ]);
  const [en, fr] = inWords(Math.abs(skew));
  return warning(
    'clock',
    [
      `The clock of this machine is ${en} ${skew > 0 ? 'ahead of' : 'behind'} the clock of the service.`,
      `L’horloge de cette machine ${skew > 0 ? 'avance' : 'retarde'} de ${fr} sur celle du service.`,
    ],
    [
      'Turn on network time on this machine. Until then, schedules and dates such as updated_since are off by this time.',
      'Activez l’heure du réseau sur cette machine. D’ici là, les horaires et les dates comme updated_since sont décalés d’autant.',
    ],
  );
}

function inWords(ms: number): Both {
  const minutes = ms / 60_000;
  const [count, en, fr] =
    minutes < 90
      ? [minutes, 'minute', 'minute']
      : minutes < 48 * 60
        ? [minutes / 60, 'hour', 'heure']
        : [minutes / 1440, 'day', 'jour'];
  return [plural(Math.round(count), en), counted(Math.round(count), fr)];
}
