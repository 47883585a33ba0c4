import * as z from 'zod/mini';
import { ok, type Reply } from '../../engine/http.js';
import { defineResource, type Exchange, route } from '../../engine/router.js';
import { integerText, readQuery, target } from '../../engine/schema.js';
import { listedBulles } from '../../engine/scope.js';
import { DELIVER_JOB, deliverDue, namedPost, planDelivery, postsSlice } from './delivery.js';
import { type StoredPost, servedPost, statusOf } from './post.js';
import { create, publish, remove, update } from './write.js';

const listQuery = z.object({
  status: z.optional(z.enum(['pending', 'published', 'error'])),
  limit: z._default(integerText({ min: 1, max: 100 }), 50),
  offset: z._default(integerText({ min: 0 }), 0),
  bulle_id: target,
});

/** GET /posts: a bare array, newest first. */
function list({ service, key, query }: Exchange): Reply {
  const { store } = service;
  const { status, limit, offset, bulle_id } = readQuery(listQuery, query);
  const shown = new Set(listedBulles(store, key, bulle_id).map(({ id }) => id));
  return ok(
    store
      .get(postsSlice)
      .items.filter((post) => shown.has(post.bulle_id) && (status === undefined || statusOf(post) === status))
      .sort(newestFirst)
      .slice(offset, offset + limit)
      .map(servedPost),
  );
}

const newestFirst = (a: StoredPost, b: StoredPost): number => b.created_at - a.created_at || b.id - a.id;

const get = (exchange: Exchange): Reply => ok(servedPost(namedPost(exchange)));

export const posts = defineResource({
  slices: [postsSlice],
  jobs: { [DELIVER_JOB]: deliverDue },
  start(service) {
    for (const post of service.store.get(postsSlice).items) planDelivery(service, post);
  },
  routes: [
    route('GET /posts', 'read', 'posts.list', list),
    route('POST /posts', 'schedule', 'posts.create', create),
    route('GET /posts/{post_id}', 'read', 'posts.get', get),
    route('PUT /posts/{post_id}', 'schedule', 'posts.update', update),
    route('DELETE /posts/{post_id}', 'delete', 'posts.delete', remove),
    route('POST /posts/{post_id}/publish', 'publish', 'posts.publish', publish, { emptyBody: true }),
  ],
});
