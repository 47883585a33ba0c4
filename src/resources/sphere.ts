import type { RequestOptions } from '../core/options.js';
import type { BulleTarget } from '../core/types.js';

/**
 * Parameters that must name a location, such as for `posts.create` on a `SphereClient`.
 * @example const post: InBulle<PostCreateParams> = { content: 'La brioche', platforms: ['gmb'], bulle_id };
 */
export type InBulle<Params> = Params & {
  /** The location. The service requires it from a key of the whole brand. */
  bulle_id: string;
};

/** Exists only in the types. */
declare const SPHERE: unique symbol;

/** The mark on the namespaces of a `SphereClient`. `this` of their methods has it, and so their parameters change. */
export interface OfSphere {
  /** Nothing has this property at run time. */
  readonly [SPHERE]: true;
}

/**
 * What the parameters of a method need beyond their own type: a `bulle_id` on a `SphereClient`, and nothing on other
 * clients. `Owner` is the `this` of the method.
 */
export type NeedsBulle<Owner, Needed = InBulle<unknown>> = Owner extends OfSphere ? Needed : unknown;

/**
 * The arguments of a method whose parameters are all optional. On a `SphereClient`, the parameters and their `bulle_id`
 * are required. `Owner` is the `this` of the method.
 */
export type BulleArgs<Owner, Params = BulleTarget> = Owner extends OfSphere
  ? [params: InBulle<Params>, options?: RequestOptions]
  : [params?: Params, options?: RequestOptions];

/** Passes the mark of a namespace on to a namespace within it. */
export type MarkOf<Owner> = Owner extends OfSphere ? OfSphere : unknown;
