// @ts-check
import { ApiError, parseTimestamp } from 'multilocal';

/** @import { Client, Connection, IdentityFiche } from 'multilocal' */
/** @typedef {(string | number)[]} Row */

/**
 * Accounts, broken accounts, planned and failed posts of each location. Without `bulle_id`, lists contain the whole
 * brand, so about six requests are enough for any number of locations.
 *
 * @param {Client} client
 * @returns {Promise<Row[]>}
 */
export async function locationRows({ bulles, connections, posts }) {
  const locations = await bulles.list();
  const accounts = await connections.list();
  const planned = await posts.list({ status: 'pending', limit: 100 }).toArray();
  const failed = await posts.list({ status: 'error', limit: 100 }).toArray();
  return locations.map(({ id, name }) => {
    const isHere = (/** @type {{ bulle_id?: string | null }} */ { bulle_id }) => bulle_id === id;
    const here = accounts.filter(isHere);
    const counts = [here, here.filter(isBroken), planned.filter(isHere), failed.filter(isHere)];
    return [name ?? id, ...counts.map(({ length }) => length)];
  });
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
 * Reviews and figures of a listing, with two requests. If Google fails for one listing, only its row is incomplete.
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
    const { views_total, calls, directions, website } = (await gmb.metrics({ period_days })).kpis;
    const stars = average_rating?.toFixed(1) ?? '–';
    return [name ?? id, stars, total_reviews, status_counts.unresponded, views_total, calls, directions, website];
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 500) throw error;
    return [name ?? id, error.code];
  }
}
