import { formatInstant } from '../engine/clock.js';
import { ok } from '../engine/http.js';
import { defineResource } from '../engine/router.js';

export const API_VERSION = '2.0';

export const health = defineResource({
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
});
