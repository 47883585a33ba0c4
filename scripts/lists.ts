// Writes the lists of everything that a folder holds, so that a new resource is a file and nothing else:
// src/resources/index.ts and types.ts, src/mock/resources/index.ts and src/schemas.ts.
// With --check, says whether they are stale instead.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spec } from '../test/spec/endpoints.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NOTE = '// Written by `npm run generate`: a new resource is a file in this folder.';

/** A file of src/resources and what it exports. */
interface Source {
  /** `qr-codes-schema` */
  file: string;
  values: string[];
  types: string[];
  text: string;
}

const sources = readdirSync(join(root, 'src/resources'))
  .filter((name) => name.endsWith('.ts') && name !== 'index.ts' && name !== 'types.ts')
  .sort()
  .map((name): Source => {
    const text = readFileSync(join(root, 'src/resources', name), 'utf8');
    return {
      file: name.slice(0, -'.ts'.length),
      values: exported(text, 'const|function|class'),
      types: exported(text, 'interface|type'),
      text,
    };
  });

const typeNames = sources.flatMap(({ types, values }) => [...types, ...values.filter(isClass)]);
const twice = typeNames.find((name, index) => typeNames.indexOf(name) !== index);
if (twice !== undefined)
  throw new Error(`src/resources exports two types named ${twice}: rename the one that is no class`);

/** The names of what a file exports, but for what its docstring calls internal. */
function exported(text: string, kinds: string): string[] {
  const found = text.matchAll(new RegExp(`(\\*/\\n)?^export (?:async )?(?:${kinds})\\*? (\\w+)`, 'gm'));
  return [...found].flatMap(({ 1: doc, 2: name = '', index }) => {
    const isInternal = doc !== undefined && text.slice(text.lastIndexOf('/**', index), index).includes('@internal');
    return isInternal ? [] : [name];
  });
}

/** Constants are in capitals throughout. */
function isClass(name: string): boolean {
  return /^[A-Z]/.test(name) && name !== name.toUpperCase();
}

/** The namespaces of the client, in the order of the specification: `qrCodes` is `QrCodes` of qr-codes.ts. */
const namespaces = [...new Set(spec.filter(({ operation }) => operation.includes('.')).map(namespaceOf))].map(
  (name) => {
    const file = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const kind = name.charAt(0).toUpperCase() + name.slice(1);
    return { name, file, kind, endpoints: endpointsIn(`${file}-schema`), doc: docOf(file, kind) };
  },
);

function namespaceOf({ operation }: { operation: string }): string {
  return operation.slice(0, operation.indexOf('.'));
}

function endpointsIn(file: string): string {
  const name = sources.find((source) => source.file === file)?.values.find((value) => value.endsWith('Endpoints'));
  if (name === undefined) throw new Error(`src/resources/${file}.ts exports no …Endpoints`);
  return name;
}

/** The docstring of a class, which is also that of its namespace. */
function docOf(file: string, kind: string): string {
  const text = sources.find((source) => source.file === file)?.text ?? '';
  const doc = new RegExp(`(/\\*\\*(?:(?!\\*/)[^])*\\*/)\\nexport class ${kind}\\b`).exec(text)?.[1];
  if (doc === undefined) throw new Error(`src/resources/${file}.ts has no documented class ${kind}`);
  return doc;
}

/** Endpoints that are methods of the client itself. */
const ofClient = ['health', 'me'].map((file) => ({ file, endpoints: endpointsIn(`${file}-schema`) }));

function resourcesIndex(): string {
  return `${NOTE}
import type { Api } from '../core/api.js';
import type { Endpoint } from '../core/endpoint.js';
${namespaces.map(({ kind, file }) => `import { ${kind} } from './${file}.js';`).join('\n')}
${[...namespaces, ...ofClient].map(({ endpoints, file }) => `import { ${endpoints} } from './${file}-schema.js';`).join('\n')}

/** The endpoints of every namespace. */
export const endpointsOf = {
${namespaces.map(({ name, endpoints }) => `  ${name}: ${endpoints},`).join('\n')}
};

/** Every endpoint, for the documents and the tests. */
export const endpoints: readonly Endpoint[] = flatten({ ${ofClient.map((one) => `...${one.endpoints}`).join(', ')}, ...endpointsOf });

/** The namespaces of a client. */
export class Namespaces {
${namespaces.map(({ name, kind, doc }) => `${doc.replace(/^/gm, '  ')}\n  readonly ${name}: ${kind};`).join('\n')}

  /** @internal */
  constructor(api: Api) {
${namespaces.map(({ name, kind }) => `    this.${name} = new ${kind}(api);`).join('\n')}
  }
}

type EndpointTree = { readonly [name: string]: Endpoint | EndpointTree };

function flatten(tree: EndpointTree): Endpoint[] {
  return Object.values(tree).flatMap((node) => (isEndpoint(node) ? [node] : flatten(node)));
}

function isEndpoint(node: Endpoint | EndpointTree): node is Endpoint {
  return typeof node.operation === 'string';
}
`;
}

/** Every schema that is annotated with a type: zod's word for it is \`z.ZodMiniType<Post, Post>\`. */
function schemasEntry(): string {
  const lines = sources.flatMap(({ file, values, types }) => {
    const annotated = (name: string) =>
      sources.some(({ text }) => text.includes(`export const ${name}: z.ZodMiniType<`));
    const schemas = values.filter((name) => annotated(name) && isPublic(name, types));
    return schemas.length > 0 ? [`export { ${schemas.join(', ')} } from './resources/${file}.js';`] : [];
  });
  return `// Written by \`npm run generate\`. The entry \`multilocal/schemas\`: the zod schema of every response and every parameter
// object, named after its type. They are made with the zod of the app, so they compose with its own schemas.
${lines.join('\n')}
`;
}

/** Types that core declares, of which resources hold the schemas. */
const OF_CORE = ['Identity', 'BulleTarget', 'FicheTarget', 'DryRunPreview'];

function isPublic(schema: string, types: readonly string[]): boolean {
  const type = schema.charAt(0).toUpperCase() + schema.slice(1, -'Schema'.length);
  return types.includes(type) || OF_CORE.includes(type);
}

function typesOfResources(): string {
  const lines = sources.flatMap(({ file, types, values }) => {
    const names = [...types, ...values.filter(isClass)];
    return names.length > 0 ? [`export type { ${names.join(', ')} } from './${file}.js';`] : [];
  });
  return `${NOTE} The types that the entry exports.\n${lines.join('\n')}\n`;
}

function mockIndex(): string {
  const folder = join(root, 'src/mock/resources');
  const names = readdirSync(folder).filter((name) => name !== 'index.ts');
  const found = names.map((name) => {
    const path = name.endsWith('.ts') ? `${name.slice(0, -3)}` : `${name}/index`;
    const stem = name.replace(/\.ts$/, '');
    const variable = stem.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (!existsSync(join(folder, `${path}.ts`))) throw new Error(`src/mock/resources/${path}.ts is missing`);
    return { path, variable };
  });
  const first = ['health', 'me', ...namespaces.map(({ name }) => name)];
  const order = (variable: string) => (first.includes(variable) ? first.indexOf(variable) : first.length);
  found.sort((a, b) => order(a.variable) - order(b.variable) || a.variable.localeCompare(b.variable));
  return `${NOTE}
import { jobsSlice } from '../engine/jobs.js';
import { operationsOf, type Resource } from '../engine/router.js';
${found.map(({ path, variable }) => `import { ${variable} } from './${path}.js';`).join('\n')}

const jobs: Resource<never> = { routes: [], slices: [jobsSlice] };

/** Everything that the mock serves. */
const all = [${found.map(({ variable }) => variable).join(', ')}, jobs] as const;

export const OPERATIONS = operationsOf(all);

/** A call that the mock serves, under the name that the client's method has. */
export type MockOperation = (typeof OPERATIONS)[number];

export const resources: readonly Resource<MockOperation>[] = all;
`;
}

const files: Record<string, string> = {
  'src/resources/index.ts': resourcesIndex(),
  'src/schemas.ts': schemasEntry(),
  'src/mock/resources/index.ts': mockIndex(),
  'src/resources/types.ts': typesOfResources(),
};

const biome = join(root, 'node_modules', '.bin', 'biome');
let stale = 0;
for (const [path, text] of Object.entries(files)) {
  const formatted = execFileSync(biome, ['check', '--write', `--stdin-file-path=${path}`], { cwd: root, input: text });
  if (existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8') === formatted.toString()) continue;
  stale++;
  if (process.argv.includes('--check')) console.error(`${path} is stale: npm run generate`);
  else writeFileSync(join(root, path), formatted);
}
process.exit(process.argv.includes('--check') && stale > 0 ? 1 : 0);
