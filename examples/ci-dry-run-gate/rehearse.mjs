// @ts-check
import { ApiError, InvalidRequestError, MissingPermissionError, QuotaExceededError } from 'multilocal';

/** @import { DryRunClient, PostCreateParams, ReviewReplyParams } from 'multilocal' */
/** @typedef {ReviewReplyParams & { review_id: string }} PlannedReply */
/** @typedef {{ ok: boolean, title: string, remarks: string[] }} Verdict What would become of one item of the plan. */

/**
 * Checks a post against accounts and platform limits first: the service refuses a post without naming the platform, and
 * a preview does not check all of this.
 *
 * @param {DryRunClient} client
 * @param {PostCreateParams} post
 * @returns {Promise<Verdict>}
 */
export async function rehearsePost(client, post) {
  const title = `post   ${[post.platforms].flat().join(', ')}: ${clip(post.content ?? post.text)}`;
  return verdict(title, async () => {
    const { ok, issues } = await client.posts.check(post);
    if (!ok) return { ok, remarks: issues.map(({ message }) => message) };
    const { would_warn } = await client.posts.create(post);
    return { ok, remarks: Array.isArray(would_warn) ? would_warn.map(String) : [] };
  });
}

/**
 * @param {DryRunClient} client
 * @param {PlannedReply} reply
 * @returns {Promise<Verdict>}
 */
export async function rehearseReply(client, { review_id, ...reply }) {
  const title = `reply  ${clip(reply.text)}`;
  return verdict(title, async () => {
    const { would_replace } = await client.reviews.reply(review_id, reply);
    return { ok: true, remarks: would_replace ? [`replaces the reply “${clip(would_replace)}”`] : [] };
  });
}

/**
 * @param {string} title
 * @param {() => Promise<Omit<Verdict, 'title'>>} rehearse
 * @returns {Promise<Verdict>}
 */
async function verdict(title, rehearse) {
  try {
    return { title, ...(await rehearse()) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ok: false, title, remarks: [error.message] };
  }
}

/**
 * Whether the error is about this item. Other errors (the key, the network, the limits) are about the whole rehearsal.
 *
 * @param {unknown} error
 * @returns {error is Error}
 */
function isRefusal(error) {
  if (error instanceof InvalidRequestError || error instanceof QuotaExceededError) return true;
  if (!(error instanceof ApiError) || error instanceof MissingPermissionError) return false;
  return [400, 403, 404, 409, 410, 422].includes(error.status);
}

/** @param {unknown} text */
function clip(text) {
  const [line = ''] = String(text ?? '(no text)').split('\n');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
