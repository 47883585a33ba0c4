import { join } from 'node:path';
import type { Client } from 'multilocal';
import { inside } from 'multilocal/internal/inspect';
import { sha256 } from '../words.js';
import { type Facts, type Sentence, sentences } from './facts.js';
import { CONTRACT_FILE, type Honoured, readContract } from './file.js';

/** What a check has found out about the service of a client. */
export interface KnownService {
  readonly dry_run: Honoured;
  /** Why operations must not be previewed: the service ignores their `dry_run`. */
  readonly unpreviewed: ReadonlyMap<string, string>;
  /** The facts on which plans rely, where they are otherwise. */
  readonly warnings: readonly Sentence[];
}

/** Plans look for posts, compare moments and read the texts of errors. */
const NEEDED: ReadonlySet<keyof Facts> = new Set(['posts_offset', 'clock', 'error_keys']);

/**
 * Looks for the file of a check in a folder, then in the current one, or reads the given one. The file of another service
 * does not count.
 */
export async function contractFor(client: Client, folder: string, given?: string): Promise<KnownService | undefined> {
  const address = sha256(inside(client).address);
  for (const file of given === undefined ? new Set([join(folder, CONTRACT_FILE), CONTRACT_FILE]) : [given]) {
    const contract = await readContract(file);
    if (contract?.address !== address) continue;
    const { dry_run = {}, facts } = contract;
    const ignored = Object.keys(dry_run).filter((operation) => dry_run[operation] === 'ignored');
    const unpreviewed = new Map(ignored.map((operation) => [operation, 'The service ignores its `dry_run`.']));
    const warnings = sentences(facts).filter(({ fact, contradicts }) => contradicts && NEEDED.has(fact));
    return { dry_run, unpreviewed, warnings };
  }
  return undefined;
}
