import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.js';

/** What `npm pack --json` says of the tarball. */
export interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

/** How far the tarball may grow past the list before someone must look: a tenth. */
const GROWTH = 1.1;

export function pack(folder: string): string {
  return join(folder, npmPack('--pack-destination', folder).filename);
}

export function checkTarball(): void {
  const faults = tarballFaults(readFileSync(join(root, 'etc', 'tarball.txt'), 'utf8'), npmPack('--dry-run'));
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\nIf that is meant: npm run api`);
}

/** The text of etc/tarball.txt for the present build. */
export function tarballList(packed = npmPack('--dry-run')): string {
  const { size, unpackedSize } = packed;
  return [
    '# The files of the published package, * for hashes in names; npm run api writes this.',
    `# packed ${kilobytes(size)} kB, unpacked ${kilobytes(unpackedSize)} kB`,
    ...namesOf(packed),
    '',
  ].join('\n');
}

/** What is in the tarball and not in the list, or in the list and not in the tarball, and sizes grown by a tenth. */
export function tarballFaults(list: string, packed: Packed): string[] {
  const lines = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const names = namesOf(packed);
  const sizes = /^# packed (\d+) kB, unpacked (\d+) kB$/m.exec(list);
  if (!sizes) return ['etc/tarball.txt names no sizes'];
  const grown = [
    ['packed', packed.size, Number(sizes[1])],
    ['unpacked', packed.unpackedSize, Number(sizes[2])],
  ] as const;
  return [
    ...missingFrom(lines, names).map((name) => `unexpected: ${name}`),
    ...missingFrom(names, lines).map((name) => `missing: ${name}`),
    ...grown
      .filter(([, now, then]) => kilobytes(now) > then * GROWTH)
      .map(([what, now, then]) => `${what} ${kilobytes(now)} kB, from ${then} kB`),
  ];
}

/** Chunks have the hash of their content in their names, and several may share the rest of the name. */
function namesOf({ files }: Packed): string[] {
  return files.map(({ path }) => path.replace(/-[\w-]{8}\.(?=(js|cjs|d\.ts|d\.cts)(\.map)?$)/, '-*.')).sort();
}

function missingFrom(list: readonly string[], names: readonly string[]): string[] {
  const left = [...list];
  return names.filter((name) => {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1000);
}

/** Without scripts: the build is there already. npm 11 and older answer a list, newer ones an object by name. */
function npmPack(...args: string[]): Packed {
  const answer = JSON.parse(run(root, 'npm', 'pack', '--json', '--ignore-scripts', ...args)) as Record<string, Packed>;
  const [packed] = Object.values(answer);
  if (!packed) throw new Error('npm pack packed nothing');
  return packed;
}
