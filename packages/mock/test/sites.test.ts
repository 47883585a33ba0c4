import { describe, expect, test } from 'vitest';
import { api, callList, freshApi } from './helpers.js';

freshApi();

describe('GET /sites', () => {
  const ids = async (query = '', key = api.keys.sphere) =>
    (await callList(api, `GET /sites${query}`, { key })).map(({ id }) => id);

  test('of the brand; a location has its own and the shared ones', async () => {
    expect(await ids()).toEqual([11, 12, 21]);
    expect(await ids('', api.keys.bulle)).toEqual([11, 12]);
    expect(await ids(`?bulle_id=${api.ids.otherBulle}`)).toEqual([11, 21]);
  });

  test('by platform, each in its form; none for platforms without a site', async () => {
    const [wordpress] = await callList(api, 'GET /sites?platform=wordpress');
    const common = ['bulle_id', 'id', 'is_shared', 'platform', 'site_name', 'site_url', 'sphere_id'];
    expect(Object.keys(wordpress ?? {}).sort()).toEqual(
      [...common, 'has_api_key', 'plugin_version', 'theme_name', 'wp_version'].sort(),
    );
    const [wix] = await callList(api, 'GET /sites?platform=wix');
    expect(Object.keys(wix ?? {}).sort()).toEqual([...common, 'has_token'].sort());
    for (const platform of ['shopify', 'prestashop']) expect(await ids(`?platform=${platform}`)).toEqual([]);
  });
});
