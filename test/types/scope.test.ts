import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/resources/index.js';
import { spec } from '../spec/endpoints.js';

const CLIENT = join(import.meta.dirname, '../../src/index.js');
const FILE = join(import.meta.dirname, 'scope-cases.ts');

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

interface Case {
  name: string;
  code: string;
  compiles: boolean;
}

const cases: Case[] = [
  ...targeted.flatMap(({ operation, sample }) => {
    const code = (client: string, id?: string) => callOf(client, operation, sample, id);
    return [
      { name: `${operation} of a client without a location`, code: code('client'), compiles: true },
      { name: `${operation} of a brand with a location`, code: code('brand', 'b-1'), compiles: true },
      { name: `${operation} of a brand without one`, code: code('brand'), compiles: !isRequired(operation) },
      ...(sample.length === 0
        ? [
            {
              name: `${operation} of a brand without parameters`,
              code: `brand.${operation}();`,
              compiles: !isRequired(operation),
            },
          ]
        : []),
      { name: `${operation} of a location`, code: code('shop'), compiles: true },
      ...(isPreviewed(operation)
        ? [
            {
              name: `a preview of ${operation} of a brand without a location`,
              code: code('brand.dryRun'),
              compiles: !isRequired(operation),
            },
            { name: `a preview of ${operation} of a brand`, code: code('brand.dryRun', 'b-1'), compiles: true },
            { name: `a preview of ${operation} of a location`, code: code('shop.dryRun'), compiles: true },
          ]
        : []),
    ];
  }),
  ...composed.flatMap(([operation, required, args]) => [
    {
      name: `${operation} of a brand without a location`,
      code: `brand.${operation}(${args('')});`,
      compiles: !required,
    },
    { name: `${operation} of a location`, code: `shop.${operation}(${args('')});`, compiles: true },
  ]),
  { name: 'a brand where a client is expected', code: 'take(brand);', compiles: true },
  { name: 'a location where a client is expected', code: 'take(shop);', compiles: true },
  { name: 'a client where a brand is expected', code: 'takeBrand(client);', compiles: false },
  {
    name: 'images of a brand without its look',
    code: "brand.images.generate({ prompt: 'a', align_with_brand: false });",
    compiles: true,
  },
  {
    name: 'another location of a location',
    code: "shop.forFiche('f').posts.list({ bulle_id: 'b-2' });",
    compiles: true,
  },
  { name: 'a brand where a connected client is expected', code: 'takeConnected(brand);', compiles: true },
  { name: 'a client where a connected client is expected', code: 'takeConnected(client);', compiles: false },
  {
    name: 'images of a brand in its look',
    code: "brand.images.generate({ prompt: 'a', align_with_brand: true });",
    compiles: false,
  },
  {
    name: 'a brand without a text',
    code: "brand.posts.create({ platforms: ['gmb'], bulle_id: 'b' });",
    compiles: false,
  },
  {
    name: 'a preview of a brand, for one listing',
    code: "brand.dryRun.forFiche('f').withOptions({}).social.publish({ text: 'a', platforms: ['gmb'] });",
    compiles: false,
  },
  {
    name: 'a preview of one location of a brand',
    code: "brand.dryRun.forBulle('b').social.publish({ text: 'a', platforms: ['gmb'] });",
    compiles: true,
  },
  { name: 'the scope in the constructor', code: "new Client({ scope: 'sphere' });", compiles: false },
  { name: 'another scope', code: "Client.connect({ scope: 'bulle' });", compiles: false },
];

const text = [
  `import { Client, type ConnectedClient, memoryStore, type SphereClient } from '${CLIENT}';`,
  'declare const client: Client;',
  "const brand = await Client.connect({ scope: 'sphere' });",
  "const shop = brand.forBulle('b-1');",
  'declare function take(client: Client): void;',
  'declare function takeConnected(client: ConnectedClient): void;',
  'declare function takeBrand(client: SphereClient): void;',
  ...cases.map(({ code }) => code),
].join('\n');

describe('the scope in the types', () => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === FILE || fileExists(name);
  const program = ts.createProgram([FILE], options, host);
  const source = program.getSourceFile(FILE) as ts.SourceFile;
  const wrong = new Map(
    program.getSemanticDiagnostics(source).map(({ start = 0, messageText }) => {
      const { line } = source.getLineAndCharacterOfPosition(start);
      return [text.split('\n')[line] ?? '', ts.flattenDiagnosticMessageText(messageText, '\n')];
    }),
  );

  it.each(cases)('$name: compiles: $compiles', ({ code, compiles }) => {
    if (compiles) expect(wrong.get(code), code).toBeUndefined();
    else expect(wrong.get(code), code).toBeDefined();
  });

  it('covers every operation that takes a location', () => {
    const taking = endpoints.filter(({ target }) => target === 'bulle_id').map(({ operation }) => operation);
    expect(targeted.map(({ operation }) => operation).sort()).toEqual(taking.sort());
  });

  it('has errors that name what is missing', () => {
    const errorOf = (name: string) => wrong.get(cases.find((one) => one.name === name)?.code ?? '');
    expect(errorOf('social.quota of a brand without one')).toContain("Property 'bulle_id' is missing");
    expect(errorOf('a brand without a text')).toContain("Property 'content' is missing");
  });
});
