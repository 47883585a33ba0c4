import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @returns {Promise<import('../candidates/job.ts').Job>} */
export async function connect(folder, name, baseUrl) {
  const { connect } = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  return connect({ baseUrl, apiKey: 'bench' });
}
