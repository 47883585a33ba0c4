import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { codeOf, replaceFile } from '@multilocal/stores/files';
import * as z from 'zod/mini';
import { UsageError } from '../failure.js';
import type { Findings, Result } from './check.js';
import type { Facts } from './facts.js';
import { knownReads } from './known.js';
import { type Change, compare, type Shape } from './shape.js';

/** Where `rehearse` and others look for what a check has found. */
export const CONTRACT_FILE = 'multilocal.contract.json';

/** What a probe has found out about `dry_run` of an operation. */
export type Honoured = Readonly<Record<string, 'honoured' | 'ignored'>>;

/** The file of a check: shapes and facts, and no value of the account. */
export interface Contract {
  readonly client: string;
  /** SHA-256 of the address of the service. */
  readonly address: string;
  readonly checked_at: string;
  /** Whether a check was ended early. Then the next one reads only what is left. */
  readonly left?: readonly string[] | undefined;
  readonly operations: Readonly<Record<string, Omit<Result, 'operation'>>>;
  readonly facts: Facts;
  readonly dry_run?: Honoured | undefined;
}

const contractSchema = z.looseObject({
  address: z.string(),
  left: z.optional(z.array(z.string())),
  operations: z.record(z.string(), z.looseObject({ shape: z.optional(z.record(z.string(), z.string())) })),
  facts: z.looseObject({}),
  dry_run: z.optional(z.record(z.string(), z.enum(['honoured', 'ignored']))),
});

/** Hashes the address of the service: it may name the customer. */
export function hashOfAddress(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}

/** Reads the file of an earlier check. `undefined` if there is none. */
export async function readContract(file: string): Promise<Contract | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new UsageError(
      `The file of an earlier check cannot be read (${codeOf(error)}).`,
      'Check its path and its rights.',
    );
  }
  try {
    return contractSchema.parse(JSON.parse(text)) as unknown as Contract;
  } catch {
    throw new UsageError('The file does not come from `doctor --contract`.', 'Pass another path, or remove the file.');
  }
}

/** Writes the file of a check. */
export async function writeContract(file: string, contract: Contract): Promise<void> {
  await replaceFile(file, `${JSON.stringify(contract, null, 2)}\n`).catch((error) => {
    throw new UsageError(
      `The file of \`--out\` cannot be written (${codeOf(error)}).`,
      'Check its folder and its rights.',
    );
  });
}

/** A check beside an earlier one. */
export interface Comparison {
  readonly changes: readonly Change[];
  readonly contract: Contract;
}

/** Compares a check with an earlier one. What only the earlier one had data for is kept. */
export function update(
  before: Contract | undefined,
  found: Findings,
  head: Pick<Contract, 'client' | 'address' | 'checked_at'>,
): Comparison {
  const known = knownReads();
  const changes: Change[] = [];
  const operations: Record<string, Omit<Result, 'operation'>> = {};
  for (const { operation, ...result } of found.results) {
    const old = before?.operations[operation]?.shape;
    const compared =
      old && result.shape
        ? compare(operation, old, result.shape, known.get(operation) as NonNullable<ReturnType<typeof known.get>>)
        : undefined;
    changes.push(...(compared?.changes ?? []));
    const shape: Shape | undefined = compared?.shape ?? result.shape ?? old;
    operations[operation] = { ...result, ...(shape && { shape }) };
  }
  for (const [fact, now] of Object.entries(found.facts)) {
    const old: unknown = Reflect.get(before?.facts ?? {}, fact);
    if (fact !== 'timestamps' && old !== undefined && JSON.stringify(old) !== JSON.stringify(now)) {
      changes.push({ operation: 'facts', path: fact, before: JSON.stringify(old), now: JSON.stringify(now) });
    }
  }
  const left = found.results.flatMap(({ operation, status }) => (status === 'failed' ? operation : []));
  return {
    changes,
    contract: {
      ...head,
      ...(left.length > 0 && { left }),
      operations,
      facts: { ...before?.facts, ...found.facts },
      ...(before?.dry_run && { dry_run: before.dry_run }),
    },
  };
}
