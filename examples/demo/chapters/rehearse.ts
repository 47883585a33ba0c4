import type { DryRunPreview } from 'multilocal';
import type { Chapter } from '../demo.js';

export const rehearse: Chapter = {
  title: 'Rehearse a publication',
  async tell({ client, identity, screen, signal }) {
    if (!identity.permissions.includes('publish')) {
      screen.skip('the key may not publish');
      return;
    }
    const { articles } = await client.articles.list({ status: 'draft' }, { signal });
    const draft = articles.find(({ content_html }) => content_html);
    if (!draft) {
      screen.skip('there is no draft');
      return;
    }
    // `client.dryRun` cannot publish anything by mistake: it refuses operations without a preview before it sends them.
    const preview = await client.dryRun.articles.publish(draft.id, {}, { signal });
    screen.say(`Publishing “${draft.title}” would do this:`, effectsOf(preview));

    const { status } = await client.articles.get(draft.id, { signal });
    if (status !== 'draft') throw new Error(`The dry run left article ${draft.id} as “${status}”.`);
    screen.say('Nothing changed: the article is still a draft');
  },
};

/** The fields of a preview, one per line. The fields differ by operation. All of them begin with `would_`. */
export function effectsOf(preview: DryRunPreview): string[] {
  return Object.entries(preview).flatMap(([name, value]) => (name.startsWith('would_') ? linesOf(name, value) : []));
}

function linesOf(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.length > 0 ? [`${name}: ${value.join(', ')}`] : [];
  if (typeof value !== 'object') return [`${name}: ${value}`];
  return Object.entries(value ?? {}).flatMap(([part, inner]) => linesOf(`${name}.${part}`, inner));
}
