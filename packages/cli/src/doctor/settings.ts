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

const QUOTES = /^(["'`]).*\1$/;
const UNQUOTE: Both = ['Remove them, for example in the .env file.', 'Retirez-les, par exemple dans le fichier .env.'];

/** For each setting: what makes the client accept the other one, what is wrong with which values, and what to do about any other. */
const SETTINGS = {
  address: {
    variable: 'MULTILOCAL_BASE_URL',
    given: ({ baseUrl }: ClientOptions) => baseUrl,
    rest: { apiKey: 'none' },
    known: [
      [
        /^$/,
        ['The variable MULTILOCAL_BASE_URL is not set.', 'La variable MULTILOCAL_BASE_URL n’est pas réglée.'],
        [
          'Set it to the address of the service, or pass `--base-url`. To try without a service: `npx multilocal mock`.',
          'Réglez-la sur l’adresse du service, ou ajoutez `--base-url`. Pour essayer sans service : `npx multilocal mock`.',
        ],
      ],
      [QUOTES, ['The address is wrapped in quotes.', 'L’adresse est entre guillemets.'], UNQUOTE],
      [
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
    ],
    invalid: 'L’adresse n’est pas valable.',
    advice: [
      'Correct MULTILOCAL_BASE_URL or `--base-url`. Example: https://api.example.com',
      'Corrigez MULTILOCAL_BASE_URL ou `--base-url`. Exemple : https://api.example.com',
    ],
  },
  key: {
    variable: 'MULTILOCAL_API_KEY',
    given: ({ apiKey }: ClientOptions) => apiKey,
    rest: { baseUrl: 'https://localhost' },
    known: [
      [
        /^$/,
        ['The variable MULTILOCAL_API_KEY is not set.', 'La variable MULTILOCAL_API_KEY n’est pas réglée.'],
        [
          'Create a key in the account settings of the service, and set it as MULTILOCAL_API_KEY. `--key-file` reads it from a file.',
          'Créez une clé dans les réglages du compte, sur le service, et réglez MULTILOCAL_API_KEY. `--key-file` la lit dans un fichier.',
        ],
      ],
      [QUOTES, ['The key is wrapped in quotes.', 'La clé est entre guillemets.'], UNQUOTE],
      [
        /^bearer|\s/i,
        ['The key contains a space or the word `Bearer`.', 'La clé contient un espace ou le mot `Bearer`.'],
        COPY,
      ],
    ],
    invalid: 'La clé n’est pas valable.',
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
  const { variable, given, rest, known, invalid, advice } = SETTINGS[check];
  try {
    new Client({ ...options, ...rest });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const value = (given(options) ?? process.env[variable] ?? '').trim();
    const [, mistake = [say(error.message), invalid] as const, hint = advice] =
      known.find(([pattern]) => pattern.test(value)) ?? [];
    return { error, finding: problem(check, mistake, hint) };
  }
}
