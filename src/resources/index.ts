import { type Api, Resource } from '../core/api.js';
import { Acquisition } from './acquisition.js';
import { Articles } from './articles.js';
import { Bulles } from './bulles.js';
import { Connections } from './connections.js';
import { Gmb } from './gmb.js';
import { Images } from './images.js';
import { Platforms } from './platforms.js';
import { Posts } from './posts.js';
import { QrCodes } from './qr-codes.js';
import { Reports } from './reports.js';
import { Reviews } from './reviews.js';
import { Seo } from './seo.js';
import { Sites } from './sites.js';
import { Social } from './social.js';
import { Spheres } from './spheres.js';
import { Visibility } from './visibility.js';

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
