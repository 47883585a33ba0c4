import type { Endpoint } from './core/endpoint.js';
import { articleEndpoints } from './resources/articles-model.js';
import { bulleEndpoints } from './resources/bulles.js';
import { connectionEndpoints } from './resources/connections.js';
import { healthEndpoints } from './resources/health.js';
import { meEndpoints } from './resources/me.js';
import { platformEndpoints } from './resources/platforms.js';
import { sphereEndpoints } from './resources/spheres.js';

/** Every endpoint, for the docs and the tests. The clients never import it: a bundle holds only what it uses. */
export const endpoints: readonly Endpoint[] = [
  healthEndpoints,
  meEndpoints,
  sphereEndpoints,
  bulleEndpoints,
  connectionEndpoints,
  platformEndpoints,
  articleEndpoints,
].flatMap((resource): Endpoint[] => Object.values(resource));
