import { articleOf, indexAfter, timestampOf } from './data.mjs';

const PAGE = 50;
const FIRST_ID = 1_000_000;
const INIT = { headers: { 'content-type': 'application/json' } };

// A page in bytes, prepared before the requests. A response is a copy of it with other ids, timestamps and another total.
const body = Buffer.from(
  `{"articles":[${Array.from({ length: PAGE }, (_, index) => JSON.stringify(articleOf(index))).join(',')}],"total":       ,"limit":${PAGE},"offset":0}`,
);
const start = body.indexOf('[') + 1;
const stride = (body.lastIndexOf(']') + 1 - start) / PAGE;
const idAt = body.indexOf(String(FIRST_ID));
const timestampAt = body.indexOf(timestampOf(0));
const tail = body.lastIndexOf(']');
const totalAt = body.indexOf('"total":', tail) + '"total":'.length;

/**
 * Puts a stub in the place of `fetch` that serves so many articles of 6 kB in pages of 50, sorted by change. `onPage` is
 * called before each response.
 */
export function servePages(total, onPage = () => {}) {
  globalThis.fetch = async (input) => {
    const since = new URL(input.url ?? input).searchParams.get('updated_since');
    const first = indexAfter(since);
    const length = Math.max(0, Math.min(PAGE, total - first));
    for (let place = 0; place < length; place++) {
      body.latin1Write(String(FIRST_ID + first + place), place * stride + idAt);
      body.latin1Write(timestampOf(first + place), place * stride + timestampAt);
    }
    body.latin1Write(String(total - first).padStart(7), totalAt);
    onPage();
    // A `Response` copies the bytes that it gets.
    if (length === PAGE) return new Response(body, INIT);
    const articles = body.subarray(0, start + Math.max(0, length * stride - 1));
    return new Response(Buffer.concat([articles, body.subarray(tail)]), INIT);
  };
}

/** The plain loop over `updated_since` of programs without a sync. It loses articles that share a timestamp. */
export async function byHand(job, onArticles = () => {}) {
  let since = '1970-01-01T00:00:00Z';
  for (let seen = 0; ; ) {
    const page = await job.articles(since);
    seen += page.articles.length;
    await onArticles(page.articles);
    if (page.articles.length === page.total) return seen;
    since = page.articles.at(-1).updated_at;
  }
}
