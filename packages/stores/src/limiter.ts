export { RateLimitBook, type RateLimitBookState, type WaitingCall } from 'multilocal/internal/limiter-book';
export type { RateLimitStore, RateWindow, TakeAnswer, TakeRequest, Usage } from 'multilocal/internal/limiter-store';
