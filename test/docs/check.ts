import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createMockApi } from 'multilocal/mock';
import { Client, type ConnectedClient } from '../../src/index.js';
import { compile } from '../support/compile.js';
import { type Block, root } from './blocks.js';
import { prelude } from './prelude.js';

/** Only the documentation has the types of React. */
const react = dirname(createRequire(join(root, 'docs', 'site', 'package.json')).resolve('@types/react/package.json'));

/** Users see the package by name: here its sources answer to it. */
const sources: Record<string, [string]> = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions
  .paths;
const paths = {
  ...Object.fromEntries(Object.entries(sources).map(([name, [path]]) => [name, [join(root, path)]])),
  'multilocal/openapi.json': [join(root, 'dist/openapi.json')],
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
  return `type Prelude = ReturnType<typeof import('../docs/prelude.js').prelude>;
    declare global { ${declarations.join(' ')} }
    export {};`;
}

/** What the compiler says of the blocks. `declared` are the names that they need not declare. */
export function typeErrors(blocks: readonly Block[], declared = globals()): string[] {
  const files = blocks.map(({ code, language }, at) => [`${at}.${language}`, code] as const);
  const drivers = join(root, 'packages/stores/test/services/better-sqlite3.d.ts');
  // An excerpt need not use what it shows.
  const loose = { noUnusedLocals: false, noUnusedParameters: false };
  const errors = compile(
    {
      ...Object.fromEntries(files),
      'globals.d.ts': declared,
      'others.d.ts': `/// <reference path="${drivers}" />\n${OTHERS}`,
    },
    { ...loose, jsx: 'react-jsx', resolveJsonModule: true, paths },
  );
  return errors.map((line) =>
    line.replace(/^(\d+)\.\w+\((\d+),\d+\)/, (_, at, row) => `${blocks[at]?.id}, line ${row}`),
  );
}
