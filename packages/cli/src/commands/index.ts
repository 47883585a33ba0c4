import type { Command } from '../command.js';

/** Every command. Each one is loaded when it is called, because most of them need libraries of their own. */
export const COMMANDS = {
  doctor: async () => (await import('./doctor.js')).doctor,
  whoami: async () => (await import('./whoami.js')).whoami,
  budget: async () => (await import('./budget.js')).budget,
  sync: async () => (await import('./sync.js')).sync,
  watch: async () => (await import('./watch.js')).watch,
  plan: async () => (await import('./plan.js')).plan,
  rehearse: async () => (await import('./rehearse.js')).rehearse,
  status: async () => (await import('./status.js')).status,
  journal: async () => (await import('./journal.js')).journal,
  mcp: async () => (await import('./mcp.js')).mcp,
  call: async () => (await import('./call.js')).call,
  mock: async () => (await import('./mock.js')).mock,
  init: async () => (await import('./init.js')).init,
  openapi: async () => (await import('./openapi.js')).openapi,
} satisfies Record<string, () => Promise<Command>>;

/** Loads every command. */
export async function loadAll(): Promise<ReadonlyMap<string, Command>> {
  const loaded = Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const);
  return new Map(await Promise.all(loaded));
}
