import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { HTTPException } from 'hono/http-exception';
import { validator } from 'hono/validator';
import { ApiError, type Client, isMultilocalError, RateLimitError } from 'multilocal';
import { articlesProxy } from 'multilocal/proxy';
import { posterOf, type Reply } from './replies.js';

/** Serves the reviews to callers with the token, and the articles to everyone. */
export function createApp(client: Client, token: string): Hono {
  const app = new Hono().onError(responseTo);
  const post = posterOf(client);
  const articles = articlesProxy({ client, path: '/content', onError: (error) => console.error(error) });
  app.all('/content/*', (c) => articles(c.req.raw));

  app.use('/reviews/*', bearerAuth({ token }));
  app.get('/reviews/unanswered', async (c) => {
    const fiche_id = c.req.query('fiche_id');
    const { reviews, filtered_count } = await client.reviews.list({ status: 'unresponded', limit: 100, fiche_id });
    return c.json({ reviews, total: filtered_count });
  });
  app.post('/reviews/preview', readReply, async (c) => {
    const { review_id, ...params } = c.req.valid('json');
    return c.json(await client.dryRun.reviews.reply(review_id, params));
  });
  app.post('/reviews/reply', readReply, async (c) => c.json({ posted: await post(c.req.valid('json')) }));
  return app;
}

/** Ids of reviews and listings contain slashes, so they are in the body and not in the path. */
const readReply = validator('json', ({ fiche_id, review_id, text }: Partial<Reply>, c) => {
  if (isText(fiche_id) && isText(review_id) && isText(text)) return { fiche_id, review_id, text: text.trim() };
  return c.json({ code: 'invalid_request', detail: 'Expected fiche_id, review_id and text.' }, 422);
});

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** If the caller cannot fix the cause of a failure, the reason stays in the log. */
function responseTo(error: unknown): Response {
  if (error instanceof HTTPException) return error.getResponse();
  if (error instanceof RateLimitError) {
    const seconds = Math.ceil((error.retryAfter ?? 60_000) / 1000);
    return Response.json({ code: error.code }, { status: 503, headers: { 'Retry-After': String(seconds) } });
  }
  if (error instanceof ApiError && [400, 403, 404, 409, 410, 422].includes(error.status)) {
    return Response.json({ code: error.code, detail: error.detail }, { status: error.status });
  }
  console.error(error);
  if (!isMultilocalError(error)) return Response.json({ code: 'internal' }, { status: 500 });
  return Response.json({ code: error.code, outcome: error.outcome }, { status: 502 });
}
