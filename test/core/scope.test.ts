import { describe, expect, it } from 'vitest';
import { Client } from '../../src/client.js';
import { ConfigurationError } from '../../src/core/errors/index.js';
import { caught, freshUrl } from '../support/clients.js';
import { BULLE_IDENTITY, KEY, SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

const options = (...script: Parameters<typeof stubFetch>) => ({
  apiKey: KEY,
  baseUrl: freshUrl(),
  fetch: stubFetch(...script),
});

describe("Client.connect({ scope: 'sphere' })", () => {
  it('reads the identity once and returns a client of the brand', async () => {
    const given = options(json(SPHERE_IDENTITY));
    const brand = await Client.connect({ ...given, scope: 'sphere' });
    expect(brand).toBeInstanceOf(Client);
    expect(brand.scope).toEqual({ kind: 'sphere' });
    expect(given.fetch.calls).toHaveLength(1);
  });

  it('sends nothing if the identity is passed', async () => {
    const given = options(json({}));
    await Client.connect({ ...given, identity: SPHERE_IDENTITY, scope: 'sphere' });
    expect(given.fetch.calls).toHaveLength(0);
  });

  it('refuses the key of one location', async () => {
    const work = Client.connect({ ...options(json(BULLE_IDENTITY)), scope: 'sphere' });
    expect((await caught(work, ConfigurationError)).message).toBe(
      "This key covers only one location. Use a key of the whole brand, or leave out `scope: 'sphere'`.",
    );
  });

  it('refuses another scope, before a request', async () => {
    const given = options(json(BULLE_IDENTITY));
    for (const scope of ['bulle', '', null, true]) {
      await caught(Client.connect({ ...given, scope } as never), ConfigurationError);
    }
    expect(given.fetch.calls).toHaveLength(0);
  });

  it('is not an option of the constructor', () => {
    expect(() => new Client({ ...options(json({})), scope: 'sphere' } as never)).toThrow(
      '`scope` is an option of `Client.connect`',
    );
  });
});
