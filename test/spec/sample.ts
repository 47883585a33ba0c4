import { pathNames } from '@multilocal/plans/operation';
import { createMockApi } from 'multilocal/mock/server';
import { Client } from '../../src/client.js';
import type { Endpoint } from '../../src/core/endpoint.js';
import { callByName, specOf } from './endpoints.js';

/** A request as the client sent it, and the response of the mock. */
export interface Exchange {
  /** Path parameters. */
  path: Record<string, unknown>;
  query: URLSearchParams;
  body: unknown;
  status: number;
  response: unknown;
}

/** A sample is missing, or the mock refuses it: nothing that a stack would help to find. */
export class SampleError extends Error {
  override name = 'SampleError';
}

const NOW = '2026-11-21T09:00:00Z';

/** Calls the sample of the operation on a fresh mock, whose clock stands still, so that the same sources give the same document. */
export async function callSample(endpoint: Endpoint): Promise<Exchange> {
  const { operation } = endpoint;
  const { sample = [], after } = specOf(operation) ?? {};
  const api = createMockApi({ now: NOW });
  let exchange: Exchange | undefined;
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const sent = await request.clone().text();
    const response = await api.handle(request);
    const received = await response.clone().text();
    exchange = {
      path: Object.fromEntries(pathNames(endpoint).map((name, index) => [name, sample[index]])),
      query: new URL(request.url).searchParams,
      body: sent ? JSON.parse(sent) : undefined,
      status: response.status,
      response: received ? JSON.parse(received) : undefined,
    };
    return response;
  };
  const client = new Client({ apiKey: api.keys.sphere, baseUrl: api.baseUrl, rateLimit: false, maxRetries: 0, fetch });
  if (after !== undefined) await call(client, after, specOf(after)?.sample ?? []);
  await call(client, operation, sample);
  if (!exchange) throw new SampleError(`${operation} sent nothing`);
  return exchange;
}

async function call(client: Client, operation: string, args: readonly unknown[]): Promise<void> {
  try {
    await callByName(client, operation, args);
  } catch (error) {
    throw new SampleError(`${operation} fails: ${error instanceof Error ? error.message : String(error)}`);
  }
}
