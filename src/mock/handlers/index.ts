import { jobsSlice } from '../jobs.js';
import { brandSlice } from '../model/brand.js';
import { quotasSlice } from '../model/quotas.js';
import type { Resource } from '../service.js';
import { articles } from './articles.js';
import { bulles } from './bulles.js';
import { connections } from './connections.js';
import { health } from './health.js';
import { me } from './me.js';
import { platforms } from './platforms.js';
import { spheres } from './spheres.js';

/** What several resources share. */
const shared: Resource = { routes: [], slices: [brandSlice, quotasSlice, jobsSlice] };

/** Everything that the mock serves: a new resource is a file beside this one and a name in this list. */
export const resources: readonly Resource[] = [shared, health, me, spheres, bulles, connections, platforms, articles];
