// Several processes with one copy in a database.
import { usePglite } from '@multilocal/stores/test/sql/databases';
import { sqlStore } from 'multilocal/sql';
import { beforeEach, expect, it, vi } from 'vitest';
import { REFRESH } from '../../src/proxy/options.js';
import { article, ids, LIST, Service } from '../proxy/helpers.js';

const { driver, newName } = usePglite();
// The database needs real timers.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));

it('one process reads for all, and a new one needs no request', async () => {
  const service = new Service();
  const brand = newName();
  const start = () => service.visit({ store: sqlStore({ ...driver(), brand }) });
  const [one, other] = [start(), start()];
  expect(await ids(await one(LIST))).toEqual([3, 2, 1]);
  expect(await (await other(`${LIST}/2`)).json()).toEqual(article(2));
  expect(service.asked).toHaveLength(1);

  service.articles = [
    ...service.articles.slice(1),
    article(9, { title: `'"\\ 🥖 \u0000`, updated_at: '2026-03-01T00:00:00Z' }),
    article(1, { status: 'draft', updated_at: '2026-03-02T00:00:00Z' }),
  ];
  vi.advanceTimersByTime(2 * REFRESH);
  expect(await (await other(`${LIST}/9`)).json()).toEqual(service.articles.at(-2));
  expect(await ids(await one(LIST))).toEqual([9, 3, 2]);
  expect(await ids(await start()(LIST))).toEqual([9, 3, 2]);
  expect(service.asked).toHaveLength(2);
});

it('a copy of more articles than one response of the database holds', async () => {
  const service = new Service();
  service.articles = Array.from({ length: 1_001 }, (_, index) =>
    article(index + 1, { updated_at: `2026-02-01T00:00:00.${String(index).padStart(6, '0')}Z` }),
  );
  service.pageSize = 500;
  const brand = newName();
  const start = () => service.visit({ store: sqlStore({ ...driver(), brand }) });
  await start()(LIST);
  const requests = service.asked.length;
  const response = await start()(`${LIST}?limit=1&order=newest`);
  expect(await response.json()).toMatchObject({ total: 1_001 });
  expect(service.asked).toHaveLength(requests);
});
