/** AGENTS.md cannot be used as it is. */
export class AgentsError extends Error {
  constructor(
    readonly code: 'agents_damaged' | 'agents_missing' | 'agents_stale' | 'agents_unusable',
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}
