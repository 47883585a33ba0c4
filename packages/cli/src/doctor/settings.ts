import type { ClientOptions } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { ConfigurationError } from 'multilocal/internal/errors';
import { say } from '../front.js';
import { type Finding, problem } from './finding.js';

const COPY = 'Copy the key again from the account settings of the service: nothing before it, nothing after it.';

/** For each setting: what makes the client accept the other one, common mistakes, and what to do about any other. */
const SETTINGS = {
  address: {
    variable: 'MULTILOCAL_BASE_URL',
    given: ({ baseUrl }: ClientOptions) => baseUrl,
    rest: { apiKey: 'none' },
    unset:
      'Set it to the address of the service, or pass `--base-url`. To try without a service: `npx multilocal mock`.',
    known: [
      /^http:/i,
      'The address begins with http://, which sends the key unencrypted.',
      'Use the https:// address of the service. `--allow-http` allows http:// on a trusted network.',
    ],
    advice: 'Correct MULTILOCAL_BASE_URL or `--base-url`. Example: https://api.example.com',
  },
  key: {
    variable: 'MULTILOCAL_API_KEY',
    given: ({ apiKey }: ClientOptions) => apiKey,
    rest: { baseUrl: 'https://localhost' },
    unset:
      'Create a key in the account settings of the service, and set it as MULTILOCAL_API_KEY. `--key-file` reads it from a file.',
    known: [/^bearer|^[^"'`].*\s/i, 'The key contains a space or the word `Bearer`.', COPY],
    advice: COPY,
  },
} as const;

/** Why the client refuses a setting. */
export interface Mistake {
  readonly error: ConfigurationError;
  readonly finding: Finding;
}

/** Explains why the client refuses a setting. Sends nothing. Returns `undefined` if it accepts the setting. */
export function mistakeIn(check: keyof typeof SETTINGS, options: ClientOptions): Mistake | undefined {
  const { variable, given, rest, unset, known, advice } = SETTINGS[check];
  try {
    new Client({ ...options, ...rest });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const value = (given(options) ?? process.env[variable] ?? '').trim();
    const [isKnown, mistake, hint] = known;
    if (value === '') return { error, finding: problem(check, `The variable ${variable} is not set.`, unset) };
    if (isKnown.test(value)) return { error, finding: problem(check, mistake, hint) };
    // The first sentence of the client says what is wrong. If there is a second one, it says what to do.
    const [first = '', ...more] = say(error.message).replace(/\.$/, '').split('. ');
    return { error, finding: problem(check, `${first}.`, more.length > 0 ? `${more.join('. ')}.` : advice) };
  }
}
