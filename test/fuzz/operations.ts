import fc from 'fast-check';
import type { Client } from '../../src/client.js';
import type { Endpoint } from '../../src/core/endpoint.js';
import type { Schema } from '../../src/core/schema.js';
import type { RequestOptions } from '../../src/index.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { callByName } from '../spec/endpoints.js';
import { accepts, validFor } from './arbitrary.js';

export type Fields = Record<string, unknown>;

/** Every operation once; two share `seo.snapshot`'s route and each has its own entry. */
export const OPERATIONS = endpoints.map((endpoint) => [endpoint.operation, endpoint] as const);

export const pathParams = ({ path }: Endpoint): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Call the method that stands for the operation, as a user without types would. */
export async function invoke(
  client: Client,
  endpoint: Endpoint,
  ids: readonly unknown[],
  params: Fields,
  options: RequestOptions = {},
): Promise<unknown> {
  const given = endpoint.params || endpoint.dryRun ? [params] : [];
  return await callByName(client, endpoint.operation, [...ids, ...given, options]);
}

/** Rules between fields: what keeps a record made field by field. */
const MEND: Record<string, (params: Fields) => void> = {
  'posts.create': (params) => {
    if (params.content === undefined && params.text === undefined) params.content = 'Pain';
    if (params.content !== undefined) delete params.text;
    if (Object.keys(params).some((name) => name.startsWith('scheduled_'))) delete params.publish_now;
  },
  'articles.create': (params) => {
    if (params.site_id !== undefined) delete params.site_ids;
    if (params.wix_site_id !== undefined) delete params.wix_site_ids;
  },
  'reviews.list': (params) => {
    if (params.min_stars !== undefined) delete params.max_stars;
  },
  'seo.searchConsole': (params) => {
    if (params.start_date !== undefined) delete params.end_date;
  },
  'images.upload': (params) => {
    if (params.url === undefined && params.image_base64 === undefined) params.url = 'https://x.test/1.png';
    if (params.url !== undefined) delete params.image_base64;
  },
  'reports.create': (params) => {
    if (String(params.date_end) < String(params.date_start)) params.date_end = params.date_start;
    if (params.type === 'combine') params.fiche_ids = ['a', 'b', ...(params.fiche_ids as string[])];
  },
};

const CONTACTS = fc.array(
  fc.oneof(
    fc.record({
      customer_name: fc.constantFrom('Ada', 'é👍'),
      channel: fc.constant('sms'),
      customer_phone: fc.constant('+33600000000'),
    }),
    fc.record({
      customer_name: fc.constant('Max'),
      channel: fc.constant('email'),
      customer_email: fc.constant('max@example.com'),
      custom_message: fc.string({ minLength: 1 }),
    }),
  ),
  { minLength: 1, maxLength: 3 },
);

/** Parameters that the operation accepts. */
export function paramsFor(endpoint: Endpoint): fc.Arbitrary<Fields> {
  const { operation, params, dryRun } = endpoint;
  const own = params ? ownParamsFor(operation, params) : fc.constant<Fields>({});
  if (!dryRun) return own;
  const preview = fc.record({ dry_run: fc.boolean() }, { requiredKeys: [] });
  return fc.tuple(own, preview).map(([fields, more]) => ({ ...fields, ...more }));
}

function ownParamsFor(operation: string, schema: Schema): fc.Arbitrary<Fields> {
  if (operation === 'acquisition.requestReviews') {
    return fc.record(
      { contacts: CONTACTS, fiche_id: fc.constant('accounts/1/locations/1') },
      { requiredKeys: ['contacts'], noNullPrototype: true },
    );
  }
  const mend = MEND[operation];
  return (validFor(schema) as fc.Arbitrary<Fields>).map((params) => {
    const own = { ...params };
    mend?.(own);
    return own;
  });
}

/** Whether the operation takes these parameters: `dry_run` belongs to the route and stands in no schema. */
export function takes({ params, dryRun }: Endpoint, given: Fields): boolean {
  const { dry_run, ...rest } = given;
  if (!dryRun) return accepts(params as Schema, given);
  return (dry_run === undefined || typeof dry_run === 'boolean') && accepts(params as Schema, rest);
}

/** What the method itself adds: the `kind` of the SEO reads. */
export function withDefaults({ operation }: Endpoint, params: Fields): Fields {
  const kind = { 'seo.snapshot': 'snapshot', 'seo.competitors': 'competitors' }[operation];
  return kind === undefined ? params : { kind, ...params };
}
