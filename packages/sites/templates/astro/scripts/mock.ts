import type { AstroIntegration } from 'astro';
import { type MockServer, startMockServer } from 'multilocal/mock/server';

/** Without the address of a service, the site shows the articles of a mock that runs on this machine. */
export function mockWithoutService(): AstroIntegration {
  let server: MockServer | undefined;
  return {
    name: 'mock-without-service',
    hooks: {
      'astro:config:setup': async ({ logger, updateConfig }) => {
        if (process.env.MULTILOCAL_BASE_URL) return;
        // A deployment that has lost a variable must not replace the articles with the mock's.
        if (process.env.MULTILOCAL_API_KEY) throw new Error('MULTILOCAL_API_KEY is set, but not MULTILOCAL_BASE_URL.');
        server = await startMockServer();
        process.env.MULTILOCAL_BASE_URL = server.url;
        process.env.MULTILOCAL_API_KEY = server.api.keys.sphere;
        // A build copies its pictures to the site, see src/pictures.ts.
        updateConfig({ image: { remotePatterns: [{ protocol: 'http', hostname: '127.0.0.1' }] } });
        logger.warn('MULTILOCAL_BASE_URL is not set: the articles come from the mock.');
      },
      'astro:build:done': () => server?.close(),
    },
  };
}
