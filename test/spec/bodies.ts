// Answers of the service: of the mock to the samples of the table, and those that tests make up.
import { createMockApi } from 'multilocal/mock';
import type { Post, Review, ReviewPage } from '../../src/index.js';
import { CALLS } from './calls.js';
import { requestOf } from './endpoints.js';

const PLATFORMS = ['instagram', 'facebook', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'];
const flat = (prefix: string) => Object.fromEntries(PLATFORMS.map((name) => [`${prefix}_${name}`, null]));

/** A post that nobody targets: every flat field is null. */
export function aPost(fields: Partial<Post> = {}): Post {
  return {
    id: 42,
    bulle_id: 'b-lyon',
    content: 'La brioche du dimanche',
    platforms: ['facebook'],
    status: 'pending',
    image_url: null,
    image_urls: null,
    video_url: null,
    ...flat('scheduled'),
    ...flat('published'),
    ...flat('error'),
    platform_refs: {},
    created_at: '2026-11-21T09:00:00.123456+00:00',
    updated_at: '2026-11-21T09:00:00.123456+00:00',
    warnings: [],
    ...fields,
  };
}

export function aReview(review_id: string, fields: Partial<Review> = {}): Review {
  return {
    review_id,
    customer_name: 'Ada',
    rating: 5,
    text: null,
    review_timestamp: '2026-11-20T10:00:00Z',
    response_text: null,
    reply_date: null,
    responded: false,
    author_photo: null,
    ...fields,
  };
}

export function aReviewPage(reviews: Review[], fields: Partial<ReviewPage> = {}): ReviewPage {
  return {
    fiche: {
      id: 'accounts/1/locations/1',
      name: 'Lyon',
      address: null,
      place_id: 'p',
      average_rating: 4.6,
      total_reviews: 9,
    },
    reviews,
    average_rating: 4.6,
    total_reviews: 9,
    filtered_count: reviews.length,
    status_counts: { all: 9, responded: 4, drafts: 1, unresponded: 4 },
    page: 1,
    total_pages: 1,
    ...fields,
  };
}

/** The specification does not show what these answer. */
const UNDOCUMENTED = ['posts.update', 'posts.delete', 'posts.publish', 'gmb.optimizer.apply'];

export const CONNECTION = {
  platform: 'gmb',
  connected: true,
  name: 'x',
  bulle_id: 'b-lyon',
  expires_at: '2026-12-01T00:00:00',
  needs_reconnect: false,
};

/** With two items of each list: more of them would show nothing else. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(brief);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, brief(item)]));
}

async function answersOfMock(): Promise<Record<string, unknown>> {
  const api = createMockApi({ now: '2026-11-21T09:00:00Z' });
  const answers: Record<string, unknown> = {};
  for (const { operation, row } of CALLS.filter((call) => !UNDOCUMENTED.includes(call.operation))) {
    const kind = row.params?.kind && { kind: operation.replace('seo.', '') };
    const response = await api.handle(requestOf(row, api, kind));
    answers[operation] = brief(await response.json());
  }
  return answers;
}

/** By operation; the writes whose answers the specification does not show are missing. */
export const BODIES: Readonly<Record<string, unknown>> = await answersOfMock();
