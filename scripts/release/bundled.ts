import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, tool } from './run.js';

/** The part of esbuild's metafile that says which sources stand in which output. */
export interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

/** Holds THIRD-PARTY-NOTICES.md against the code of others that stands in the build. */
export function checkBundled(folder: string): void {
  const out = join(folder, 'metafiles');
  tool('tsup', '--silent', '--metafile', '--no-dts', '--out-dir', out);
  const metafiles = readdirSync(out)
    .filter((name) => /^metafile-.*\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(out, name), 'utf8')) as Metafile);
  if (metafiles.length === 0) throw new Error('tsup wrote no metafile');
  const bundled = [...new Set(metafiles.flatMap(bundledFolders))].map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Named;
    return `${name} ${version}`;
  });
  const file = join(root, 'THIRD-PARTY-NOTICES.md');
  const faults = noticesFaults(bundled, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

interface Named {
  name: string;
  version: string;
}

/** The folders, `node_modules/<name>`, of the packages of which code is in an output. */
export function bundledFolders({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** The notices have one heading, `## name version`, for each bundled package, and do not exist where there is none. */
export function noticesFaults(bundled: readonly string[], notices: string | undefined): string[] {
  if (notices !== undefined && bundled.length === 0) {
    return ['Nothing is bundled: remove THIRD-PARTY-NOTICES.md, and its line in "files" of package.json'];
  }
  const named = [...(notices ?? '').matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  return [
    ...bundled.filter((name) => !named.includes(name)).map((name) => `THIRD-PARTY-NOTICES.md lacks ${name}`),
    ...named
      .filter((name) => !bundled.includes(name))
      .map((name) => `THIRD-PARTY-NOTICES.md names ${name}: not bundled`),
  ];
}
