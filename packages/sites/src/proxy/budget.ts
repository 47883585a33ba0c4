import { RateLimitError, refusal } from 'multilocal/internal/errors';

const DAY = 86_400_000;

/** Counts the requests of the last 24 hours, by the monotonic clock. */
export class Budget {
  #times: number[] = [];

  constructor(readonly perDay: number) {}

  get left(): number {
    const begin = performance.now() - DAY;
    this.#times = this.#times.filter((time) => time > begin);
    return this.perDay - this.#times.length;
  }

  take(count = 1): void {
    for (let taken = 0; taken < count; taken++) this.#times.push(performance.now());
  }

  /** Gives back requests that were not sent. */
  giveBack(count: number): void {
    if (count > 0) this.#times.splice(-count);
  }
}

/** The error of what the budget of the proxy forbids. */
export function spent(detail: string, operation: 'articles.syncTo' | 'articles.confirm'): RateLimitError {
  const route =
    operation === 'articles.confirm'
      ? ({ method: 'POST', path: '/articles/{article_id}/confirm' } as const)
      : ({ method: 'GET', path: '/articles' } as const);
  return new RateLimitError(`articlesProxy: ${detail}.`, { operation, ...route, attempts: 0, ...refusal(429, detail) });
}
