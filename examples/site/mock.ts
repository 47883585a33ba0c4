import { type MockServer, type MockServerOptions, startMockServer } from 'multilocal/mock/server';

/**
 * The mock API instead of the service. The images of the seed are on a host that does not exist. Without images, the
 * page shows its drawings and sends no request to other hosts.
 */
export async function startMock(options?: MockServerOptions): Promise<MockServer> {
  const server = await startMockServer(options);
  const { articles } = server.api;
  for (const { id, updated_at } of articles.all()) articles.touch(id, { featured_image_url: null, updated_at });
  return server;
}
