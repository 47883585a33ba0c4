/** In the order of the tables. */
export const CANDIDATES = [
  { name: 'raw', title: 'raw `fetch` + `JSON.parse`' },
  { name: 'ky', title: 'ky 2.1.0' },
  {
    name: 'openapi-fetch',
    title: 'openapi-fetch 0.17.0',
    generate: ['openapi-typescript', '../openapi.json', '--output', 'generated/schema.d.ts'],
  },
  { name: 'hey-api-zod', title: 'hey-api 0.99.0, zod 4.6.7', generate: ['openapi-ts'] },
  { name: 'hey-api-valibot', title: 'hey-api 0.99.0, valibot 1.5.0', generate: ['openapi-ts'] },
  { name: 'orval', title: 'orval 8.38.0, zod 4.6.7', generate: ['orval', '--config', 'orval.config.mjs'] },
  { name: 'multilocal', title: '**multilocal**' },
];
