import { writes } from '@multilocal/plans/actions';
import { pathNames } from '@multilocal/plans/operation';
import type { Endpoint } from '../../src/core/endpoint.js';
import type { Docstrings } from './docstrings.js';
import { type Json, SchemaWriter } from './schemas.js';

/** The JSON Schema of plans (`multilocal rehearse`), for editors. */
export function planSchema(docs: Docstrings): Json {
  const writer = new SchemaWriter(docs);
  const operations = writes.map(({ operation, dryRun }) => {
    const { summary } = docs.method(operation);
    return { const: operation, description: dryRun ? summary : `${summary} It has no preview.` };
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Plan for `multilocal rehearse`',
    description: 'Actions that are checked and previewed together, and carried out one by one with `--run`.',
    type: 'object',
    properties: {
      $schema: { description: 'The address of this schema, for editors.', type: 'string' },
      name: {
        description: 'Whose posts the plan speaks of. The command takes the name of the file where it is absent.',
        ...WORD,
      },
      covers: {
        description: 'The locations that the plan speaks of. What it has made elsewhere is no left-over. Default: all.',
        type: 'array',
        minItems: 1,
        items: { type: 'string' },
      },
      actions: {
        description: 'The actions, in the order in which they are carried out.',
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            key: {
              description: 'What the action is called across versions of the plan: a run does each key once.',
              ...WORD,
            },
            operation: { description: 'The method of the client that carries out the action.', anyOf: operations },
            params: { description: 'The parameters of the operation, those of the path included.', type: 'object' },
            source: {
              description: 'Where the action was written, such as `semaine.csv:81`. Problems name it.',
              ...WORD,
            },
          },
          required: ['operation'],
          additionalProperties: false,
          allOf: writes.map((endpoint) => rulesOf(endpoint, writer)),
        },
      },
    },
    required: ['actions'],
    additionalProperties: false,
  };
}

const WORD = { type: 'string', minLength: 1, maxLength: 200 };

/** The parameters of one operation, in a form that lets editors complete them once the operation is there. */
function rulesOf(endpoint: Endpoint, writer: SchemaWriter): Json {
  const { operation } = endpoint;
  const params = paramsOf(endpoint, writer);
  const { required = [] } = params as { required?: string[] };
  const isNeeded = required.length > 0 || 'oneOf' in params;
  return {
    if: { properties: { operation: { const: operation } }, required: ['operation'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { params }, ...(isNeeded && { required: ['params'] }) },
  };
}

function paramsOf(endpoint: Endpoint, writer: SchemaWriter): Json {
  const json = endpoint.params ? writer.write(endpoint.params) : {};
  const { properties = {}, required = [] } = json as { properties?: Record<string, Json>; required?: string[] };
  const names = pathNames(endpoint);
  const inPath = names.map((name) => [name, pathParameter(endpoint)]);
  const all = [...names, ...required];
  return {
    ...json,
    type: 'object',
    properties: { ...Object.fromEntries(inPath), ...withRules(endpoint, properties) },
    ...(all.length > 0 && { required: all }),
    additionalProperties: false,
    ...TOGETHER[endpoint.operation],
  };
}

function pathParameter({ method, path }: Endpoint): Json {
  const description = `Part of the path of \`${method} ${path}\`.`;
  // A segment of dots would lead to another path.
  return { description, anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^(?!\\.{0,2}$)' }] };
}

const contactRules = ['sms', 'email'].map((channel) => {
  const [needed, other] =
    channel === 'sms' ? ['customer_phone', 'customer_email'] : ['customer_email', 'customer_phone'];
  return {
    if: { properties: { channel: { const: channel } }, required: ['channel'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: [needed], properties: { [other as string]: false } },
  };
});

/** Adds what the schema of zod holds as a function, and docs of fields that the type does not document. */
function withRules({ operation }: Endpoint, properties: Record<string, Json>): Record<string, Json> {
  const { contacts } = properties;
  if (operation === 'acquisition.requestReviews' && contacts) {
    return { ...properties, contacts: { ...contacts, items: { ...(contacts.items as Json), allOf: contactRules } } };
  }
  const described = Object.entries(DESCRIPTIONS[operation] ?? {}).map(([name, description]) => {
    return [name, { ...properties[name], description }];
  });
  return { ...properties, ...Object.fromEntries(described) };
}

/** The forms of a union have different docs, or none. */
const DESCRIPTIONS: Readonly<Record<string, Record<string, string>>> = {
  'reports.create': {
    type: '`fiche` for one report on each listing, `combine` for one report on all listings together.',
    fiche_ids: 'Ids of the listings: at least one, and at least two with `combine`.',
  },
  'images.upload': {
    url: 'Address that the service fetches the image from.',
    image_base64: 'The image as a data URI: JPEG, PNG, WebP or GIF, at most 8 MB once decoded.',
  },
};

const not = (...names: string[]) => ({ not: { required: names } });

/** Rules about several parameters. Schemas of zod hold them as functions. */
const TOGETHER: Readonly<Record<string, Json>> = {
  'posts.create': { oneOf: [{ required: ['content'] }, { required: ['text'] }] },
  'images.upload': { oneOf: [{ required: ['url'] }, { required: ['image_base64'] }] },
  'reports.create': {
    if: { properties: { type: { const: 'combine' } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { fiche_ids: { minItems: 2 } } },
  },
  'articles.create': { allOf: [not('site_id', 'site_ids'), not('wix_site_id', 'wix_site_ids')] },
};
