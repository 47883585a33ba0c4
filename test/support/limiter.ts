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
