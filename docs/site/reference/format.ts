// Code samples at the width of their column: biome breaks the lines.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@multilocal/scripts/docs-api/docstrings';

const STYLE = { lineWidth: 84, indentStyle: 'space' };

/** Formats every TypeScript sample of the pages in one run. What biome cannot parse stays as it is. */
export function formatted(pages: ReadonlyMap<string, string>): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-samples-'));
  try {
    const fence = /(?<=```ts(?: \[TypeScript\])?\n)[\s\S]*?(?=\n```)/g;
    const samples = new Set([...pages.values()].flatMap((text) => text.match(fence) ?? []));
    const files = new Map([...samples].map((sample, index) => [sample, join(folder, `${index}.ts`)]));
    const formatter = { javascript: { formatter: { quoteStyle: 'single' } }, formatter: STYLE };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, ...formatter }));
    for (const [sample, file] of files) writeFileSync(file, sample);
    spawnSync(join(root, 'node_modules', '.bin', 'biome'), ['format', '--write', folder, '--config-path', folder]);
    const text = (sample: string) => readFileSync(files.get(sample) ?? '', 'utf8').trim();
    return new Map([...pages].map(([page, content]) => [page, content.replaceAll(fence, text)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
