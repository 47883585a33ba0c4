// The kinds of brands, and what the service tells about one.
import type { Article } from 'multilocal';

/** What the run shows with a brand. */
export const KINDS = ['one slice', 'several slices', 'tight limit', 'outage', 'pause', 'revoked key'] as const;
export type Kind = (typeof KINDS)[number];

/** What the service tells about a brand. */
export interface BrandReport {
  kind: Kind;
  url: string;
  key: string;
  perMinute: number;
  /** The articles that are online. */
  articles: Pick<Article, 'id'>[];
  /** When each request came, in ms since 1970. */
  times: number[];
}

/** What the parent may ask. `renew` replaces a revoked key. */
export interface Question {
  brand: number;
  renew?: boolean;
}

/** The kind of each brand, in a mixture. */
export function kindOf(index: number): Kind {
  // Such a brand takes more than a minute.
  if (index % 100 === 50) return 'tight limit';
  return ({ 1: 'several slices', 4: 'outage', 7: 'pause', 10: 'revoked key' } as const)[index % 12] ?? 'one slice';
}
