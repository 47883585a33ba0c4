import { expect, it } from 'vitest';
import { Reading } from '../../src/mcp/reading.js';

it('an id is of its platform, and `next` reaches the end of a list whose total is too low', async () => {
  const sites = ['wordpress', 'wix'].map((platform) => ({ platform, id: 1 }));
  const { signal } = new AbortController();
  const open = async function* () {
    yield* [...sites, ...sites];
  };
  const read = new Reading({ operation: 'sites.list', fields: undefined, total: 1, open });
  const { data, left, next } = await read.part(0, 0, { limit: 1, signal });
  expect({ data, left, next }).toEqual({ data: [sites[0]], left: undefined, next: `${read.id}.1` });
  expect(await read.part(1, 0, { limit: 1, signal })).toMatchObject({ data: [sites[1]], next: undefined });
});
