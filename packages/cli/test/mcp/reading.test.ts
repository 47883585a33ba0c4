import { expect, it } from 'vitest';
import { Reading, type Source } from '../../src/mcp/reading.js';

const reading = (items: readonly unknown[], more: Partial<Source> = {}) => {
  const open = async function* () {
    yield* items;
  };
  return new Reading({ operation: 'sites.list', fields: undefined, open, ...more });
};

it('an id is of its platform, and `next` reaches the end of a list whose total is too low', async () => {
  const sites = ['wordpress', 'wix'].map((platform) => ({ platform, id: 1 }));
  const read = reading([...sites, ...sites], { total: 1 });
  const { data, left, next } = await read.part(0, 0, { limit: 1 });
  expect({ data, left, next }).toEqual({ data: [sites[0]], left: undefined, next: `${read.id}.1` });
  expect(await read.part(1, 0, { limit: 1 })).toMatchObject({ data: [sites[1]], next: undefined });
});

it('`null` is shown at the top of what is no list', async () => {
  const scan = { snapshot: null, beside: { scanned_at: null } };
  expect(await reading([scan]).part(0, 0, { limit: 1 })).toMatchObject({ data: [{ beside: {} }] });
  const one = reading([scan], { wrap: ([item]) => item, isOne: true });
  expect(await one.part(0, 0, { limit: 1 })).toMatchObject({ data: { snapshot: null, beside: {} } });
});
