// Runs the built command for pictures, against a mock, always at the same moment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startMockServer } from 'multilocal/mock/server';

const CLI = join(import.meta.dirname, '..', '..', '..', 'dist', 'cli.js');
/** The moment of every picture, and of the mock's data. */
export const NOW = '2026-12-01T09:00:00Z';

interface Shown {
  /** What a terminal shows, with colours. */
  readonly screen: string;
  /** Files that the command has written. */
  readonly files: readonly string[];
}

/** Runs `multilocal` with copies of the input files in an empty folder. `written` are the files to read after it. */
export async function show(
  args: readonly string[],
  inputs: readonly string[],
  written: readonly string[] = [],
  columns = 80,
): Promise<Shown> {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-picture-'));
  const { url, api, close } = await startMockServer({ port: 0, now: NOW });
  const screen = join(folder, 'screen');
  // One file for both streams, so that the lines have their order.
  const file = openSync(screen, 'w');
  try {
    for (const path of inputs) cpSync(join(import.meta.dirname, path), join(folder, basename(path)));
    const preload = `data:text/javascript,${encodeURIComponent(terminal(columns))}`;
    const child = spawn(process.execPath, ['--import', preload, CLI, ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        TZ: 'Europe/Paris',
        MULTILOCAL_API_KEY: api.keys.sphere,
        MULTILOCAL_BASE_URL: url,
      },
      stdio: ['ignore', file, file],
    });
    await once(child, 'close');
    return {
      screen: readFileSync(screen, 'utf8'),
      files: written.map((name) => readFileSync(join(folder, name), 'utf8')),
    };
  } finally {
    closeSync(file);
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What makes a process believe that it writes to a terminal with colours, and that it is always `NOW`. */
const terminal = (columns: number) => `
  const shows = { isTTY: true, columns: ${columns}, hasColors: () => true };
  for (const stream of [process.stdout, process.stderr]) Object.assign(stream, shows);
  const now = Date.parse('${NOW}');
  globalThis.Date = class extends Date {
    constructor(...args) { super(...(args.length > 0 ? args : [now])); }
    static now() { return now; }
  };`;
