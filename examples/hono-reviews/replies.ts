import { setTimeout as pause } from 'node:timers/promises';
import { HTTPException } from 'hono/http-exception';
import { type Client, isMultilocalError, type Review } from 'multilocal';

export interface Reply {
  fiche_id: string;
  review_id: string;
  text: string;
}

/** Returns a function that posts a reply once, even if several callers request it at the same time. */
export function posterOf(client: Client): (reply: Reply) => Promise<boolean> {
  /** Replies in progress, by review. Only for this process: with several, use a lock of your database. */
  const underWay = new Map<string, { text: string; posted: Promise<boolean> }>();
  return async (reply) => {
    const { review_id, text } = reply;
    const other = underWay.get(review_id);
    if (other && other.text !== text) throw refused(409, 'Another reply to this review is being posted.');
    if (other) return other.posted;
    const posted = postOnce(client, reply).finally(() => underWay.delete(review_id));
    underWay.set(review_id, { text, posted });
    return posted;
  };
}

/** Returns `false` if the review already has this reply. Checks first, because a second reply would replace the first. */
async function postOnce(client: Client, { review_id, fiche_id, text }: Reply): Promise<boolean> {
  // There is no route for one review. The newest reviews come first, and usually these get replies.
  async function look(): Promise<Review | undefined> {
    for await (const review of client.reviews.list({ fiche_id, limit: 100 })) {
      if (review.review_id === review_id) return review;
    }
    return undefined;
  }
  const review = await look();
  if (!review) throw refused(404, 'The listing has no such review.');
  if (review.response_text === text) return false;
  if (review.responded) throw refused(409, 'The review has another reply already.');
  try {
    return (await client.reviews.reply(review_id, { text, fiche_id })).posted;
  } catch (error) {
    // The client never sends a reply again that may have arrived. The review shows whether it did. The service may still
    // be working on it, so look twice.
    if (!isMultilocalError(error) || error.outcome !== 'unknown') throw error;
    for (const wait of [500, 2_000]) {
      await pause(wait);
      if ((await look())?.response_text === text) return true;
    }
    // The reply may still appear. The next call begins with a check, so it is safe to call again.
    throw error;
  }
}

const refused = (status: 404 | 409, detail: string) =>
  new HTTPException(status, { res: Response.json({ code: 'refused', detail }, { status }) });
