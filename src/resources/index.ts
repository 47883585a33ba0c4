import { type Api, Resource } from '../core/api.js';
import type { Endpoint } from '../core/endpoint.js';
import { Acquisition } from './acquisition.js';
import { acquisitionEndpoints } from './acquisition-schema.js';
import { Articles } from './articles.js';
import { articleEndpoints } from './articles-schema.js';
import { Bulles } from './bulles.js';
import { bulleEndpoints } from './bulles-schema.js';
import { Connections } from './connections.js';
import { connectionEndpoints } from './connections-schema.js';
import { Gmb } from './gmb.js';
import { gmbEndpoints } from './gmb-schema.js';
import { healthEndpoints } from './health-schema.js';
import { Images } from './images.js';
import { imageEndpoints } from './images-schema.js';
import { meEndpoints } from './me-schema.js';
import { Platforms } from './platforms.js';
import { platformEndpoints } from './platforms-schema.js';
import { Posts } from './posts.js';
import { postEndpoints } from './posts-schema.js';
import { QrCodes } from './qr-codes.js';
import { qrCodeEndpoints } from './qr-codes-schema.js';
import { Reports } from './reports.js';
import { reportEndpoints } from './reports-schema.js';
import { Reviews } from './reviews.js';
import { reviewEndpoints } from './reviews-schema.js';
import { Seo } from './seo.js';
import { seoEndpoints } from './seo-schema.js';
import { Sites } from './sites.js';
import { siteEndpoints } from './sites-schema.js';
import { Social } from './social.js';
import { socialEndpoints } from './social-schema.js';
import { Spheres } from './spheres.js';
import { sphereEndpoints } from './spheres-schema.js';
import { Visibility } from './visibility.js';
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

/** The namespaces of a client. */
export class Namespaces extends Resource {
  /** The brand of the key. */
  readonly spheres: Spheres;
  /** The locations of the brand. */
  readonly bulles: Bulles;
  /** The social and listing accounts of the locations. */
  readonly connections: Connections;
  /** The social platforms. */
  readonly platforms: Platforms;
  /** Posts: published on the social platforms of a location, now or later. */
  readonly posts: Posts;
  /** Simplified publishing with the key of one location: one text, published immediately unless it is scheduled. */
  readonly social: Social;
  /** Articles written for a connected CMS site, or served to a custom site. */
  readonly articles: Articles;
  /** Reviews of Google listings. */
  readonly reviews: Reviews;
  /** Review requests: messages that ask customers for a review, by SMS or e-mail. */
  readonly acquisition: Acquisition;
  /** Google listings: figures and the optimizer. */
  readonly gmb: Gmb;
  /** Visibility of a listing in the local results of Google. */
  readonly visibility: Visibility;
  /** SEO of a location's site: scans, keywords and Google Search Console. */
  readonly seo: Seo;
  /** QR codes whose scans are counted. */
  readonly qrCodes: QrCodes;
  /** Connected sites, on which articles can be published. */
  readonly sites: Sites;
  /** Reports on listings, as PDF and CSV. */
  readonly reports: Reports;
  /** Images for posts and articles: uploaded or generated. */
  readonly images: Images;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.spheres = new Spheres(api);
    this.bulles = new Bulles(api);
    this.connections = new Connections(api);
    this.platforms = new Platforms(api);
    this.posts = new Posts(api);
    this.social = new Social(api);
    this.articles = new Articles(api);
    this.reviews = new Reviews(api);
    this.acquisition = new Acquisition(api);
    this.gmb = new Gmb(api);
    this.visibility = new Visibility(api);
    this.seo = new Seo(api);
    this.qrCodes = new QrCodes(api);
    this.sites = new Sites(api);
    this.reports = new Reports(api);
    this.images = new Images(api);
  }
}

type EndpointTree = { readonly [name: string]: Endpoint | EndpointTree };

function flatten(tree: EndpointTree): Endpoint[] {
  return Object.values(tree).flatMap((node) => (isEndpoint(node) ? [node] : flatten(node)));
}

function isEndpoint(node: Endpoint | EndpointTree): node is Endpoint {
  return typeof node.operation === 'string';
}
