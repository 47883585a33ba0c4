import { type MockControl, startMockServer } from 'multilocal/mock/server';

/** What the demo speaks to. */
export interface Service {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** The inside of the mock, where articles can change without the API; `undefined` for the real service. */
  readonly mock: MockControl | undefined;
  close(): Promise<void>;
}

/** The real service when the environment names it and a key, else the mock on a free port of this machine. */
export async function openService(): Promise<Service> {
  const { MULTILOCAL_API_KEY: apiKey, MULTILOCAL_BASE_URL: baseUrl } = process.env;
  if (apiKey && baseUrl) return { apiKey, baseUrl, mock: undefined, close: async () => {} };

  // Budgets high enough for hundreds of confirmations in seconds, and answers that take the time of a near server.
  const { url, api, close } = await startMockServer({
    rateLimit: { perMinute: 6_000, perDay: 100_000 },
    latency: 40,
  });
  return { apiKey: api.keys.sphere, baseUrl: url, mock: api, close };
}
