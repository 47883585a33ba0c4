import { setTimeout as pause } from 'node:timers/promises';
import { type Client, type DryRunPreview, isMultilocalError, type Review } from 'multilocal';

export interface Reply {
  fiche_id: string;
  review_id: string;
  text: string;
}

export interface Posted {
  review_id: string;
  /** `false`: the review already had this reply. */
  posted: boolean;
}

export interface Replies {
  /** Previews a reply. Nothing is posted. */
  preview(reply: Reply): Promise<DryRunPreview>;
  /** Posts the reply once, even if several callers request it at the same time. */
  post(reply: Reply): Promise<Posted>;
}

/** A request that cannot be executed in the current state. */
export class Refused extends Error {
  constructor(
    readonly status: 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

/** Milliseconds before each check for a reply of unknown outcome: the service may still be working on it. */
const LOOKS = [500, 2_000];

export function createReplies(client: Client): Replies {
  /** Replies in progress, by review. Only for this process: with several, use a lock of your database. */
  const underWay = new Map<string, { text: string; posted: Promise<Posted> }>();

  return {
    async preview({ review_id, ...params }) {
      return client.dryRun.reviews.reply(review_id, params);
    },

    async post(reply) {
      const { review_id, text } = reply;
      const other = underWay.get(review_id);
      if (other) {
        if (other.text !== text) throw new Refused(409, 'Another reply to this review is being posted.');
        return other.posted;
      }
      const posted = postOnce(client, reply).finally(() => underWay.delete(review_id));
      underWay.set(review_id, { text, posted });
      return posted;
    },
  };
}

/** Checks first, because a second reply would replace the first one silently. */
async function postOnce(client: Client, { review_id, fiche_id, text }: Reply): Promise<Posted> {
  const review = await findReview(client, fiche_id, review_id);
  if (!review) throw new Refused(404, 'The listing has no such review.');
  if (review.response_text === text) return { review_id, posted: false };
  if (review.responded) throw new Refused(409, 'The review has another reply already.');

  try {
    const { posted } = await client.reviews.reply(review_id, { text, fiche_id });
    return { review_id, posted };
  } catch (error) {
    // The client never sends a reply again that may have arrived. The review shows whether it did.
    if (!isMultilocalError(error) || error.outcome !== 'unknown') throw error;
    for (const wait of LOOKS) {
      await pause(wait);
      const now = await findReview(client, fiche_id, review_id);
      if (now?.response_text === text) return { review_id, posted: true };
    }
    // The reply may still appear. The next call begins with a check, so it is safe to call again.
    throw error;
  }
}

/** There is no route for one review. The newest reviews come first, and usually these get replies. */
async function findReview(client: Client, fiche_id: string, review_id: string): Promise<Review | undefined> {
  for await (const review of client.reviews.list({ fiche_id, limit: 100 })) {
    if (review.review_id === review_id) return review;
  }
  return undefined;
}
