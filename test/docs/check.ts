import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createMockApi } from 'multilocal/mock';
import ts from 'typescript';
import { Client, type ConnectedClient } from '../../src/index.js';
import { type Block, root } from './blocks.js';
import { prelude } from './prelude.js';

const here = join(root, 'test', 'docs');

/** Only the documentation has the types of React. */
const react = dirname(createRequire(join(root, 'docs', 'site', 'package.json')).resolve('@types/react/package.json'));

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);

/** Users see the package by name: here its sources answer to it. */
const paths = {
  ...config.compilerOptions.paths,
  'multilocal/openapi.json': ['./dist/openapi.json'],
  react: [join(react, 'index.d.ts')],
  'react/jsx-runtime': [join(react, 'jsx-runtime.d.ts')],
};

/** What the blocks use of packages that are not installed. */
const OTHERS = `
  declare module '$env/dynamic/private' { export const env: Record<string, string | undefined>; }
  declare module 'cloudflare:workers' {
    export const env: {
      MULTILOCAL_API_KEY: string;
      MULTILOCAL_BASE_URL: string;
      DB: { prepare(sql: string): { bind(...params: unknown[]): { all(): Promise<{ results: unknown[] }> } } };
    };
  }`;

/** The names of the prelude as globals. */
function globals(): string {
  const client = new Client({ apiKey: 'unused', baseUrl: 'https://api.example.com' }) as ConnectedClient;
  const names = Object.keys(prelude(client, createMockApi()));
  const declarations = names.map((name) => `const ${name}: Prelude['${name}'];`);
  return `type Prelude = ReturnType<typeof import('./prelude.js').prelude>;
    declare global { ${declarations.join(' ')} }
    export {};`;
}

/** What was read from disk, which the blocks do not change. */
const read = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says of the blocks. `declared` are the names that they need not declare. */
export function typeErrors(blocks: readonly Block[], declared = globals()): string[] {
  const options: ts.CompilerOptions = {
    ...ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options,
    // An excerpt need not use what it shows.
    noUnusedLocals: false,
    noUnusedParameters: false,
    jsx: ts.JsxEmit.ReactJSX,
    resolveJsonModule: true,
    paths,
  };
  const virtual = new Map([
    [join(here, 'globals.d.ts'), declared],
    [join(here, 'others.d.ts'), OTHERS],
    ...blocks.map(({ code, language }, index) => [join(here, `block-${index}.${language}`), code] as const),
  ]);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => virtual.has(name) || fileExists(name);
  host.readFile = (name) => virtual.get(name) ?? readFile(name);
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const code = virtual.get(name);
    if (code !== undefined) return ts.createSourceFile(name, code, languageVersion);
    if (!read.has(name)) read.set(name, getSourceFile(name, languageVersion, ...rest));
    return read.get(name);
  };
  const drivers = join(root, 'packages', 'stores', 'test', 'services', 'better-sqlite3.d.ts');
  const program = ts.createProgram([...virtual.keys(), drivers], options, host);
  return [...virtual.keys()].flatMap((name, index) => {
    const source = program.getSourceFile(name);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText, start = 0 }) => {
      const line = source ? source.getLineAndCharacterOfPosition(start).line + 1 : 0;
      return `${blocks[index - 2]?.id ?? 'prelude'}, line ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}
