import type { Client } from '../../src/client.js';

/** The methods that both clients have. */
type Articles = Pick<Client['articles'], 'get' | 'confirm'>;

/** A class of operations that the contract treats alike, by one of its number. */
export interface Operation {
  id: 'read' | 'put' | 'delete' | 'confirm' | 'dryRun' | 'costly';
  /** At the head of its column. */
  title: string;
  /** May be sent again whenever an answer is missing. */
  repeatable: boolean;
  /** Anything but a read: what came of it may be unknown. */
  writes: boolean;
  /** Changes something when it is carried out. */
  changes: boolean;
  call: ((api: Articles) => PromiseLike<unknown>) | { client: (client: Client) => PromiseLike<unknown> };
}

const write = { repeatable: true, writes: true, changes: true };

export const OPERATIONS: readonly Operation[] = [
  { id: 'read', title: 'read', ...write, writes: false, changes: false, call: (api) => api.get(42) },
  {
    id: 'put',
    title: 'PUT',
    ...write,
    call: { client: ({ articles }) => articles.update(42, { title: 'Le pain de seigle' }) },
  },
  { id: 'delete', title: 'DELETE', ...write, call: { client: (client) => client.posts.delete(1) } },
  { id: 'confirm', title: '`confirm`', ...write, call: (api) => api.confirm(42) },
  {
    id: 'dryRun',
    title: 'dry run',
    ...write,
    // The client has seen no preview of this operation yet.
    repeatable: false,
    changes: false,
    call: { client: ({ articles }) => articles.publish(42, { dry_run: true }) },
  },
  {
    id: 'costly',
    title: 'costly write',
    ...write,
    repeatable: false,
    call: { client: ({ articles }) => articles.publish(42) },
  },
];
