import { readFile } from 'node:fs/promises';
import { codeOf, replaceFile } from '@multilocal/stores/files';
import * as z from 'zod/mini';
import { UsageError } from '../failure.js';
import type { ContractCheck, Result } from './check.js';
import type { Facts } from './facts.js';
import { knownReads } from './known.js';
import { type Change, compare } from './shape.js';

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

/** What other commands read of a file stands in the schema. The rest is only kept. */
function isContract(value: unknown): value is Contract {
  return contractSchema.safeParse(value).success;
}

/** Reads the file of an earlier check. `undefined` if there is none. */
export async function readContract(file: string): Promise<Contract | undefined> {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    const message = `The file of an earlier check cannot be read (${codeOf(error)}).`;
    throw new UsageError(message, 'Check its path and its rights.');
  });
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    if (isContract(parsed)) return parsed;
  } catch {
    // The error may repeat parts of the file.
  }
  throw new UsageError('The file does not come from `doctor --contract`.', 'Pass another path, or remove the file.');
}

/** Writes the file of a check. */
export async function writeContract(file: string, contract: Contract): Promise<void> {
  await replaceFile(file, `${JSON.stringify(contract, null, 2)}\n`).catch((error) => {
    const message = `The file of \`--out\` cannot be written (${codeOf(error)}).`;
    throw new UsageError(message, 'Check its folder and its rights.');
  });
}

/** Compares a check with an earlier one. What only the earlier one had data for is kept. */
export function update(
  before: Contract | undefined,
  found: ContractCheck,
  head: Pick<Contract, 'client' | 'address' | 'checked_at'>,
): { changes: readonly Change[]; contract: Contract } {
  const known = knownReads();
  const changes: Change[] = [];
  const operations: Record<string, Omit<Result, 'operation'>> = {};
  for (const { operation, ...result } of found.results) {
    const old = before?.operations[operation]?.shape;
    const compared = old && result.shape && compare(operation, old, result.shape, known.get(operation) ?? new Map());
    const shape = compared?.shape ?? result.shape ?? old;
    changes.push(...(compared?.changes ?? []));
    operations[operation] = { ...result, ...(shape && { shape }) };
  }
  const facts: Readonly<Record<string, unknown>> = before?.facts ?? {};
  for (const [path, value] of Object.entries(found.facts)) {
    const [old, now] = [JSON.stringify(facts[path]), JSON.stringify(value)];
    if (path !== 'timestamps' && path in facts && old !== now)
      changes.push({ operation: 'facts', path, before: old, now });
  }
  const left = found.results.flatMap(({ operation, status }) => (status === 'failed' ? operation : []));
  const { dry_run } = before ?? {};
  const kept = { ...(left.length > 0 && { left }), ...(dry_run && { dry_run }) };
  return { changes, contract: { ...head, ...kept, operations, facts: { ...facts, ...found.facts } } };
}
