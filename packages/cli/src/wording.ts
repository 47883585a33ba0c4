const MAX_WAIT = 'the next request may leave in $1, which is longer than `--max-wait` (10 minutes without it)';

/** What the client says about the options of the library, and what the command line says instead. */
const PHRASES: readonly (readonly [library: RegExp, command: string])[] = [
  [/Invalid client options\. /g, ''],
  [/Set `allowHttp: true`/g, 'Use `--allow-http`'],
  [/Set `baseUrl` to/g, 'Set `--base-url` or MULTILOCAL_BASE_URL to'],
  [/(?<=^|\. )`apiKey`/g, 'The key'],
  [/`apiKey`/g, 'the key'],
  [/(?<=^|\. )`baseUrl`/g, 'The address'],
  [/`baseUrl`/g, 'the address'],
  [/`posts\.findRecent\(.*?\)`/g, '`npx multilocal call posts.list`'],
  [/`(\w+(?:\.\w+)+)\(\{ (\w+): '(\w+)' \}\)`/g, '`npx multilocal call $1 $2=$3`'],
  [/`?client\.(\w+\.\w+)\(\)`?/g, '`npx multilocal call $1`'],
  [/`(\w+(?:\.\w+)+)\((?:id)?\)`/g, '`npx multilocal call $1`'],
  [/`?client\.identity\.gmb_fiches`?/g, '`npx multilocal whoami`'],
  [/the limiter of this client has room in (.+?), which is longer than `maxWait`/g, MAX_WAIT],
  [/Set `totalTimeout` \(ms\) to fail instead of waiting that long\./g, 'Ctrl-C ends the wait.'],
  [/Set `rateLimit\.maxWait` \(ms\) to fail/g, 'Ctrl-C ends the wait. Set `--max-wait` to fail'],
  [/Set `validation: 'warn'` to accept such responses, and report/g, 'Report'],
  [/is a request option\. Pass it in the last argument, not among the parameters/g, 'is an unknown parameter'],
  [/ Iterate over the list to read its pages\./g, ''],
  [/: one page if awaited, all \w+ if iterated/g, ''],
  [/ `client\.for(Bulle|Fiche)` adds it to each call\./g, ''],
];

/** Rewrites a text of the client for people who use the command line. */
export function inCommandWords(text: string): string {
  return PHRASES.reduce((rewritten, [library, command]) => rewritten.replace(library, command), text);
}
