// cspell:disable the sentences in French
import type { Both } from '@multilocal/plans/words';
import type { ClientOptions } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { ConfigurationError } from 'multilocal/internal/errors';
import { say } from '../front.js';
import { type Finding, problem } from './finding.js';

const COPY: Both = [
  'Copy the key again from the account settings of the service: nothing before it, nothing after it.',
  'Copiez encore une fois la clé depuis les réglages du compte, sur le service : rien avant, rien après.',
];

/** For each setting: what makes the client accept the other one, common mistakes, and what to do about any other. */
const SETTINGS = {
  address: {
    variable: 'MULTILOCAL_BASE_URL',
    given: ({ baseUrl }: ClientOptions) => baseUrl,
    rest: { apiKey: 'none' },
    unset: [
      'Set it to the address of the service, or pass `--base-url`. To try without a service: `npx multilocal mock`.',
      'Réglez-la sur l’adresse du service, ou ajoutez `--base-url`. Pour essayer sans service : `npx multilocal mock`.',
    ],
    known: [
      /^http:/i,
      [
        'The address begins with http://, which sends the key unencrypted.',
        'L’adresse commence par http://, ce qui envoie la clé sans chiffrement.',
      ],
      [
        'Use the https:// address of the service. `--allow-http` allows http:// on a trusted network.',
        'Utilisez l’adresse https:// du service. `--allow-http` permet http:// sur un réseau de confiance.',
      ],
    ],
    advice: [
      'Correct MULTILOCAL_BASE_URL or `--base-url`. Example: https://api.example.com',
      'Corrigez MULTILOCAL_BASE_URL ou `--base-url`. Exemple : https://api.example.com',
    ],
  },
  key: {
    variable: 'MULTILOCAL_API_KEY',
    given: ({ apiKey }: ClientOptions) => apiKey,
    rest: { baseUrl: 'https://localhost' },
    unset: [
      'Create a key in the account settings of the service, and set it as MULTILOCAL_API_KEY. `--key-file` reads it from a file.',
      'Créez une clé dans les réglages du compte, sur le service, et réglez MULTILOCAL_API_KEY. `--key-file` la lit dans un fichier.',
    ],
    known: [
      /^bearer|^[^"'`].*\s/i,
      ['The key contains a space or the word `Bearer`.', 'La clé contient un espace ou le mot `Bearer`.'],
      COPY,
    ],
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
    if (value === '')
      return {
        error,
        finding: problem(
          check,
          [`The variable ${variable} is not set.`, `La variable ${variable} n’est pas réglée.`],
          unset,
        ),
      };
    if (isKnown.test(value)) return { error, finding: problem(check, mistake, hint) };
    // The first sentence of the client says what is wrong. If there is a second one, it says what to do.
    const [first = '', ...more] = say(error.message).replace(/\.$/, '').split('. ');
    const fr = check === 'key' ? 'La clé n’est pas valable.' : 'L’adresse n’est pas valable.';
    const todo: Both = more.length > 0 ? [`${more.join('. ')}.`, advice[1]] : advice;
    return { error, finding: problem(check, [`${first}.`, fr], todo) };
  }
}
