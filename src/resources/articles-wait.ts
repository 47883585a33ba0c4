import type { Api } from '../core/api.js';
import { SyncStalledError } from '../core/errors/index.js';
import { needed } from '../core/response.js';
import * as s from '../core/schema.js';
import { serviceTime } from '../stages/listeners.js';
import { walk } from '../sync/walk.js';
import { changed, listing } from './articles-list.js';
import { type Article, articleReadEndpoints } from './articles-reads-schema.js';
import { called, perSession, SharedReads, sharedApi } from './shared.js';
import { poll, type WaitOptions, waitOptionsOf } from './wait.js';

/** The list of what changed begins this many ms before the wait, so that it shows an article that was just created. */
const RECENT = 3_600_000;

/** What a wait needs of an article, with any `validation`. */
const text = { content_html: s.maybe(s.string) };
const written = s.object(text);
const listed = s.object({ articles: s.list(s.object({ ...changed, ...text })) });

/** The waits of a client and its views: the articles that they wait for, and what was last read of them. */
const waitsOf = perSession(() => ({
  waiting: new Set<{ readonly id: number; readonly pollInterval: number }>(),
  reads: new SharedReads<ReadonlyMap<number, Article>>(),
}));

/** Polls until an article has its text. One wait reads its article, and several list what changed. */
export function waitForText(api: Api, article_id: number, options: WaitOptions | undefined): Promise<Article> {
  const { pollInterval, timeout, onPoll, signal: own, callOptions, shared: others } = waitOptionsOf(options, 10_000);
  const { waiting, reads } = waitsOf(api.session);
  const shared = sharedApi(api);
  const since = serviceTime(api.session, new Date(Date.now() - RECENT));
  const idsOf = () => new Set(Array.from(waiting, ({ id }) => id));
  const interval = () => Math.min(...Array.from(waiting, (one) => one.pollInterval));
  /** Never costs more requests than the articles themselves. */
  const list = async (signal: AbortSignal) => {
    const found = new Map<number, Article>();
    const missing = idsOf();
    let left = missing.size - 1;
    try {
      const pages = listing(shared, { status: 'all' }, { ...others, signal, lenient: true }, listed);
      for await (const { articles } of walk(pages, since)) {
        for (const article of articles) if (missing.delete(article.id)) found.set(article.id, article);
        if (missing.size === 0 || --left <= 0) break;
      }
    } catch (error) {
      if (!(error instanceof SyncStalledError)) throw error;
    }
    return found;
  };
  const look = async (signal: AbortSignal) => {
    let at: number | undefined;
    let article: Article | undefined;
    // A timer may be some milliseconds early.
    const age = interval() - 5;
    if (idsOf().size > 1 || reads.isFresh('', age)) {
      const read = await reads.get('', list, signal, age, age);
      ({ at } = read);
      article = read.value.get(article_id);
    }
    // It is the only one, or it changed long ago, or it did not wait yet when the others were read.
    article ??= needed(
      await api.ask<Article>(articleReadEndpoints.get, {}, { ...callOptions, signal, lenient: true }, { article_id }),
      written,
    );
    return { found: article.content_html ? article : undefined, at: at ?? performance.now() };
  };
  const wanted = {
    look,
    interval,
    first: 0,
    id: article_id,
    what: () => `The text of article ${article_id}`,
    context: { operation: 'articles.waitUntilWritten', method: 'GET', path: `/articles/${article_id}` },
    redactor: api.session.config.redactor,
  } as const;
  const wait = { id: article_id, pollInterval };
  waiting.add(wait);
  const work = (signal: AbortSignal | undefined) => poll(wanted, { timeout, onPoll, signal });
  return called(api, own, work).finally(() => waiting.delete(wait));
}
