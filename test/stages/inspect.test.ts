import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/index.js';
import { makeClient } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY, KEY, SPHERE_IDENTITY } from '../support/fixtures.js';
import { expectNoKey } from '../support/render.js';
import { json, stubFetch } from '../support/stub-fetch.js';

let count = 0;
const make = (options: ClientOptions = {}) => {
  const baseUrl = `https://shown-${++count}.test/tenant/api/v2/`;
  const client = makeClient({ baseUrl, fetch: stubFetch(json(ARTICLE)), ...options });
  return { client, address: `https://shown-${count}.test/tenant` };
};
const left = 'left: 60 of 60 a minute, 1000 of 1000 a day';

describe('a printed client', () => {
  it('is one line with address, scope and budget', async () => {
    const { client, address } = make();
    expect(inspect(client)).toBe(`Client { address: ${address}, scope: unknown, ${left} }`);
    await client.articles.get(42);
    expect(inspect(client)).toBe(
      `Client { address: ${address}, scope: unknown, left: 59 of 60 a minute, 999 of 1000 a day }`,
    );
  });

  it('names the brand and the location of the key', () => {
    const brand = make({ identity: SPHERE_IDENTITY });
    expect(inspect(brand.client)).toContain('scope: sphere, brand: Maison Martin, left: ');
    const shop = make({ identity: BULLE_IDENTITY });
    expect(inspect(shop.client)).toContain('scope: bulle, brand: Maison Martin, location: Lyon, left: ');
  });

  it('names the settings of a view', () => {
    const { client } = make({ identity: SPHERE_IDENTITY });
    expect(inspect(client.forBulle('b-1'))).toContain('location: b-1, left: ');
    expect(inspect(client.forFiche('accounts/1/locations/2'))).toContain('listing: Nantes, left: ');
    expect(inspect(client.forFiche('accounts/9'))).toContain('listing: accounts/9, left: ');
    expect(inspect(client.forBulle('b-1').dryRun)).toMatch(/location: b-1, left: .*, dryRun: true }$/);
    const shop = make({ identity: BULLE_IDENTITY }).client;
    expect(inspect(shop.forBulle('b-lyon'))).toContain('location: Lyon, ');
    expect(inspect(shop.forBulle('b-paris'))).toContain('location: b-paris, ');
  });

  it('is one line inside other objects, at any depth', () => {
    const { client } = make();
    const line = inspect(client);
    expect(inspect([client])).toContain(line);
    expect(inspect({ a: { b: { c: { client } } } }, { depth: 3 })).toContain(line);
    expect(inspect({ client }, { compact: true, depth: 0 })).toContain(line);
  });

  it.each<[string, ClientOptions['rateLimit']]>([
    ['off', false],
    ['custom', { acquire: async () => {} }],
    ['a store', { store: { take: () => ({ state: 'go', ms: 0 }), settle() {}, hold() {} } }],
  ])('says nothing of a budget that it does not know: %s', (_, rateLimit) => {
    const { client, address } = make({ rateLimit });
    expect(inspect(client)).toBe(`Client { address: ${address}, scope: unknown }`);
  });

  it('shows no key and no control characters', () => {
    const sphere = { ...SPHERE_IDENTITY.sphere, name: `Maison\n\u001b[31m${KEY}` };
    const { client } = make({ identity: { ...SPHERE_IDENTITY, sphere } });
    for (const view of [client, client.forBulle(KEY), client.forFiche(KEY).dryRun, client.withOptions({})]) {
      expectNoKey(view, KEY);
      expect(inspect(view)).not.toMatch(/\p{Cc}/u);
    }
  });
});
