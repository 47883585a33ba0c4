import { RateLimitBook, type RateLimitStore } from 'multilocal/limiter';
import { Client, type ClientEvent, type ClientOptions, type RequestOptions } from '../../src/index.js';
import { freshUrl } from './clients.js';
import { ARTICLE, KEY } from './fixtures.js';
import { json, type Reply, stubFetch } from './stub-fetch.js';

/** Clients of one key: which articles they asked for, and when. After a script, each reply is an article. */
export function shareKey(script: Reply | readonly Reply[] = [], baseUrl = freshUrl()) {
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  const order: number[] = [];
  const times: number[] = [];
  const sent: [id: number, at: number][] = [];
  const fetch = stubFetch((seen, index) => {
    order.push(Number(seen.url.pathname.split('/').at(-1)));
    times.push(elapsed());
    sent.push([order.at(-1) as number, elapsed()]);
    return ((typeof script === 'function' ? script : script[index]) ?? json(ARTICLE))(seen, index);
  });
  const make = (rateLimit?: ClientOptions['rateLimit'], options: ClientOptions = {}) => {
    const waits: number[] = [];
    const onEvent = (event: ClientEvent) => void (event.type === 'wait' && waits.push(event.delay));
    const client = new Client({ apiKey: KEY, baseUrl, fetch, rateLimit, onEvent, ...options });
    const get = (id: number, requestOptions?: RequestOptions) => {
      const call = client.articles.get(id, requestOptions);
      call.catch(() => {});
      return call;
    };
    const getMany = (count: number, from = 1) => Array.from({ length: count }, (_, index) => get(from + index));
    return { client, get, getMany, waits };
  };
  /** What was sent, and when: `7@60` is article 7 after 60 s. */
  const log = () => sent.map(([id, at]) => `${id}@${at / 1000}`).join(' ');
  return { make, fetch, order, times, sent, log, elapsed };
}

/** A store that notes its calls, around a book. It fails while `failure` is set. */
export function setUpStore() {
  const book = new RateLimitBook();
  const calls: unknown[][] = [];
  const control: { failure: unknown; latency: number } = { failure: undefined, latency: 0 };
  const answer = async <T>(call: unknown[], act: () => T): Promise<T> => {
    calls.push(call);
    if (control.failure) throw control.failure;
    if (control.latency > 0) await new Promise((resolve) => setTimeout(resolve, control.latency));
    return act();
  };
  const now = () => performance.now();
  const store = {
    take: (key, request) => answer(['take', key, request], () => book.take(now(), request)),
    settle: (key, id, result) => answer(['settle', key, id, result], () => book.settle(now(), id, result)),
    hold: (key, ms) => answer(['hold', key, ms], () => book.hold(now(), ms)),
    count: (key, lengths) => answer(['count', key, lengths], () => book.count(now(), lengths)),
  } satisfies RateLimitStore;
  const named = (name: string) => calls.filter(([method]) => method === name);
  return { store, book, calls, named, control };
}
