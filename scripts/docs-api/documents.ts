// Writes openapi.json and plan.schema.json into the folder that is named, from the endpoints. Part of `npm run build`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathNames } from '@multilocal/plans/operation';
import type { Endpoint } from '../../src/core/endpoint.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { callSample, type Exchange, SampleError } from '../../test/spec/sample.js';
import { readDocstrings } from './docstrings.js';
import { planSchema } from './plan-schema.js';
import { type Json, SchemaWriter } from './schemas.js';

/** Errors that any route may answer with, by status; the specification's meaning of each. */
const ERRORS: Record<string, string> = {
  400: 'Invalid request, missing target, or platform not connected',
  401: 'Missing or invalid API key',
  403: 'Insufficient permission, or target outside the scope of the key',
  404: 'Not found',
  409: 'State conflict',
  410: 'Gone at the provider',
  422: 'Invalid data',
  429: 'Rate limit or monthly quota exceeded',
  500: 'Server error',
  502: 'An external service failed',
  503: 'Not configured, or unavailable',
};

/** The statuses of success that the specification names. Reads have 200, and it leaves those of other writes open. */
const NAMED: Record<string, number> = {
  'articles.create': 201,
  'articles.confirm': 200,
  'acquisition.requestReviews': 202,
  'reports.create': 202,
};

const PREVIEW = { type: 'object', description: 'With `dry_run: true`: fields named `would_*`, and the quota.' };

const [folder = '.'] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const docs = await readDocstrings();

// The mock's clock runs with real time: it stands still here.
const instant = Date.now();
Date.now = () => instant;

const openapi = await openApi().catch((error: unknown) => {
  if (!(error instanceof SampleError)) throw error;
  console.error(`A sample in test/spec/endpoints.ts must be fixed or added: ${error.message}`);
  process.exit(1);
});
for (const [name, document] of Object.entries({ openapi, 'plan.schema': planSchema(docs) })) {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(document)}\n`);
}

/** The OpenAPI 3.1 document of all endpoints. */
async function openApi(): Promise<Json> {
  const writer = new SchemaWriter(docs);
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const method = endpoint.method.toLowerCase();
    const item = paths[endpoint.path] ?? {};
    paths[endpoint.path] = item;
    const operation = operationOf(endpoint, writer, await callSample(endpoint));
    // The two kinds of /seo/data are one operation on the wire.
    item[method] = item[method] ? merged(item[method], operation) : operation;
  }
  const error = { type: 'object', properties: { detail: { description: 'What is wrong, in French.' } } };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Multi-Location Social Publishing and Content API',
      version: '2.0',
      description: `As the client \`multilocal\` ${version} knows it: generated from its endpoints and schemas, with examples from its mock. Answers may hold more fields than are shown.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{base_url}/api/v2', variables: { base_url: { default: 'https://api.multilocal.test' } } }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name, description: `Routes below /${name}.` })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: Object.fromEntries(
        Object.entries({ ...writer.components, Error: error }).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          `Error${status}`,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        ]),
      ),
    },
  };
}

function operationOf(endpoint: Endpoint, writer: SchemaWriter, sample: Exchange): Json {
  const { operation, permission, method, dryRun } = endpoint;
  const { summary, description } = docs.method(operation);
  if (!summary) throw new Error(`${operation} has no docstring: its first sentence is the summary of the route`);
  const params = paramsOf(endpoint, writer);
  const inQuery = method === 'GET' || method === 'DELETE';
  const inPath = pathNames(endpoint).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: typeof sample.path[name] === 'number' ? 'integer' : 'string' },
    example: sample.path[name],
  }));
  const parameters = [...inPath, ...(inQuery ? queryParameters(params, sample) : [])];
  return {
    operationId: operation,
    tags: [tagOf(endpoint)],
    summary,
    description,
    ...(permission === null ? { security: [] } : { 'x-permission': permission }),
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery && {
      requestBody: {
        required: params.required !== undefined,
        content: { 'application/json': { schema: params, example: sample.body ?? {} } },
      },
    }),
    responses: {
      [NAMED[operation] ?? (method === 'GET' ? 200 : '2XX')]: {
        description: 'Success',
        content: { 'application/json': { schema: responseOf(endpoint, writer), example: shortened(sample.response) } },
      },
      // No status is named for a preview.
      ...(NAMED[operation] &&
        dryRun && { '2XX': { description: 'Preview', content: { 'application/json': { schema: PREVIEW } } } }),
      ...Object.fromEntries(
        Object.keys(ERRORS)
          .filter((status) => permission !== null || Number(status) >= 500 || status === '404')
          .map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  };
}

/** `dry_run` belongs to the route: the schemas of parameters do without it. */
function paramsOf({ params, dryRun }: Endpoint, writer: SchemaWriter): Json {
  const json = params ? writer.write(params) : { type: 'object', additionalProperties: false };
  if (!dryRun) return json;
  const dry_run = { description: docs.fields('DryRunOption').dry_run, type: 'boolean' };
  return { ...json, properties: { ...(json.properties as Json | undefined), dry_run } };
}

function responseOf({ response, dryRun }: Endpoint, writer: SchemaWriter): Json {
  const schema = response ? writer.write(response) : {};
  if (!dryRun || !response) return schema;
  return { anyOf: [schema, PREVIEW] };
}

function queryParameters(params: Json, { query }: Exchange): Json[] {
  const required = (params.required as string[] | undefined) ?? [];
  return Object.entries((params.properties as Record<string, Json> | undefined) ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...(schema.type === 'array' && { style: 'form', explode: true }),
    schema,
    ...(query.has(name) && { example: exampleValue(query.getAll(name), schema) }),
  }));
}

function exampleValue(values: string[], { type }: Json): unknown {
  if (type === 'array') return values;
  return type === 'integer' ? Number(values[0]) : values[0];
}

/** Two items of a list show as much as fifty. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened);
  if (typeof value === 'string') return value.length > 300 ? `${value.slice(0, 300)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]));
}

function merged(one: Json, other: Json): Json {
  const responses = one.responses as Record<string, Json>;
  const [status = '200'] = Object.keys(responses);
  const schemaOf = (operation: Json) => {
    const response = (operation.responses as Record<string, Json>)[status] as { content: Record<string, Json> };
    return response.content['application/json'] as Json;
  };
  const { example } = schemaOf(one);
  const schema = { anyOf: [schemaOf(one).schema, schemaOf(other).schema] };
  const parameters = (one.parameters as Json[]).map((parameter) => {
    const twin = (other.parameters as Json[]).find(({ name }) => name === parameter.name);
    const values = [parameter, twin].map((each) => (each?.schema as Json | undefined)?.const);
    if (parameter.name !== 'kind') return parameter;
    // Each method sends its kind, but the route has a default.
    return { ...parameter, required: undefined, schema: { type: 'string', enum: values, default: 'snapshot' } };
  });
  return {
    ...one,
    description: `${one.description}\n\nWith \`kind=competitors\`: ${other.summary}`,
    // The command line has an operation for each method of the client.
    'x-operations': [other].map(({ operationId, summary, description }) => ({ operationId, summary, description })),
    parameters,
    responses: {
      ...responses,
      [status]: { description: 'Success', content: { 'application/json': { schema, example } } },
    },
  };
}

function tagOf({ path }: Endpoint): string {
  return path.split('/')[1] as string;
}
