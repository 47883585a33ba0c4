import { once } from 'node:events';
import { codeOf } from '@multilocal/stores/files';
import type { MockDeviation } from 'multilocal/mock';
import type { MockServer } from 'multilocal/mock/server';
import { command, option, repeated } from '../command.js';
import { EXIT, UsageError } from '../failure.js';
import { ALL_DEVIATIONS, faultsOf, optionsOf } from '../mock/options.js';
import type { Output } from '../output.js';
import { variablesLine } from '../words.js';

const HINT = '`npx multilocal mock --help` lists the flags.';

export const mock = command({
  description: 'Run the mock of the whole API on this machine, until Ctrl-C',
  args: {
    port: option('Port; 0: any free one (default: PORT, else 4010)', 'port'),
    host: { ...option('Address to listen on', 'host'), default: '127.0.0.1' },
    seed: option("Start of the mock's clock: the same date gives the same data", 'date'),
    bulles: option('Locations of the brand (default: 13)', 'n'),
    latency: option('Delay of each response: ms, 500ms, 2s (default: 0)', 'time'),
    'rate-limit': option('Requests of each key in a minute and in a day (default: not counted)', '60/1000'),
    quota: repeated('A monthly quota: articles, social, sms, email or seo_scans (repeatable)', 'name=n', true),
    fail: repeated('Fail every call of an operation (repeatable)', 'operation=status', true),
    crooked: option('Differ from the specification in these ways, or without names in all ways', 'names'),
  },
  bare: { crooked: ALL_DEVIATIONS },
  async run({ args, values, output, signal }) {
    const port = readPort(args.port ?? process.env.PORT ?? '4010');
    const faults = faultsOf(values('fail'));
    const now = args.seed !== undefined && /^\d+$/.test(args.seed) ? Number(args.seed) : args.seed;
    const { createMockApi, mockDeviations, startMockServer } = await import('multilocal/mock/server');
    const service = optionsOf({ ...args, quota: values('quota') }, Object.keys(mockDeviations) as MockDeviation[]);
    const server = await startMockServer({ port, host: args.host, now, ...service }).catch((error: Error) => {
      throw refusal(error, port, () => createMockApi({ now }));
    });
    for (const fault of faults) server.api.fail(fault);
    const { url, api, close } = server;
    const { keys } = api;
    // Its keys are the same in every mock, and the environment may hold one of them.
    for (const key of Object.values(keys)) output.reveal(key);
    const variables = { MULTILOCAL_BASE_URL: url, MULTILOCAL_API_KEY: keys.sphere };
    if (output.isJson && args.json !== true) {
      // Without a terminal, the lines are those of an env file, which a shell can also read with `source`.
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      output.raw([...lines, `export ${Object.keys(variables).join(' ')}`].join('\n'));
    } else {
      output.data({ ...variables, keys }, describe(server, args.host, output));
    }
    const stopPrinting = printRequests(server, output);
    if (!signal.aborted) await once(signal, 'abort');
    stopPrinting();
    await close();
    return EXIT.done;
  },
});

/** The messages of Node and of the mock name other options, and repeat values. `seeded` makes the mock of `--seed` alone. */
function refusal(error: Error, port: number | undefined, seeded: () => unknown): UsageError {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    const hint = 'Pass another one: `--port 0` takes any free port.';
    return new UsageError(`Port ${port} is taken, perhaps by another mock.`, hint);
  }
  if (/^E[A-Z_]+$/.test(code)) {
    return new UsageError(`The mock cannot listen on port ${port} of the address of \`--host\` (${code}).`, HINT);
  }
  try {
    seeded();
    return new UsageError('`--host` must be a host name or an IP address.', HINT);
  } catch {
    return new UsageError('`--seed` must be a date, such as 2026-01-01.', 'Years from 1700 to 2199 are possible.');
  }
}

function readPort(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError('`--port` must be an integer from 0 to 65535.', HINT);
}

function describe({ url, api }: MockServer, host: string, output: Output): string {
  const { keys, ids } = api;
  const key = (name: string, value: string, what: string) =>
    `  ${output.paint('dim', name.padEnd(13))}  ${value}   ${what}`;
  // What other machines need if the mock listens on every address of this one.
  const others = `Containers and other machines reach it by this machine's name or address, on port ${new URL(url).port}.
Their clients need \`allowHttp: true\`, and \`multilocal\` needs \`--allow-http\`.

`;
  return `The mock API runs on ${output.paint('bold', url)}

${key('sphere key', keys.sphere, 'the whole brand, every permission')}
${key('bulle key', keys.bulle, `one location: ${ids.bulle}`)}
${key('read-only key', keys.readOnly, 'the whole brand, read')}
${key('expired key', keys.expired, 'always 401')}

In another terminal:

  ${output.paint('cyan', variablesLine({ MULTILOCAL_API_KEY: keys.sphere, MULTILOCAL_BASE_URL: url }))}
  ${output.paint('cyan', 'npx multilocal sync content')}

${['0.0.0.0', '::'].includes(host) ? others : ''}Ctrl-C stops it. Requests:`;
}

/** Prints each request once it is done. Returns the function that stops it. */
function printRequests({ api }: MockServer, output: Output): () => void {
  const printed = new WeakSet<object>();
  const print = () => {
    for (const request of api.requests) {
      if (request.status === 0 || printed.has(request)) continue;
      printed.add(request);
      const { status, method, path, query } = request;
      const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
      output.note(`  ${status}  ${method} ${path}${pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''}`);
    }
  };
  const timer = setInterval(print, 200);
  return () => {
    clearInterval(timer);
    print();
  };
}
