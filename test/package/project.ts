import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Run, root, run } from '../examples/run.js';

export interface Packed {
  filename: string;
  files: { path: string }[];
  /** Bytes of the tarball. */
  size: number;
  /** Bytes of its files. */
  unpackedSize: number;
}

/** What a user has: an empty project, and nothing in it but the package as it would be published. */
export async function projectWithTarball(): Promise<{ folder: string; packed: Packed }> {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-project-'));
  writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  const output = await npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const report = JSON.parse(output.slice(output.search(/^[[{]/m))) as Record<string, Packed> | Packed[];
  const [packed] = Object.values(report) as [Packed];
  await npm(
    folder,
    'install',
    '--offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    join(folder, packed.filename),
  );
  return { folder, packed };
}

/** Compiles what a `tsconfig.json` names. `compiler`: the folder of another TypeScript than version 7. */
export function compile(
  folder: string,
  config: object,
  compiler = join(root, 'node_modules', 'typescript-native'),
): Promise<Run> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return run(process.execPath, [join(compiler, 'bin', 'tsc'), '-p', folder], { cwd: folder });
}

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { code, output } = await run('npm', [...args, '--loglevel=error'], { cwd });
  if (code !== 0) throw new Error(output);
  return output;
}
