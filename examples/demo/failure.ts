import { isMultilocalError } from 'multilocal';

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
