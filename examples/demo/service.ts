import { type MockControl, startMockServer } from 'multilocal/mock/server';

/** The service that the demo uses. */
export interface Service {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Controls the mock, where articles can change without the API. `undefined` for the real service. */
  readonly mock: MockControl | undefined;
  close(): Promise<void>;
}

/** The real service if the environment has its address and a key, else the mock on a free port. */
export async function openService(): Promise<Service> {
  const { MULTILOCAL_API_KEY: apiKey, MULTILOCAL_BASE_URL: baseUrl } = process.env;
  if (apiKey && baseUrl) return { apiKey, baseUrl, mock: undefined, close: async () => {} };

  // Limits that allow hundreds of confirmations in seconds, and responses with the delay of a nearby server.
  const { url, api, close } = await startMockServer({
    rateLimit: { perMinute: 6_000, perDay: 100_000 },
    latency: 40,
  });
  return { apiKey: api.keys.sphere, baseUrl: url, mock: api, close };
}
