// @ts-check
import { ApiError, parseTimestamp } from 'multilocal';

/** @import { Client, Connection, IdentityFiche } from 'multilocal' */
/** @typedef {(string | number)[]} Row */

/**
 * Name, accounts, broken accounts, planned posts and failed posts of each location. Without `bulle_id`, lists contain
 * the whole brand, so about six requests are enough for any number of locations.
 *
 * @param {Client} client
 * @returns {Promise<Row[]>}
 */
export async function locationRows(client) {
  const bulles = await client.bulles.list();
  const connections = await client.connections.list();
  const planned = await countPosts(client, 'pending');
  const failed = await countPosts(client, 'error');
  return bulles.map(({ id, name }) => {
    const accounts = connections.filter(({ bulle_id }) => bulle_id === id);
    return [name ?? id, accounts.length, accounts.filter(isBroken).length, planned.get(id) ?? 0, failed.get(id) ?? 0];
  });
}

/**
 * Counts posts by location. Published posts would be too many, and only planned and failed posts need attention.
 *
 * @param {Client} client
 * @param {'pending' | 'error'} status
 */
async function countPosts(client, status) {
  /** @type {Map<string | null | undefined, number>} */
  const counts = new Map();
  for await (const { bulle_id } of client.posts.list({ status, limit: 100 })) {
    counts.set(bulle_id, (counts.get(bulle_id) ?? 0) + 1);
  }
  return counts;
}

/**
 * Whether an account cannot publish: it needs the right value in all three fields.
 *
 * @param {Connection} connection
 */
function isBroken({ connected, needs_reconnect, expires_at }) {
  const end = parseTimestamp(expires_at);
  return !connected || needs_reconnect === true || (end !== null && end.getTime() <= Date.now());
}

/**
 * Name, reviews and figures of a listing, with two requests. If Google fails for one listing, only its row is
 * incomplete.
 *
 * @param {Client} client
 * @param {IdentityFiche} fiche
 * @param {number} period_days
 * @returns {Promise<Row>}
 */
export async function listingRow(client, { id, name }, period_days) {
  const { reviews, gmb } = client.forFiche(id);
  try {
    const { average_rating, total_reviews, status_counts } = await reviews.summary();
    const { kpis } = await gmb.metrics({ period_days });
    const { views_total, calls, directions, website } = kpis;
    const stars = average_rating?.toFixed(1) ?? '–';
    return [name ?? id, stars, total_reviews, status_counts.unresponded, views_total, calls, directions, website];
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 500) throw error;
    return [name ?? id, error.code];
  }
}
