import type { Endpoint, Params } from '../core/endpoint.js';
import { InvalidRequestError } from '../core/errors/index.js';
import { buildRequest } from '../core/request.js';
import { mustBe } from '../core/schema.js';
import type { Issue } from '../core/types.js';
import { acquisitionEndpoints } from './acquisition-schema.js';
import { articleEndpoints } from './articles-schema.js';
import { bulleEndpoints } from './bulles-schema.js';
import { connectionEndpoints } from './connections-schema.js';
import { gmbEndpoints } from './gmb-schema.js';
import { healthEndpoints } from './health-schema.js';
import { imageEndpoints } from './images-schema.js';
import { meEndpoints } from './me-schema.js';
import { normalize } from './parameters.js';
import { platformEndpoints } from './platforms-schema.js';
import { postEndpoints } from './posts-schema.js';
import { qrCodeEndpoints } from './qr-codes-schema.js';
import { reportEndpoints } from './reports-schema.js';
import { reviewEndpoints } from './reviews-schema.js';
import { seoEndpoints } from './seo-schema.js';
import { siteEndpoints } from './sites-schema.js';
import { socialEndpoints } from './social-schema.js';
import { sphereEndpoints } from './spheres-schema.js';
import { visibilityEndpoints } from './visibility-schema.js';

/** The endpoints of every namespace. */
export const endpointsOf = {
  spheres: sphereEndpoints,
  bulles: bulleEndpoints,
  connections: connectionEndpoints,
  platforms: platformEndpoints,
  posts: postEndpoints,
  social: socialEndpoints,
  articles: articleEndpoints,
  reviews: reviewEndpoints,
  acquisition: acquisitionEndpoints,
  gmb: gmbEndpoints,
  visibility: visibilityEndpoints,
  seo: seoEndpoints,
  qrCodes: qrCodeEndpoints,
  sites: siteEndpoints,
  reports: reportEndpoints,
  images: imageEndpoints,
};

/** Every endpoint, for the documents and the tests. */
export const endpoints: readonly Endpoint[] = flatten({ ...healthEndpoints, ...meEndpoints, ...endpointsOf });

/** What is known of a call before it is sent. */
export interface CheckedCall {
  /** The parameters as they are sent, including the path. Dates of other forms are ISO 8601 strings. */
  readonly params: Params;
  /** Every problem of the parameters. A call itself stops at the first parameter of its path that is wrong. */
  readonly issues: readonly Issue[];
}

/** Checks the parameters of an operation as a call would, including the path. Sends nothing. */
export function checkCall(operation: string, given: Params): CheckedCall {
  const params = { ...given };
  normalize(params);
  const endpoint = endpoints.find((one) => one.operation === operation);
  if (!endpoint) return { params, issues: [{ path: ['operation'], message: 'is not an operation' }] };
  const inPath = new Map(Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, params[name]]));
  const others = Object.entries(params).filter(([name]) => !inPath.has(name));
  const issues: Issue[] = [];
  for (const [name, value] of inPath) {
    // A request has no path without the parameter, so the other problems would stay unseen.
    if (value === undefined) issues.push({ path: [name], message: mustBe('a string or an integer', undefined) });
    if (value === undefined) inPath.set(name, 'missing');
  }
  for (;;) {
    try {
      buildRequest(endpoint, Object.fromEntries(others), Object.fromEntries(inPath));
      return { params, issues };
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      issues.push(...error.issues);
      const name = error.issues[0]?.path[0];
      if (typeof name !== 'string' || !inPath.has(name)) return { params, issues };
      inPath.set(name, 'invalid');
    }
  }
}

type EndpointTree = { readonly [name: string]: Endpoint | EndpointTree };

function flatten(tree: EndpointTree): Endpoint[] {
  return Object.values(tree).flatMap((node) => (isEndpoint(node) ? [node] : flatten(node)));
}

function isEndpoint(node: Endpoint | EndpointTree): node is Endpoint {
  return typeof node.operation === 'string';
}
