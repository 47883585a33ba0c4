// The service, as a child process: one mock per brand, each on a port of its own, with limits that it enforces.
import { type MockServer, startMockServer } from 'multilocal/mock/server';

/** What a brand is there for. Every 12 brands have one of each kind that needs more than one slice without an error. */
export const KINDS = ['one slice', 'several slices', 'tight limit', 'outage', 'pause', 'revoked key'] as const;
export type Kind = (typeof KINDS)[number];

/** What the service tells about a brand. */
export interface BrandReport {
  kind: Kind;
  url: string;
  key: string;
  perMinute: number;
  /** The articles that are online. */
  articles: { id: number; updated_at: string }[];
  /** When each request came, in ms since 1970. */
  times: number[];
}

/** What the parent may ask. `renew` replaces a revoked key. */
export interface Question {
  brand: number;
  renew?: boolean;
}

const brands: { kind: Kind; server: MockServer; key: string; perMinute: number }[] = [];

export function kindOf(index: number): Kind {
  // Such a brand takes more than a minute.
  if (index % 100 === 50) return 'tight limit';
  return ({ 1: 'several slices', 4: 'outage', 7: 'pause', 10: 'revoked key' } as const)[index % 12] ?? 'one slice';
}

async function addBrand(index: number): Promise<void> {
  const kind = kindOf(index);
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

for (let index = 0; index < Number(process.env.BRANDS); index++) await addBrand(index);
process.send?.('ready');
