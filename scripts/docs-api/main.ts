// Writes docs/endpoints.md, docs/openapi.json and docs/plan.schema.json from the endpoints; with --check, says whether
// they are stale instead.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '../../src/resources/index.js';
import { readDocstrings } from './docstrings.js';
import { endpointsPage } from './endpoints-page.js';
import { openApi } from './openapi.js';
import { planSchema } from './plan-schema.js';
import { SampleError } from './sample.js';
import { SchemaWriter } from './schemas.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

// The mock's clock runs with real time: it stands still here.
const instant = Date.now();
Date.now = () => instant;

const docs = await readDocstrings();
const writer = new SchemaWriter(docs);
const document = await openApi(endpoints, version, docs).catch((error: unknown) => {
  if (!(error instanceof SampleError)) throw error;
  console.error(`A sample in test/spec/endpoints.ts must be fixed or added: ${error.message}`);
  process.exit(1);
});
const openapi = `${JSON.stringify(document, null, 2)}\n`;
const plan = `${JSON.stringify(planSchema(docs), null, 2)}\n`;
const page = endpointsPage(endpoints, docs, ({ params }) => (params ? writer.write(params) : {}));

for (const [name, text] of [
  ['endpoints.md', page],
  ['openapi.json', openapi],
  ['plan.schema.json', plan],
] as const) {
  const file = join(root, 'docs', name);
  const stale = !existsSync(file) || readFileSync(file, 'utf8') !== text;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (stale) {
    console.error(`docs/${name} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}
