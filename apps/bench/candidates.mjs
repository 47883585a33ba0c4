import { readFileSync } from 'node:fs';

const { dependencies } = JSON.parse(readFileSync(new URL('candidates/package.json', import.meta.url), 'utf8'));
const named = (...packages) => packages.map((name) => `${name} ${dependencies[name]}`).join(', ');

/** In the order of the tables. `generate`: the program and its arguments that write `candidates/<name>/generated`. */
export const CANDIDATES = [
  { name: 'raw', title: 'raw `fetch` + `JSON.parse`' },
  { name: 'ky', title: named('ky') },
  {
    name: 'openapi-fetch',
    title: named('openapi-fetch'),
    generate: ['openapi-typescript/bin/cli.js', '../openapi.json', '--output', 'generated/schema.d.ts'],
  },
  { name: 'hey-api-zod', title: named('@hey-api/openapi-ts', 'zod'), generate: ['@hey-api/openapi-ts/bin/run.js'] },
  {
    name: 'hey-api-valibot',
    title: named('@hey-api/openapi-ts', 'valibot'),
    generate: ['@hey-api/openapi-ts/bin/run.js'],
  },
  {
    name: 'orval',
    title: named('orval', 'zod'),
    generate: ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'],
  },
  { name: 'multilocal', title: '**multilocal**' },
];
