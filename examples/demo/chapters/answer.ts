import type { ReviewCounts } from 'multilocal';
import type { Chapter } from '../demo.js';
import { clip } from '../screen.js';
import { effectsOf } from './rehearse.js';

export const answer: Chapter = {
  title: 'Answer a review',
  async tell({ client, identity, mock, screen, signal }) {
    const [fiche] = identity.gmb_fiches;
    if (!fiche) {
      screen.skip('the key covers no listing');
      return;
    }
    const { reviews } = client.forFiche(fiche.id);
    const page = await reviews.list({ status: 'unresponded' }, { signal });
    const review = page.reviews.find(({ text }) => text) ?? page.reviews[0];
    if (!review) {
      screen.skip('every review has its answer');
      return;
    }
    const { review_id, rating, customer_name, text } = review;
    screen.table([
      ['listing', fiche.name ?? fiche.id],
      ['before', told(page.status_counts)],
      [starred(rating), `${customer_name ?? 'somebody'}: ${text ? `“${clip(text, 60)}”` : 'no word'}`],
    ]);
    if (!identity.permissions.includes('publish')) {
      screen.skip('the key may not publish');
      return;
    }

    const reply = {
      text: rating > 3 ? 'Merci beaucoup, à très vite au fournil !' : 'Pardon : revenez, nous ferons mieux.',
    };
    const preview = await client.dryRun.reviews.reply(review_id, reply, { signal });
    screen.say('Answering it would do this:', effectsOf(preview));
    if (!mock) {
      screen.skip('the real service is not given an answer; this one was only rehearsed');
      return;
    }
    const { posted } = await reviews.reply(review_id, reply, { signal });
    const { status_counts } = await reviews.summary({}, { signal });
    screen.table([
      ['answer', posted ? 'stands at Google' : 'not posted'],
      ['after', told(status_counts)],
    ]);
  },
};

const starred = (rating: number): string => '★'.repeat(rating).padEnd(5, '☆');

const told = ({ unresponded, responded, drafts }: ReviewCounts): string =>
  `${unresponded} unanswered, ${responded} answered, ${drafts} in draft`;
