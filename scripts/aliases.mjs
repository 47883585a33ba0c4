import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The `paths` of tsconfig.json as aliases of Vite, for tools that do not read them. */
export function aliases() {
  const file = join(root, 'tsconfig.json');
  const { config } = ts.parseConfigFileTextToJson(file, readFileSync(file, 'utf8'));
  return Object.entries(config.compilerOptions.paths).map(([name, [path]]) => ({
    find: new RegExp(`^${name.replace('*', '(.+)')}$`),
    replacement: join(root, path.replace('*', '$1')),
  }));
}
