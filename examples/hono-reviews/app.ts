import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { validator } from 'hono/validator';
import type { Client } from 'multilocal';
import { articlesProxy } from 'multilocal/proxy';
import { answerOf } from './errors.js';
import { createReplies, type Reply } from './replies.js';

/** Serves the reviews to callers with the token, and the articles to everybody. */
export function createApp(client: Client, token: string): Hono {
  const app = new Hono();
  const replies = createReplies(client);
  const articles = articlesProxy({ client, path: '/content', onError: (error) => console.error(error) });

  app.onError((error) => answerOf(error));
  app.all('/content/*', (c) => articles(c.req.raw));

  app.use('/reviews/*', bearerAuth({ token }));
  app.get('/reviews/unanswered', async (c) => {
    const fiche_id = c.req.query('fiche_id');
    const { reviews, filtered_count } = await client.reviews.list({ status: 'unresponded', limit: 100, fiche_id });
    return c.json({ reviews, total: filtered_count });
  });
  app.post('/reviews/preview', readReply, async (c) => c.json(await replies.preview(c.req.valid('json'))));
  app.post('/reviews/reply', readReply, async (c) => c.json(await replies.post(c.req.valid('json'))));
  return app;
}

/** Ids of reviews and listings contain slashes, so they are in the body and not in the path. */
const readReply = validator('json', (body: Partial<Reply>, c) => {
  const { fiche_id, review_id, text } = body;
  if (isText(fiche_id) && isText(review_id) && isText(text)) return { fiche_id, review_id, text: text.trim() };
  return c.json({ code: 'invalid_request', detail: 'Expected fiche_id, review_id and text.' }, 422);
});

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
