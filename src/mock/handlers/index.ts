import { jobsSlice } from '../jobs.js';
import { brandSlice } from '../model/brand.js';
import { quotasSlice } from '../model/quotas.js';
import type { Resource } from '../service.js';
import { acquisition } from './acquisition.js';
import { articles } from './articles.js';
import { bulles } from './bulles.js';
import { connections } from './connections.js';
import { gmb } from './gmb.js';
import { health } from './health.js';
import { images } from './images.js';
import { me } from './me.js';
import { platforms } from './platforms.js';
import { posts } from './posts.js';
import { qrCodes } from './qr-codes.js';
import { reports } from './reports.js';
import { reviews } from './reviews.js';
import { seo } from './seo.js';
import { sites } from './sites.js';
import { social } from './social.js';
import { spheres } from './spheres.js';
import { visibility } from './visibility.js';

/** What several resources share. */
const shared: Resource = { routes: [], slices: [brandSlice, quotasSlice, jobsSlice] };

/** Everything that the mock serves: a new resource is a file beside this one and a name in this list. */
export const resources: readonly Resource[] = [
  shared,
  health,
  me,
  spheres,
  bulles,
  connections,
  platforms,
  posts,
  social,
  articles,
  reviews,
  acquisition,
  gmb,
  visibility,
  seo,
  qrCodes,
  sites,
  reports,
  images,
];
