import { setupServer } from 'msw/node';
import { createMockApi } from 'multilocal/mock';
import { afterAll, beforeAll, describe } from 'vitest';
import { articlesSuite } from './articles-suite.js';

const api = createMockApi();
const server = setupServer(...api.handlers);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

describe('ArticlesClient in Node', () => articlesSuite(api));
