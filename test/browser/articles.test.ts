import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe } from 'vitest';
import { createMockApi } from 'multilocal/mock';
import { articlesSuite } from './articles-suite.js';

const api = createMockApi();
const server = setupServer(...api.handlers);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

describe('ArticlesClient in Node', () => articlesSuite(api));
