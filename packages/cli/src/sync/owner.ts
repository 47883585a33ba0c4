import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder, ignoring, replaceFile } from '@multilocal/stores/files';
import type { Client, Identity } from 'multilocal';
import { clip } from 'multilocal/internal/text';
import * as z from 'zod/mini';
import { addressOf } from '../doctor/address.js';
import { sha256 } from '../words.js';
import { ANOTHER_SYNC, FolderError } from './folder.js';
import { FORMATS, type Format } from './markdown.js';

const OWNER = 'owner.json';

/** Whose articles a folder holds. */
const ownerSchema = z.object({
  version: z.literal(1),
  /** The address, without the path of the API. The client refuses addresses with credentials. */
  service: z.string(),
  sphere_id: z.string(),
  /** The location of the key, or `null` if it covers the whole brand. */
  scope: z.nullable(z.string()),
  /** The value of `--bulle`. */
  bulle: z.nullable(z.string()),
  /** The format of the files. A file of an earlier version has JSON. */
  format: z._default(z.enum(FORMATS), 'json'),
  /** A fingerprint of key and address. */
  key: z.string(),
});

type Owner = z.infer<typeof ownerSchema>;

/** What a command knows of an owner without a request. */
export type Source = Pick<Owner, 'service' | 'bulle' | 'format' | 'key'>;

/** Describes the source of a command. Without `apiKey`, the key of the client is in the environment. */
export function sourceOf(
  client: Client,
  apiKey: string | undefined,
  bulle: string | undefined,
  format: Format,
): Source {
  const service = addressOf(client).text;
  const secret = (apiKey ?? process.env.MULTILOCAL_API_KEY ?? '').trim();
  return { service, bulle: bulle ?? null, format, key: sha256(secret + service).slice(0, 16) };
}

/**
 * Makes sure that the folder belongs to this source. A folder without an owner gets this one. `identify` is called only
 * if the folder has no owner or another key.
 * @throws {FolderError} if the folder belongs to another source.
 */
export async function claim(folder: string, source: Source, identify: () => Promise<Identity>): Promise<void> {
  const owner = await readOwner(folder);
  if (owner) compare(folder, owner, { ...owner, ...source });
  if (owner?.key === source.key) return;
  const { sphere, bulle } = await identify();
  const claimed: Owner = { version: 1, ...source, sphere_id: sphere.id, scope: bulle?.id ?? null };
  if (owner) compare(folder, owner, claimed);
  await replaceFile(join(folder, OWNER), `${JSON.stringify(claimed, null, 2)}\n`);
  await flushFolder(folder);
}

async function readOwner(folder: string): Promise<Owner | undefined> {
  const file = join(folder, OWNER);
  const text = await readFile(file, 'utf8').catch(ignoring('ENOENT'));
  if (text === undefined) return undefined;
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    const hint = 'Move the file away and run the command again. The folder then belongs to this sync.';
    throw new FolderError(`${file} is damaged, or another program wrote it.`, hint);
  }
}

/** What must not change, in words. */
const FIXED = [
  ['service', 'service', ''],
  ['sphere_id', 'brand', ''],
  ['scope', 'key scope', 'the whole brand'],
  ['bulle', '`--bulle`', 'empty'],
  // A cursor of other files would leave out every article that has not changed since.
  ['format', 'format', ''],
] as const satisfies readonly (readonly [field: keyof Owner, name: string, ifNull: string])[];

function compare(folder: string, owner: Owner, now: Owner): void {
  const differences = FIXED.filter(([field]) => owner[field] !== now[field]).map(
    ([field, name, ifNull]) => `its ${name} is ${clip(owner[field] ?? ifNull)}, not ${clip(now[field] ?? ifNull)}`,
  );
  if (differences.length === 0) return;
  const moved = ` If the same service has a new address, delete ${join(folder, OWNER)} and run the command again.`;
  throw new FolderError(
    `The folder ${folder} belongs to another sync: ${differences.join(', and ')}. Nothing was changed.`,
    `Use another folder for this sync.${owner.service === now.service ? '' : moved}`,
    ANOTHER_SYNC,
  );
}
