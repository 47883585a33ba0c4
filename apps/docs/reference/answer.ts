// What the mock answers to a call that a page shows.
import ts from 'typescript';
import { callSample } from '../../../scripts/docs-api/sample.js';
import type { Endpoint } from '../../../src/core/endpoint.js';
import * as multilocal from '../../../src/index.js';
import { createMockApi } from '../../../src/mock/index.js';
import { prelude } from '../../../test/docs/prelude.js';
import { operations } from '../playground/operations.js';

export interface Answer {
  status: number;
  /** JSON. */
  body: string;
  /** Whether only the first member of a list is shown. */
  isCut: boolean;
  /** The call that was answered, where the example was not. */
  call?: string;
}

const NOW = '2026-11-21T09:00:00Z';

/** The answer to the example of a method; where the mock refuses it, the answer to the call of the playground. */
export async function answerTo(endpoint: Endpoint, example: string): Promise<Answer> {
  const answered = await runExample(endpoint, example);
  if (answered) return shown(answered.status, answered.response);
  const { status, response } = await callSample(endpoint);
  const code = operations.find(({ operation }) => operation === endpoint.operation)?.code ?? '';
  const call = code.replace('const result = ', '').replace('console.log(result);\n', '');
  return { ...shown(status, response), call };
}

/** Runs the example with the names that code in the guides may use too, and returns the first success of its route. */
async function runExample(
  { method, path }: Endpoint,
  example: string,
): Promise<{ status: number; response: unknown } | undefined> {
  const api = createMockApi({ now: NOW });
  const route = new RegExp(`/api/v2${path.replaceAll(/\{\w+\}/g, '.+')}$`);
  let found: { status: number; response: unknown } | undefined;
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const response = await api.handle(request);
    const isAsked = request.method === method && route.test(new URL(request.url).pathname);
    if (isAsked && response.ok)
      found ??= {
        status: response.status,
        response: await response
          .clone()
          .json()
          .catch(() => undefined),
      };
    return response;
  };
  const client = new multilocal.Client({
    apiKey: api.keys.sphere,
    baseUrl: api.baseUrl,
    rateLimit: false,
    maxRetries: 0,
    fetch,
  });
  const quiet = { log() {}, warn() {}, error() {} };
  const openAsBlob = async () => new Blob(['GIF89a']);
  const names = { ...multilocal, ...prelude(client, api), openAsBlob, console: quiet };
  const code = ts.transpile(`const run = async () => {\n${example}\n};`, { target: ts.ScriptTarget.ES2022 });
  await new Function(...Object.keys(names), `${code}\nreturn run();`)(...Object.values(names)).catch(() => {});
  return found;
}

/** Long lists and long texts are cut to what shows their shape. */
function shown(status: number, response: unknown): Answer {
  let isCut = false;
  const shorten = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length > 60 ? `${value.slice(0, 60)}…` : value;
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item)]));
    const isShort = value.length < 2 || value.every((item) => typeof item !== 'object');
    isCut ||= !isShort;
    return (isShort ? value : value.slice(0, 1)).map(shorten);
  };
  return { status, body: response === undefined ? '' : JSON.stringify(shorten(response), null, 2), isCut };
}
