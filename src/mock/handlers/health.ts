import { ok } from '../http.js';
import type { Resource } from '../service.js';
import { formatInstant } from '../timestamps.js';

export const API_VERSION = '2.0';

export const health: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/health',
      permission: null,
      operation: 'health',
      handle: ({ service }) =>
        ok({ status: 'ok', api_version: API_VERSION, timestamp: formatInstant(service.clock.now()) }),
    },
  ],
};
