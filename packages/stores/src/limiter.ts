export {
  RateLimitBook,
  type RateLimitBookState,
  type RateLimitStore,
  type RateWindow,
  type TakeAnswer,
  type TakeRequest,
  type Usage,
} from 'multilocal/internal/limiter-book';
