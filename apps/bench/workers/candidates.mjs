import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CANDIDATES } from '../candidates.mjs';

/** @returns {Promise<import('../candidates/job.ts').Job>} */
export async function connect(folder, name, baseUrl) {
  const { connect } = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  return connect({ baseUrl, apiKey: 'bench' });
}

/** Every candidate, connected to the service. */
export function connectAll(folder, baseUrl) {
  return Promise.all(CANDIDATES.map(async ({ name }) => ({ name, job: await connect(folder, name, baseUrl) })));
}
