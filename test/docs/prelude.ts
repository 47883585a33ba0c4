import type { MockControl } from 'multilocal/mock';
import type { ConnectedClient } from '../../src/index.js';

/**
 * The names that every code block of the documentation may use without declaring them. A block that declares one
 * itself has its own. Beyond these, a block is a module of its own and shares nothing with the others of its page.
 *
 * - `client`: connected with a sphere key, so that a call without `bulle_id` or `fiche_id` is refused as in life;
 * - `api`: the mock behind it;
 * - `bulle_id`, `fiche_id`, `review_id`, `article_id`: of the seed;
 * - `contacts`, `changes`, `save`, `remove`, `render`: what only the reader's own program has.
 */
export function prelude(client: ConnectedClient, api: MockControl) {
  const { bulle: bulle_id, fiche: fiche_id, review: review_id } = api.ids;
  const article_id = api.articles.all().find(({ status }) => status === 'published')?.id;
  if (article_id === undefined) throw new Error('the seed has no published article');
  return {
    client,
    api,
    bulle_id,
    fiche_id,
    review_id,
    article_id,
    contacts: [{ customer_name: 'Ada Martin', channel: 'email' as const, customer_email: 'ada@example.com' }],
    changes: [{ field: 'description', value: 'Boulangerie bio' }],
    save: async (_value: unknown): Promise<void> => {},
    remove: async (_id: number): Promise<void> => {},
    render: (_value: unknown): string => '',
  };
}
