import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMultilocalError } from 'multilocal';

const EXAMPLE = 'https://www.example.com/blog/';

export const HELP = `npm run demo -- [options]

  --site-url <url>  where the site will be online (default ${EXAMPLE})
  --confirm         confirm the pages to the real service too; needs --site-url
  --out <folder>    where to write (default examples/demo/site)
  --help

Against the mock server, unless MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL are set.
NO_COLOR switches colours off; without a terminal the output is plain lines.`;

export interface Options {
  readonly help: boolean;
  /** Confirm pages, although the service is the real one. */
  readonly confirm: boolean;
  /** Ends with a slash. */
  readonly siteUrl: string;
  readonly out: string;
}

const FLAGS = {
  help: { type: 'boolean', default: false },
  confirm: { type: 'boolean', default: false },
  'site-url': { type: 'string' },
  out: { type: 'string', default: join(dirname(fileURLToPath(import.meta.url)), 'site') },
} as const;

export function readOptions(args: string[]): Options {
  const { help, confirm, out, 'site-url': siteUrl } = parse(args);
  if (confirm && siteUrl === undefined) {
    throw new Error('--confirm needs --site-url: the service links to the addresses that are confirmed.');
  }
  return { help, confirm, out, siteUrl: readUrl(siteUrl ?? EXAMPLE) };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: FLAGS }).values;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${HELP}`);
  }
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error(`--site-url must be an address such as ${EXAMPLE}`);
  }
  return url.href.replace(/\/*$/, '/');
}

const ADVICE: Readonly<Record<string, string>> = {
  configuration: 'Check MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL.',
  authentication: 'Check MULTILOCAL_API_KEY. New keys are made in the account settings.',
  missing_permission: 'Ask for a key with that permission.',
  permission_denied: 'Ask for a key that may do this.',
  connection: 'Check MULTILOCAL_BASE_URL and the network, then run the demo again.',
  redirect: 'Set MULTILOCAL_BASE_URL to the address that answers without a redirect.',
  invalid_response: 'Check that MULTILOCAL_BASE_URL is the address of the API.',
  rate_limit: 'The budget of the key is used up: run the demo again later.',
  dry_run_not_honored: 'The service knows no such preview: see what it has done before the demo is run again.',
  mass_deletion: 'Check that the key still covers the same brand. Nothing was deleted.',
};

/**
 * Describes what happened and what to do, line by line. Errors of the SDK never contain the key, so the text can be
 * shown.
 */
export function explain(error: unknown): string[] {
  if (!isMultilocalError(error)) return (error instanceof Error ? error.message : String(error)).split('\n');
  return [`${error.code}: ${error.message}`, ADVICE[error.code] ?? 'Run the demo again: it goes on where it stopped.'];
}
