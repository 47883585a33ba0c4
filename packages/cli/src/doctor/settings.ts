import type { ClientOptions } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { ConfigurationError } from 'multilocal/internal/errors';
import { say } from '../front.js';
import { type Finding, problem } from './finding.js';

/** Explains why the client refuses the address. Sends nothing. Returns `undefined` if it accepts the address. */
export function addressMistake(options: ClientOptions): Mistake | undefined {
  const error = refusal({ ...options, apiKey: 'none' });
  if (!error) return undefined;
  const given = options.baseUrl ?? process.env.MULTILOCAL_BASE_URL ?? '';
  if (given.trim() === '') {
    const advice =
      'Set it to the address of the service, or pass `--base-url`. To try without a service: `npx multilocal mock`.';
    return { error, finding: problem('address', 'The variable MULTILOCAL_BASE_URL is not set.', advice) };
  }
  if (/^http:/i.test(given.trim())) {
    const advice = 'Use the https:// address of the service. `--allow-http` allows http:// on a trusted network.';
    return {
      error,
      finding: problem('address', 'The address begins with http://, which sends the key unencrypted.', advice),
    };
  }
  const advice = 'Correct MULTILOCAL_BASE_URL or `--base-url`. Example: https://api.example.com';
  return { error, finding: inClientsWords('address', error, advice) };
}

/** Explains why the client refuses the key. Sends nothing. Returns `undefined` if it accepts the key. */
export function keyMistake(options: ClientOptions): Mistake | undefined {
  const error = refusal({ ...options, baseUrl: 'https://localhost' });
  if (!error) return undefined;
  const given = options.apiKey ?? process.env.MULTILOCAL_API_KEY ?? '';
  if (given.trim() === '') {
    const advice =
      'Create a key in the account settings of the service, and set it as MULTILOCAL_API_KEY. `--key-file` reads it from a file.';
    return { error, finding: problem('key', 'The variable MULTILOCAL_API_KEY is not set.', advice) };
  }
  const advice = 'Copy the key again from the account settings of the service: nothing before it, nothing after it.';
  if (/^bearer|^[^"'`].*\s/i.test(given.trim()))
    return { error, finding: problem('key', 'The key contains a space or the word `Bearer`.', advice) };
  return { error, finding: inClientsWords('key', error, advice) };
}

/** Why the client refuses a setting. */
export interface Mistake {
  readonly error: ConfigurationError;
  readonly finding: Finding;
}

function refusal(options: ClientOptions): ConfigurationError | undefined {
  try {
    new Client(options);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}

/** The first sentence of the client says what is wrong. If there is a second one, it says what to do. */
function inClientsWords(check: 'address' | 'key', { message }: Error, advice: string): Finding {
  const [found = '', ...more] = say(message).replace(/\.$/, '').split('. ');
  return problem(check, `${found}.`, more.length > 0 ? `${more.join('. ')}.` : advice);
}
