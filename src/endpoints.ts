import type { Endpoint } from './core/endpoint.js';
import { acquisitionEndpoints } from './resources/acquisition.js';
import { articleEndpoints } from './resources/articles-endpoints.js';
import { bulleEndpoints } from './resources/bulles.js';
import { connectionEndpoints } from './resources/connections.js';
import { gmbEndpoints } from './resources/gmb-model.js';
import { healthEndpoints } from './resources/health.js';
import { imageEndpoints } from './resources/images.js';
import { meEndpoints } from './resources/me.js';
import { platformEndpoints } from './resources/platforms.js';
import { postEndpoints } from './resources/posts-model.js';
import { qrCodeEndpoints } from './resources/qr-codes.js';
import { reportEndpoints } from './resources/reports-model.js';
import { reviewEndpoints } from './resources/reviews.js';
import { seoEndpoints } from './resources/seo-endpoints.js';
import { siteEndpoints } from './resources/sites.js';
import { socialEndpoints } from './resources/social.js';
import { sphereEndpoints } from './resources/spheres.js';
import { visibilityEndpoints } from './resources/visibility.js';

/** Every endpoint, for the docs and the tests. The clients never import it: a bundle holds only what it uses. */
export const endpoints: readonly Endpoint[] = [
  healthEndpoints,
  meEndpoints,
  sphereEndpoints,
  bulleEndpoints,
  connectionEndpoints,
  platformEndpoints,
  postEndpoints,
  socialEndpoints,
  articleEndpoints,
  reviewEndpoints,
  acquisitionEndpoints,
  gmbEndpoints,
  visibilityEndpoints,
  seoEndpoints,
  qrCodeEndpoints,
  siteEndpoints,
  reportEndpoints,
  imageEndpoints,
].flatMap((resource): Endpoint[] => Object.values(resource));
