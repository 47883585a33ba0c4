import { expect, it } from 'vitest';
import { keyFindings } from '../src/doctor/key.js';
import { Session } from '../src/mcp/session.js';

it('a name that is null is in no sentence', () => {
  const [bulle, sphere] = [
    { id: 'bul_1', name: null },
    { id: 'sph_1', name: null },
  ];
  const limits = { permissions: [], rate_limits: { per_minute: 60, per_day: 1000 }, connected_platforms: [] };
  const scopeOf = (one: typeof bulle | null) =>
    keyFindings({ api_version: '2.0', bulle: one, sphere, ...limits, gmb_fiches: [] })[1]?.found;
  const session = new Session(...([] as unknown as ConstructorParameters<typeof Session>));
  session.remember('bulles.list', bulle);
  const review = { review_id: 'r', rating: 2, customer_name: null, text: null };
  session.remember('reviews.list', review, { fiche: { id: 'f', name: null } });
  const texts = JSON.stringify([scopeOf(bulle), scopeOf(null), ...session.seen.values()]);
  expect(texts).not.toMatch(/null|undefined/);
  expect(texts).toMatch(/bul_1 of sph_1\..*whole brand sph_1,.*2 of 5 stars, f: no text/);
});
