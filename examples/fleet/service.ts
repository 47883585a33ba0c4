// The service, as a child process: one mock per brand, each on a port of its own, with limits that it enforces.
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { type BrandReport, KINDS, type Kind, kindOf, type Question } from './brands.js';

const brands: { kind: Kind; server: MockServer; key: string; perMinute: number }[] = [];

async function addBrand(index: number, kind: Kind): Promise<void> {
  const isLarge = kind === 'several slices' || kind === 'tight limit';
  const perMinute = kind === 'tight limit' ? 20 : 60;
  const server = await startMockServer({
    // A large brand has as many pages as a brand with 1200 articles.
    articlesPageSize: isLarge ? 10 : 50,
    rateLimit: { perMinute, perDay: 1000 },
    latency: 50,
  });
  const { api } = server;
  // Brands differ in size.
  const kept = isLarge ? Number.POSITIVE_INFINITY : 20 + (index % 9) * 10;
  for (const { id } of api.articles.all().slice(kept)) api.articles.remove(id);
  const failure = { operation: 'articles.list', times: 3 };
  if (kind === 'outage') api.fail({ ...failure, status: 503 });
  if (kind === 'pause') api.fail({ ...failure, status: 429, headers: { 'retry-after': '1' } });
  if (kind === 'revoked key') api.revokeKey(api.keys.readOnly);
  brands[index] = { kind, server, key: api.keys.readOnly, perMinute };
}

function report({ brand: index, renew }: Question): BrandReport {
  const brand = brands[index];
  if (!brand) throw new Error(`There is no brand ${index}`);
  const { kind, server, perMinute } = brand;
  if (renew) brand.key = server.api.addKey({ permissions: ['read'] });
  return {
    kind,
    url: server.url,
    key: brand.key,
    perMinute,
    articles: server.api.articles.all().filter(({ status }) => status === 'published'),
    times: server.api.requests.map(({ at }) => at),
  };
}

process.on('message', (question: Question) => process.send?.(report(question)));
// The parent has ended.
process.once('disconnect', () => process.exit());

const { BRANDS, KIND } = process.env;
for (let index = 0; index < Number(BRANDS); index++) {
  await addBrand(index, KINDS.find((kind) => kind === KIND) ?? kindOf(index));
}
process.send?.('ready');
