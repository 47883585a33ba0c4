// Runs code against the mock, within the page that shows it.
import { getResponse } from 'msw';
import * as multilocal from 'multilocal';
import { createMockApi, type MockApi, type MockKeys, type MockRequest } from 'multilocal/mock';

/** The samples have dates: they stay in the future of a mock whose clock starts here. */
const NOW = '2026-11-21T09:00:00Z';

export type KeyName = keyof MockKeys;

export interface Failure {
  /** The class: `NotFoundError`. */
  name: string;
  message: string;
  /** `code`, `status`, `outcome` … of an error of this package. */
  facts: [name: string, value: string][];
}

export interface Run {
  /** What the code gave to `console.log`. */
  printed: string[];
  failure?: Failure;
  /** What the mock saw. */
  requests: MockRequest[];
}

export interface Session {
  run(code: string, key: KeyName): Promise<Run>;
  /** Makes the mock as it was at first. */
  reset(): void;
}

export function openSession(): Session {
  const api = createMockApi({ now: NOW });
  return {
    async run(code, key) {
      const before = api.requests.length;
      const printed: string[] = [];
      const failure = await execute(code, namesFor(api, key, printed)).catch(failureOf);
      return { printed, ...(failure && { failure }), requests: api.requests.slice(before) };
    },
    reset: () => api.reset(),
  };
}

/** The client under test asks msw's handlers instead of the network: no service worker stays behind in the browser. */
function fetchOf({ handlers }: MockApi): typeof fetch {
  return async (input, init) => {
    const response = await getResponse(handlers, new Request(input, init));
    if (!response || response.type === 'error') throw new TypeError('Failed to fetch');
    return response;
  };
}

/** What the code may use without declaring it: all that the package exports, and the ids of the mock's brand. */
function namesFor(api: MockApi, key: KeyName, printed: string[]): Record<string, unknown> {
  const client = new multilocal.Client({
    apiKey: api.keys[key],
    baseUrl: api.baseUrl,
    fetch: fetchOf(api),
    rateLimit: false,
    dangerouslyAllowBrowser: true,
  });
  const log = (...values: unknown[]) => void printed.push(values.map(shown).join(' '));
  const { bulle: bulle_id, fiche: fiche_id, review: review_id } = api.ids;
  const console = { log, info: log, warn: log, error: log };
  return { ...multilocal, client, api, bulle_id, fiche_id, review_id, console };
}

async function execute(code: string, names: Record<string, unknown>): Promise<undefined> {
  // The names are there already, and a function cannot hold an import.
  const body = code.replaceAll(/^import [^;]+ from 'multilocal';?$/gm, '');
  // One function within another: the code may declare a name that it is also given.
  const start = new Function(...Object.keys(names), `return (async () => {\n${body}\n})()`);
  await start(...Object.values(names));
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value));
}

const FACTS = ['code', 'status', 'outcome', 'origin', 'attempts', 'operation', 'method', 'path', 'detail', 'issues'];

function failureOf(error: unknown): Failure {
  if (!multilocal.isMultilocalError(error)) {
    const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
    return { name, message, facts: [] };
  }
  const facts = FACTS.flatMap((name): [string, string][] => {
    const value: unknown = Reflect.get(error, name);
    return value === undefined || value === '' ? [] : [[name, shown(value)]];
  });
  return { name: error.name, message: error.message, facts };
}
