// What the client promises, once over real HTTP, in plain ES without any built-in of Node: each runtime runs this file
// on the installed package. test/package/runtimes.test.ts starts the service and the runtimes.
import { Client, isMultilocalError, memoryStore, NotFoundError, RedirectError, TimeoutError } from 'multilocal';
import { ArticlesClient } from 'multilocal/articles';
import { articlesProxy } from 'multilocal/proxy';

const ARTICLE = { title: 'Ouvert le dimanche', target_keyword: 'boulangerie lyon' };

/**
 * @param {{ baseUrl: string, faultsUrl: string, untrustedUrl: string, keys: Record<string, string>, knowsRefusal: boolean }} world
 * `knowsRefusal`: this runtime tells a refused connection from one that broke later.
 * @returns {Promise<{ name: string, ok: boolean, error?: string }[]>}
 */
export async function smoke({ baseUrl, faultsUrl, untrustedUrl, keys, knowsRefusal }) {
  const apiKey = keys.bulle;
  const results = [];
  let services = 0;

  async function test(name, run) {
    try {
      await within(20_000, run());
      results.push({ name, ok: true });
    } catch (error) {
      results.push({ name, ok: false, error: tell(error) });
    }
  }

  /** A client of the fault server, what it did, and what arrived there. */
  function faulty(fault, options, Kind = Client) {
    const id = `${fault}-${++services}`;
    const events = [];
    const client = new Kind({
      apiKey,
      baseUrl: `${faultsUrl}/${fault}/${id}`,
      ...(Kind === Client && { rateLimit: false }),
      onEvent: ({ type }) => void events.push(type),
      ...options,
    });
    const arrived = async () => (await fetch(`${faultsUrl}/log/${id}`)).json();
    return { client, events, arrived, articles: client.articles ?? client };
  }

  const service = (options) => new Client({ apiKey, baseUrl, rateLimit: false, ...options });

  await test('connect: the identity is known', async () => {
    const client = await Client.connect({ apiKey, baseUrl });
    equal(client.scope?.kind, 'bulle');
    hidden(client, apiKey);
  });

  await test('read: one page, its response, every item', async () => {
    const { data, response } = await service().articles.list({ status: 'published' }).withResponse();
    check(response instanceof Response && response.status === 200, 'expected the real Response');
    equal(data.articles.length, 50);
    const article = await service().articles.get(data.articles[0].id);
    equal(article.title, data.articles[0].title);
    const ids = [];
    for await (const post of service().posts.list({ limit: 2 })) ids.push(post.id);
    check(ids.length >= 3 && new Set(ids).size === ids.length, `posts: ${ids}`);
  });

  await test('health sends no key', async () => {
    const { client, arrived } = faulty('pass');
    await client.health();
    equal((await arrived()).map(({ key }) => key).join(), 'false');
  });

  await test('write: create, confirm, upload', async () => {
    const { client, arrived } = faulty('pass');
    await client.articles.create(ARTICLE);
    const { articles } = await client.articles.list({ status: 'published' });
    const { article_id } = await client.articles.confirm(articles[0].id, { rendered_url: 'https://www.example.com/a' });
    equal(article_id, articles[0].id);
    const { image_url } = await client.images.upload({ file: PNG });
    equal(typeof image_url, 'string');
    equal((await arrived()).map(({ method }) => method).join(), 'POST,GET,POST,POST');
  });

  await test('error: 404 is a NotFoundError, and shows no key', async () => {
    const error = await rejection(service().articles.get(987_654));
    check(error instanceof NotFoundError && isMultilocalError(error), `got ${tell(error)}`);
    equal(error.code, 'not_found');
    equal(error.status, 404);
    equal(error.attempts, 1);
    equal(error.outcome, 'not_applied');
    hidden(error, apiKey);
  });

  await test('retry: a read after 503', async () => {
    const { client, events, arrived } = faulty('503-once');
    await client.articles.list({ status: 'published' });
    equal(events.join(), 'request,response,retry,request,response,end');
    equal((await arrived()).length, 2);
  });

  await test('retry: no costly write after 503', async () => {
    const { client, arrived } = faulty('503-once');
    const error = await rejection(client.articles.create(ARTICLE));
    equal(`${error.code} ${error.outcome} ${error.attempts}`, 'service_unavailable unknown 1');
    equal((await arrived()).length, 1);
  });

  await test('Retry-After: a read and a costly write wait as long as they are told', async () => {
    for (const call of [(client) => client.articles.list({ status: 'published' }), (c) => c.articles.create(ARTICLE)]) {
      const { client, arrived } = faulty('429-once');
      await call(client);
      const [first, second, ...more] = await arrived();
      equal(more.length, 0);
      // Timers may fire a little early by another process's clock.
      check(second.at - first.at >= 990, `came after ${second.at - first.at} ms`);
    }
  });

  await test('time-out: before the headers and within the body', async () => {
    for (const fault of ['stall', 'stall-body']) {
      const { client, arrived } = faulty(fault, { timeout: 200 });
      const read = await rejection(client.articles.get(1, { maxRetries: 1 }));
      check(read instanceof TimeoutError, `${fault}: got ${tell(read)}`);
      equal(`${read.code} ${read.outcome} ${read.attempts}`, 'timeout not_applied 2');
      const write = await rejection(client.articles.create(ARTICLE));
      equal(`${write.code} ${write.outcome} ${write.attempts}`, 'timeout unknown 1');
      equal((await arrived()).length, 3);
    }
  });

  await test('time-out: of the whole call', async () => {
    const error = await rejection(faulty('stall', { totalTimeout: 300 }).client.articles.get(1));
    equal(`${error.code} ${error.attempts}`, 'timeout 1');
  });

  await test('abort: before, in flight, in the body and in back-off, with its reason', async () => {
    const reason = new Error('the visitor left');
    const { client: idle, arrived } = faulty('pass');
    check((await rejection(idle.articles.get(1, { signal: AbortSignal.abort(reason) }))) === reason, 'before');
    equal((await arrived()).length, 0);
    for (const fault of ['stall', 'stall-body', '503-always']) {
      const controller = new AbortController();
      const { client, arrived } = faulty(fault);
      const rejected = rejection(client.articles.get(1, { signal: controller.signal }));
      await sleep(200);
      controller.abort(reason);
      const error = await rejected;
      check(error === reason, `${fault}: got ${tell(error)}`);
      // An attempt may have left just before.
      await sleep(200);
      const before = (await arrived()).length;
      await sleep(600);
      equal((await arrived()).length, before);
    }
  });

  await test('abort: of AbortSignal.timeout keeps its name', async () => {
    const error = await rejection(faulty('stall').client.articles.get(1, { signal: AbortSignal.timeout(100) }));
    equal(error.name, 'TimeoutError');
    check(!isMultilocalError(error), 'the reason of a caller is the caller’s');
  });

  await test('redirect: refused, and the key arrives nowhere else', async () => {
    for (const Kind of [Client, ArticlesClient]) {
      for (const fault of ['redirect-302', 'redirect-307']) {
        const { articles, arrived } = faulty(fault, {}, Kind);
        const read = await rejection(articles.get(1));
        check(read instanceof RedirectError, `${fault}: got ${tell(read)}`);
        equal(read.status, Number(fault.slice(-3)));
        check(/^http:\/\/127\.0\.0\.1:\d+$/.test(read.location), `to ${read.location}`);
        hidden(read, apiKey);
        const write = await rejection(Kind === Client ? articles.create(ARTICLE) : articles.confirm(1));
        equal(`${write.code} ${write.outcome} ${write.attempts}`, 'redirect unknown 1');
        equal((await arrived()).map(({ elsewhere }) => elsewhere).join(), 'false,false');
      }
    }
  });

  for (const fault of ['reset-once', 'cut-once']) {
    await test(`broken connection, ${fault}: a read is repeated, a costly write is not`, async () => {
      const { client, arrived } = faulty(fault);
      await client.articles.list({ status: 'published' });
      equal((await arrived()).length, 2);
      const costly = faulty(fault);
      const error = await rejection(costly.client.articles.create(ARTICLE));
      equal(`${error.code} ${error.outcome} ${error.attempts}`, 'connection unknown 1');
      equal((await costly.arrived()).length, 1);
      hidden(error, apiKey);
    });
  }

  const { url: closedUrl } = await (await fetch(`${faultsUrl}/closed`)).json();
  for (const [name, url, attempts] of [
    ['a refused connection', closedUrl, 2],
    ['a name that does not resolve', 'https://nothing.invalid', 2],
    ['a certificate that is not trusted', untrustedUrl, 1],
  ]) {
    await test(`${name}: a read, and a costly write that is not sent`, async () => {
      const client = service({ baseUrl: url, maxRetries: 1 });
      const read = await rejection(client.articles.get(1));
      equal(`${read.code} ${read.outcome}`, 'connection not_applied');
      const error = await rejection(client.articles.create(ARTICLE));
      const seen = `${error.code} ${error.outcome} ${error.attempts}`;
      equal(seen, knowsRefusal ? `connection not_applied ${attempts}` : 'connection unknown 1');
      equal((await (await fetch(`${faultsUrl}/untrusted`)).json()).requests, 0);
      hidden(error, apiKey);
    });
  }

  await test('sync: every article, then nothing new', async () => {
    const client = new Client({ apiKey: keys.sphere, baseUrl, rateLimit: false });
    const store = memoryStore();
    const first = await client.articles.syncTo(store);
    const { total } = await client.articles.list({ status: 'published' });
    equal(first.upserted, total);
    equal(store.articles.size, total);
    check(total > 120 && first.requests >= 3, `${total} articles in ${first.requests} requests`);
    const second = await client.articles.syncTo(store);
    equal(`${second.upserted} ${second.deleted} ${store.articles.size}`, `0 0 ${total}`);
  });

  await test('ArticlesClient: list, changes, confirm, errors of the other entry', async () => {
    const articles = new ArticlesClient({ apiKey, baseUrl });
    const { total } = await articles.list({ status: 'published' });
    let count = 0;
    for await (const { id } of articles.changes()) count += Number(id > 0);
    equal(count, total);
    const { articles: page } = await articles.list({ status: 'published' });
    equal((await articles.confirm(page[0].id)).article_id, page[0].id);
    check((await rejection(articles.get(987_654))) instanceof NotFoundError, 'instanceof across entries');
  });

  await test('articlesProxy: serves visitors, and ArticlesClient without a key', async () => {
    const handle = articlesProxy({ client: service() });
    const visitor = new ArticlesClient({
      baseUrl: 'https://www.example.com',
      fetch: (url, init) => handle(new Request(url, init)),
    });
    equal((await visitor.list({ status: 'published' })).articles.length, 50);
    equal((await rejection(visitor.get(987_654))).code, 'not_found');
  });

  await test('trace: a call is on its channel, if the runtime has channels', async () => {
    const diagnostics = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel');
    const seen = [];
    const listen = ({ operation, attempts }) => void seen.push(`${operation} ${attempts}`);
    const channel = diagnostics?.tracingChannel('multilocal:request');
    channel?.subscribe({ asyncEnd: listen });
    const { client } = faulty('503-once');
    await client.articles.list({ status: 'published' });
    equal(seen.join(), channel ? 'articles.list 2' : '');
  });

  return results;
}

/** The smallest picture: one pixel. */
const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);

export function tell(error) {
  const inner = error?.cause ? ` ← ${tell(error.cause)}` : '';
  return error instanceof Error
    ? `${error.name}${error.code ? ` ${error.code}` : ''}: ${error.message}${inner}`
    : String(error);
}

function check(condition, message) {
  if (!condition) throw new Error(message);
}

function equal(actual, expected) {
  if (actual !== expected) throw new Error(`got ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

/** The key is in nothing that a log would show of a value. */
function hidden(value, key) {
  const shown = [];
  for (let error = value; error; error = error.cause) {
    shown.push(String(error), String(error.stack), JSON.stringify(error));
    for (const name of Object.getOwnPropertyNames(error)) shown.push(String(error[name]), JSON.stringify(error[name]));
    if (error.headers) shown.push(JSON.stringify([...error.headers]));
  }
  check(!shown.some((text) => text?.includes(key)), 'the key is shown');
}

async function rejection(promise) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)?.slice(0, 200)}`);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A hang is a failure of one test and not of the run. */
function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
