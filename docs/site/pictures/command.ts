// Runs the built command for pictures and for README.md, against a mock, always at the same moment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMockServer } from 'multilocal/mock/server';

const CLI = join(import.meta.dirname, '..', '..', '..', 'dist', 'cli.js');
/** The moment of every picture, and of the mock's data. */
export const NOW = '2026-12-01T09:00:00Z';

/** Runs `multilocal` in a folder with these files. Returns what a terminal shows, with colours, and the files that are there after it. */
export async function show(args: readonly string[], inputs: Readonly<Record<string, string>>, columns = 80) {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-picture-'));
  const { url, api, close } = await startMockServer({ port: 0, now: NOW });
  const screen = join(folder, 'screen');
  // One file for both streams, so that the lines have their order.
  const file = openSync(screen, 'w');
  try {
    for (const [name, text] of Object.entries(inputs)) writeFileSync(join(folder, name), text);
    const preload = `data:text/javascript,${encodeURIComponent(terminal(columns))}`;
    const { PATH } = process.env;
    const child = spawn(process.execPath, ['--import', preload, CLI, ...args], {
      cwd: folder,
      env: { PATH, TZ: 'Europe/Paris', MULTILOCAL_API_KEY: api.keys.sphere, MULTILOCAL_BASE_URL: url },
      stdio: ['ignore', file, file],
    });
    const [exit] = await once(child, 'close');
    const read = (name: string) => [name, readFileSync(join(folder, name), 'utf8')] as const;
    return { exit, screen: readFileSync(screen, 'utf8'), files: Object.fromEntries(readdirSync(folder).map(read)) };
  } finally {
    closeSync(file);
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a picture gives to a command: a file of this folder, by its name. */
export const input = (name: string) => ({ [name]: readFileSync(join(import.meta.dirname, name), 'utf8') });

/** What makes a process believe that it writes to a terminal with colours, and that it is always `NOW`. */
const terminal = (columns: number) => `
  const shows = { isTTY: true, columns: ${columns}, hasColors: () => true };
  for (const stream of [process.stdout, process.stderr]) Object.assign(stream, shows);
  const now = Date.parse('${NOW}');
  globalThis.Date = class extends Date {
    constructor(...args) { super(...(args.length > 0 ? args : [now])); }
    static now() { return now; }
  };`;
