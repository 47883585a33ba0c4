import { ok, type Reply } from '../http.js';
import {
  DELIVER_JOB,
  deliverDue,
  planDelivery,
  postsSlice,
  type StoredPost,
  servedPost,
  statusOf,
} from '../model/posts.js';
import { bullesInScope, listedBulle, namedPost } from '../scope.js';
import type { Exchange, Resource } from '../service.js';
import { queryChoice, queryInteger, queryTarget } from '../validate.js';
import { create, publish, remove, update } from './posts-write.js';

/** GET /posts: a bare array, newest first. */
function list({ service, key, query }: Exchange): Reply {
  const { store } = service;
  const status = queryChoice(query, 'status', ['pending', 'published', 'error']);
  const limit = queryInteger(query, 'limit', { min: 1, max: 100 }) ?? 50;
  const offset = queryInteger(query, 'offset', { min: 0 }) ?? 0;
  const target = listedBulle(store, key, queryTarget(query, 'bulle_id'));
  const shown = new Set((target === undefined ? bullesInScope(store, key) : [target]).map(({ id }) => id));
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

export const posts: Resource = {
  slices: [postsSlice],
  jobs: { [DELIVER_JOB]: deliverDue },
  start(service) {
    for (const post of service.store.get(postsSlice).items) planDelivery(service, post);
  },
  routes: [
    { method: 'GET', path: '/posts', permission: 'read', operation: 'posts.list', handle: list },
    { method: 'POST', path: '/posts', permission: 'schedule', operation: 'posts.create', handle: create },
    { method: 'GET', path: '/posts/{post_id}', permission: 'read', operation: 'posts.get', handle: get },
    { method: 'PUT', path: '/posts/{post_id}', permission: 'schedule', operation: 'posts.update', handle: update },
    { method: 'DELETE', path: '/posts/{post_id}', permission: 'delete', operation: 'posts.delete', handle: remove },
    {
      method: 'POST',
      path: '/posts/{post_id}/publish',
      permission: 'publish',
      operation: 'posts.publish',
      emptyBody: true,
      handle: publish,
    },
  ],
};
