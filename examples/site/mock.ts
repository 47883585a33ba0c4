import { type MockServer, type MockServerOptions, startMockServer } from 'multilocal/mock/server';

/**
 * The mock API, in the service's place. The seed's pictures stand on a host that does not exist: without them the page
 * shows its drawings, and asks nothing of other hosts.
 */
export async function startMock(options?: MockServerOptions): Promise<MockServer> {
  const server = await startMockServer(options);
  const { articles } = server.api;
  for (const { id, updated_at } of articles.all()) articles.touch(id, { featured_image_url: null, updated_at });
  return server;
}
