// What the mock answers to the example of a method.

import type { Endpoint } from '@multilocal/client/core/endpoint';
import { prelude } from '@multilocal/test/docs/prelude';
import { callByName, specOf } from '@multilocal/test/spec/endpoints';
import * as multilocal from 'multilocal';
import { createMockApi } from 'multilocal/mock';
import ts from 'typescript';

/** The request of the example, and status and body as the service sends them. Some bodies are empty. */
interface Answer {
  curl: string;
  status: number;
  response: unknown;
}

/**
 * Runs an example with the names that code in the guides may use too, and returns the first success of its route.
 * @throws if the mock refuses the example: it then needs ids that the mock has.
 */
export async function answerTo({ operation, method, path }: Endpoint, example: string): Promise<Answer> {
  const api = createMockApi({ now: '2026-11-21T09:00:00Z' });
  const route = new RegExp(`/api/v2${path.replaceAll(/\{\w+\}/g, '.+')}$`);
  let answer: Answer | undefined;
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const sent = request.clone();
    const response = await api.handle(request);
    const isAsked = request.method === method && route.test(new URL(request.url).pathname);
    if (isAsked && response.ok && !answer) {
      const text = await response.clone().text();
      const curl = curlOf(sent.method, sent.url, sent.headers.get('content-type') ?? '', await sent.text());
      answer = { curl, status: response.status, response: text === '' ? undefined : JSON.parse(text) };
    }
    return response;
  };
  const { keys, baseUrl } = api;
  const options = { apiKey: keys.sphere, baseUrl, rateLimit: false, maxRetries: 0, fetch } as const;
  const client = await multilocal.Client.connect(options);
  const { after, sample: [post_id] = [] } = specOf(operation) ?? {};
  if (after) await callByName(client, after, specOf(after)?.sample ?? []);
  const quiet = { log() {}, warn() {}, error() {} };
  const openAsBlob = async () => new Blob(['GIF89a']);
  const names = { ...multilocal, ...prelude(client, api), post_id, openAsBlob, console: quiet };
  const code = ts.transpile(`const run = async () => {\n${example}\n};`, { target: ts.ScriptTarget.ES2022 });
  const run = new Function(...Object.keys(names), `${code}\nreturn run();`) as (...values: unknown[]) => Promise<void>;
  const error = await run(...Object.values(names)).catch((thrown: unknown) => thrown);
  if (!answer) throw new Error(`The mock has no answer to the example of ${operation}`, { cause: error });
  return answer;
}

/** The request as a command. The shell puts in the address and the key, which are those of the reader. */
function curlOf(method: string, url: string, type: string, body: string): string {
  const { pathname, search } = new URL(url);
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"$MULTILOCAL_BASE_URL${pathname}${search}"`];
  if (pathname !== '/api/v2/health') lines.push('-H "X-API-Key: $MULTILOCAL_API_KEY"');
  if (type.startsWith('multipart/')) lines.push('-F file=@photo.gif');
  else if (body !== '') lines.push("-H 'Content-Type: application/json'", `-d '${cut(body).replaceAll("'", "'\\''")}'`);
  return lines.join(' \\\n  ');
}

/** Without the data of a picture, which would fill the page. */
const cut = (body: string) => body.replaceAll(/"([\w+/=]{200,})"/g, (_, data: string) => `"${data.slice(0, 40)}…"`);

/** JSON in which long texts, and lists of objects, are cut to what shows their shape. */
export function shortened(response: unknown): { body: string; isCut: boolean } {
  let isCut = false;
  const shorten = (_: string, value: unknown) => {
    if (typeof value === 'string' && value.length > 60) return `${value.slice(0, 60)}…`;
    if (!Array.isArray(value) || value.length < 2 || typeof value[0] !== 'object') return value;
    isCut = true;
    return value.slice(0, 1);
  };
  return { body: JSON.stringify(response, shorten, 2) ?? '', isCut };
}
