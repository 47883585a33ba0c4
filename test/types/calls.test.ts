import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/resources/endpoints.js';
import { spec } from '../spec/endpoints.js';
import { compile } from '../support/compile.js';

/** A call of the specification's samples, with the location as given. */
function callOf(client: string, operation: string, sample: readonly unknown[], bulle_id: string | undefined): string {
  const args = [...sample];
  const last = typeof args.at(-1) === 'object' ? args.pop() : {};
  const params = { ...(last as object), bulle_id };
  return `${client}.${operation}(${[...args, params].map((arg) => JSON.stringify(arg)).join(', ')});`;
}

// Two methods share the route of `seo.snapshot`.
const targeted = spec
  .flatMap((row) => (row.operation === 'seo.snapshot' ? [row, { ...row, operation: 'seo.competitors' }] : [row]))
  .filter(({ target }) => target === 'bulle_id');
const isRequired = (operation: string) => {
  const row = endpoints.find((endpoint) => endpoint.operation === operation);
  return Boolean(row?.targetRequired);
};

/** Reads and costly operations, which `client.dryRun` has. */
const isPreviewed = (operation: string) =>
  endpoints.some((row) => row.operation === operation && (row.dryRun === true || row.method === 'GET'));

/** What methods without an endpoint of their own take. */
const composed: [operation: string, isRequired: boolean, args: (params: string) => string][] = [
  ['posts.check', true, (params) => `{ content: 'a', platforms: ['gmb'], ${params} }`],
  ['posts.findRecent', false, (params) => `{ content: 'a', since: new Date(), ${params} }`],
  ['articles.changes', false, (params) => `{ ${params} }`],
  ['articles.sync', false, (params) => `{ ${params} }`],
  ['articles.syncTo', false, (params) => `memoryStore(), { ${params} }`],
];

type Case = [name: string, compiles: boolean, code: string];

const cases: Case[] = [
  ...targeted.flatMap(({ operation, sample }): Case[] => {
    const code = (client: string, id?: string) => callOf(client, operation, sample, id);
    const isFree = !isRequired(operation);
    const withoutParameters: Case[] = [[`${operation} of a brand without parameters`, isFree, `brand.${operation}();`]];
    const previews: Case[] = [
      [`a preview of ${operation} of a brand without a location`, isFree, code('brand.dryRun')],
      [`a preview of ${operation} of a brand`, true, code('brand.dryRun', 'b-1')],
      [`a preview of ${operation} of a location`, true, code('shop.dryRun')],
    ];
    return [
      [`${operation} of a client without a location`, true, code('client')],
      [`${operation} of a brand with a location`, true, code('brand', 'b-1')],
      [`${operation} of a brand without one`, isFree, code('brand')],
      [`${operation} of a location`, true, code('shop')],
      ...(sample.length === 0 ? withoutParameters : []),
      ...(isPreviewed(operation) ? previews : []),
    ];
  }),
  ...composed.flatMap(([operation, required, args]): Case[] => [
    [`${operation} of a brand without a location`, !required, `brand.${operation}(${args('')});`],
    [`${operation} of a location`, true, `shop.${operation}(${args('')});`],
  ]),
  ['a brand where a client is expected', true, 'take(brand);'],
  ['a location where a client is expected', true, 'take(shop);'],
  ['a client where a brand is expected', false, 'takeBrand(client);'],
  ['a brand where a connected client is expected', true, 'takeConnected(brand);'],
  ['a client where a connected client is expected', false, 'takeConnected(client);'],
  ['images without the look', true, "brand.images.generate({ prompt: 'a', align_with_brand: false });"],
  ['images in the look', false, "brand.images.generate({ prompt: 'a', align_with_brand: true });"],
  ['another location of a location', true, "shop.forFiche('f').posts.list({ bulle_id: 'b-2' });"],
  ['a brand without a text', false, "brand.posts.create({ platforms: ['gmb'], bulle_id: 'b' });"],
  [
    'a preview of a brand, for one listing',
    false,
    "brand.dryRun.forFiche('f').withOptions({}).social.publish({ text: 'a', platforms: ['gmb'] });",
  ],
  [
    'a preview of one location of a brand',
    true,
    "brand.dryRun.forBulle('b').social.publish({ text: 'a', platforms: ['gmb'] });",
  ],
  ['the scope in the constructor', false, "new Client({ scope: 'sphere' });"],
  ['another scope', false, "Client.connect({ scope: 'bulle' });"],
  ['an instant', true, 'client.posts.update(1, { scheduled_at: Temporal.Now.instant() });'],
  ['a date-time with a zone', true, 'client.posts.update(1, { scheduled_at: Temporal.Now.zonedDateTimeISO() });'],
  ['a date-time without one', false, 'client.posts.update(1, { scheduled_at: Temporal.Now.plainDateTimeISO() });'],
];

const lines = [
  "import { Client, type ConnectedClient, memoryStore, type SphereClient } from '../../src/index.js';",
  'declare const client: Client;',
  "const brand = await Client.connect({ scope: 'sphere' });",
  "const shop = brand.forBulle('b-1');",
  'declare function take(client: Client): void;',
  'declare function takeConnected(client: ConnectedClient): void;',
  'declare function takeBrand(client: SphereClient): void;',
  ...cases.map(([, , code]) => code),
];

describe('the types of calls', () => {
  // An error takes several lines, of which the first has the place.
  // The project itself compiles without the types of `Temporal`, which ship with TypeScript.
  const lib = ['ES2023', 'ESNext.Temporal', 'DOM', 'DOM.Iterable'];
  const errors = compile({ 'calls.ts': lines.join('\n') }, { types: [], lib })
    .join('\n')
    .split(/^calls\.ts\((?=\d)/m);
  const wrong = new Map(errors.slice(1).map((error) => [lines[Number.parseInt(error, 10) - 1] ?? '', error]));

  it.each(cases)('%s: compiles: %s', (_, compiles, code) => {
    if (compiles) expect(wrong.get(code), code).toBeUndefined();
    else expect(wrong.get(code), code).toBeDefined();
  });

  it('covers every operation that takes a location', () => {
    const taking = endpoints.filter(({ target }) => target === 'bulle_id').map(({ operation }) => operation);
    expect(targeted.map(({ operation }) => operation).sort()).toEqual(taking.sort());
  });

  it('has errors that name what is missing', () => {
    const errorOf = (name: string) => wrong.get(cases.find((one) => one[0] === name)?.[2] ?? '');
    expect(errorOf('social.quota of a brand without one')).toContain("Property 'bulle_id' is missing");
    expect(errorOf('a brand without a text')).toContain("Property 'content' is missing");
  });
});
