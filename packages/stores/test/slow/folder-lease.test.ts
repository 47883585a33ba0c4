import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Reservation } from 'multilocal';
import { directoryStore } from 'multilocal/node';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'lease-')), 'articles');
  file = join(folder, 'lease.json');
});
/** Only root may mount a disk, on Linux. */
const disk = mkdtempSync(join(tmpdir(), 'disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=4k', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync('umount', [disk]);
  rmdirSync(disk);
});
afterEach(() => rm(dirname(folder), { recursive: true, force: true }));

/** What another run of the machine gets, with a store of its own. */
const lease = async () => (await directoryStore(folder).lease?.()) as Reservation | null;
const change = async (fields: object) =>
  writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...fields }));

it('belongs to the folder, and leaves nothing in it', async () => {
  const first = await lease();
  expect(first).not.toBeNull();
  expect(await lease()).toBeNull();
  expect(await first?.renew?.()).toBe(true);
  await first?.();
  expect(await readdir(folder)).toEqual([]);
  expect(await lease()).not.toBeNull();
});

it('of a process that was killed is taken at once', async () => {
  await lease();
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  await change({ pid });
  expect(await lease()).not.toBeNull();
});

it('that was not renewed for 30 s is taken, and its run gets to know', async () => {
  const first = await lease();
  await change({ until: Date.now() - 1 });
  const second = await lease();
  expect(second).not.toBeNull();
  expect(await first?.renew?.()).toBe(false);
  // It ends nothing of the other run.
  await first?.();
  expect(await second?.renew?.()).toBe(true);
});

it('from a clock that was an hour ahead is taken', async () => {
  await lease();
  await change({ until: Date.now() + 3_600_000 });
  expect(await lease()).not.toBeNull();
});

it.each([0, 0.5])('that another process is writing is held (%f of it)', async (part) => {
  await lease();
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.slice(0, text.length * part));
  const second = lease();
  await setTimeout(100);
  await writeFile(file, text);
  expect(await second).toBeNull();
});

it('that a power cut has left empty is taken', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(file, '');
  expect(await lease()).not.toBeNull();
});

it('is not taken from a file of somebody else, which stays', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(file, '{"tenant":"Dupont"}');
  await expect(lease()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('lease.json'),
  });
  expect(await readFile(file, 'utf8')).toBe('{"tenant":"Dupont"}');
});

it('that has ended goes to one of many', async () => {
  await lease();
  await change({ until: 0 });
  const all = await Promise.all(Array.from({ length: 20 }, lease));
  const owners = await Promise.all(all.filter((one) => one !== null).map((one) => one?.renew?.()));
  // The others get to know at their first renewal.
  expect(owners.filter((isOwner) => isOwner)).toHaveLength(1);
});

it.runIf(isMounted).each(['articles', 'a/b/c'])('a read-only disk is named: %s', async (path) => {
  await expect(directoryStore(join(disk, path)).lease?.()).rejects.toThrow('EROFS');
});
