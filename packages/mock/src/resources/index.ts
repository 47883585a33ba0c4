import { operationsOf, type Resource } from '../engine/router.js';
import { acquisition } from './acquisition.js';
import { articles } from './articles.js';
import { bulles } from './bulles.js';
import { connections } from './connections.js';
import { gmb } from './gmb.js';
import { identity } from './identity.js';
import { images } from './images.js';
import { platforms } from './platforms.js';
import { posts } from './posts.js';
import { qrCodes } from './qr-codes.js';
import { reports } from './reports.js';
import { reviews } from './reviews.js';
import { seo } from './seo.js';
import { sites } from './sites.js';
import { social } from './social.js';

/** Everything that the mock serves. */
const all = [
  identity,
  bulles,
  connections,
  platforms,
  posts,
  social,
  articles,
  reviews,
  acquisition,
  gmb,
  seo,
  qrCodes,
  sites,
  reports,
  images,
] as const;

export const OPERATIONS = operationsOf(all);

/** A call that the mock serves, under the name that the client's method has. */
export type MockOperation = (typeof OPERATIONS)[number];

export const resources: readonly Resource<MockOperation>[] = all;
