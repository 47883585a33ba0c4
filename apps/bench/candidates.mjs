import { readFileSync } from 'node:fs';

const { dependencies } = JSON.parse(readFileSync(new URL('candidates/package.json', import.meta.url), 'utf8'));
const named = (...packages) => packages.map((name) => `${name} ${dependencies[name]}`).join(' + ');
const heyApi = `hey-api ${dependencies['@hey-api/openapi-ts']}`;
const generateHeyApi = ['@hey-api/openapi-ts/bin/run.js'];
const likeHeyApi = { like: 'hey-api', checks: true, generate: generateHeyApi };

/**
 * In the order of the tables. `checks`: whether it checks responses. `generate`: the program and its arguments that write `candidates/<name>/generated`. `like`:
 * the candidate whose files it shares, beside the settings of its generator.
 */
export const CANDIDATES = [
  { name: 'raw', title: 'raw `fetch` + `JSON.parse`', checks: false },
  { name: 'ky', title: named('ky'), checks: false },
  { name: 'by-hand', title: `by hand: ${named('ky')} + zod/mini ${dependencies.zod}`, checks: true },
  {
    name: 'openapi-fetch',
    title: named('openapi-fetch'),
    checks: false,
    generate: ['openapi-typescript/bin/cli.js', '../openapi.json', '--output', 'generated/schema.d.ts'],
  },
  { name: 'hey-api', title: heyApi, checks: false, generate: generateHeyApi },
  { name: 'hey-api-zod-mini', title: `${heyApi} + zod/mini`, ...likeHeyApi },
  { name: 'hey-api-zod', title: `${heyApi} + ${named('zod')}`, ...likeHeyApi },
  { name: 'hey-api-ky-zod', title: `${heyApi}, its ky client + zod`, ...likeHeyApi },
  { name: 'hey-api-valibot', title: `${heyApi} + ${named('valibot')}`, ...likeHeyApi },
  {
    name: 'orval-zod',
    title: named('orval', 'zod'),
    checks: true,
    generate: ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'],
  },
  { name: 'multilocal', title: '**multilocal**', checks: true },
];

/** Ours as users have it: the others have no limiter. */
export const WITH_LIMITER = { name: 'multilocal-limiter', title: '**multilocal**, limiter on', checks: true };
