import { setupWorker } from 'msw/browser';
import { createMockApi } from 'multilocal/mock';
import { afterAll, beforeAll, describe } from 'vitest';
import { articlesSuite } from './articles-suite.js';

const api = createMockApi();
const worker = setupWorker(...api.handlers);
beforeAll(async () => {
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' });
});
afterAll(async () => {
  worker.stop();
  // No later page of this browser is to have a service worker in the way of its requests.
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
});

describe('ArticlesClient in Chromium', () => articlesSuite(api));

describe('the build for browsers', async () => {
  const file = new URL('../../dist/browser/multilocal-articles.min.js', import.meta.url);
  const built = (await import(/* @vite-ignore */ file.href)) as typeof import('../../src/articles.js');
  articlesSuite(api, built.ArticlesClient);
});
