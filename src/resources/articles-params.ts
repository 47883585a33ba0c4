import * as z from 'zod/mini';
import * as s from '../core/schema.js';
import type { ScheduledAt } from '../core/types.js';
import { scheduledAt } from './parameters.js';

/** @inline */
interface ArticleCreateFields {
  /** Title of the article, at least 3 characters. */
  title: string;
  /** Search term that the article is written for, at least 2 characters. */
  target_keyword: string;
  /** Number of words that the text should have. Default 1500. */
  ai_word_count_target?: number | undefined;
  /** Whether the service writes the text. Default `true`. */
  generate_content?: boolean | undefined;
  /** Whether the service generates the image. Default `false`. */
  generate_image?: boolean | undefined;
  /** Tone of the text. Default `'professional'`. */
  tone?: string | undefined;
  /** Language of the text. Default `'fr'`. */
  language?: string | undefined;
  /** Address of the main image. */
  featured_image_url?: string | undefined;
  /** Text for the `<title>` of the page. */
  meta_title?: string | undefined;
  /** Text for the `<meta name="description">` of the page. */
  meta_description?: string | undefined;
  /** Short summary. */
  excerpt?: string | undefined;
  /** Free label, at most 80 characters, or `null`. */
  category?: string | null | undefined;
  /**
   * The location. The service requires it with a sphere key. Without site ids, the article is made for a custom site.
   */
  bulle_id?: string | undefined;
}

/**
 * One WordPress site, several, or none.
 * @inline
 */
type SiteChoice =
  | {
      /** Id of one WordPress site, from `sites.list`. */
      site_id?: number | undefined;
      /** Ids of several WordPress sites, from `sites.list`. */
      site_ids?: undefined;
    }
  | {
      /** Id of one WordPress site, from `sites.list`. */
      site_id?: undefined;
      /** Ids of several WordPress sites, from `sites.list`. */
      site_ids?: readonly number[] | undefined;
    };
/**
 * One Wix site, several, or none.
 * @inline
 */
type WixSiteChoice =
  | {
      /** Id of one Wix site, from `sites.list`. */
      wix_site_id?: number | undefined;
      /** Ids of several Wix sites, from `sites.list`. */
      wix_site_ids?: undefined;
    }
  | {
      /** Id of one Wix site, from `sites.list`. */
      wix_site_id?: undefined;
      /** Ids of several Wix sites, from `sites.list`. */
      wix_site_ids?: readonly number[] | undefined;
    };
/**
 * Parameters of `articles.create`. `site_id` and `site_ids` exclude each other, as do `wix_site_id` and `wix_site_ids`.
 */
export type ArticleCreateParams = ArticleCreateFields & SiteChoice & WixSiteChoice;

/** The zod schema of {@link ArticleCreateParams}. */
export const articleCreateParamsSchema: z.ZodMiniType<ArticleCreateParams, ArticleCreateParams> = s.refine(
  s.params({
    title: s.text(3),
    target_keyword: s.text(2),
    site_id: z.optional(s.integer),
    site_ids: z.optional(s.list(s.integer)),
    wix_site_id: z.optional(s.integer),
    wix_site_ids: z.optional(s.list(s.integer)),
    ai_word_count_target: z.optional(s.int(1)),
    generate_content: z.optional(s.boolean),
    generate_image: z.optional(s.boolean),
    tone: z.optional(s.string),
    language: z.optional(s.string),
    featured_image_url: z.optional(s.string),
    meta_title: z.optional(s.string),
    meta_description: z.optional(s.string),
    excerpt: z.optional(s.string),
    category: z.optional(z.nullable(s.text(0, 80))),
    bulle_id: s.target,
  }),
  s.rule(
    ({ site_id, site_ids }) => site_id === undefined || site_ids === undefined,
    'cannot be combined with `site_id`',
    'site_ids',
  ),
  s.rule(
    ({ wix_site_id, wix_site_ids }) => wix_site_id === undefined || wix_site_ids === undefined,
    'cannot be combined with `wix_site_id`',
    'wix_site_ids',
  ),
);

/** Parameters of `articles.update`. Only the fields that you pass change. */
export interface ArticleUpdateParams {
  /** The new title. A slug that is already fixed does not change. */
  title?: string | undefined;
  /** The new text, as HTML. */
  content_html?: string | undefined;
  /** The new summary. */
  excerpt?: string | undefined;
  /** The new text for the `<title>` of the page. */
  meta_title?: string | undefined;
  /** The new text for the `<meta name="description">` of the page. */
  meta_description?: string | undefined;
  /** The new search term. */
  target_keyword?: string | undefined;
  /** The new address of the main image. */
  featured_image_url?: string | undefined;
  /** The new label, at most 80 characters. `''` removes the label. */
  category?: string | undefined;
}

/** The zod schema of {@link ArticleUpdateParams}. */
export const articleUpdateParamsSchema: s.ObjectSchema<ArticleUpdateParams> = s.params({
  title: z.optional(s.string),
  content_html: z.optional(s.string),
  excerpt: z.optional(s.string),
  meta_title: z.optional(s.string),
  meta_description: z.optional(s.string),
  target_keyword: z.optional(s.string),
  featured_image_url: z.optional(s.string),
  category: z.optional(s.text(0, 80)),
});

/** Parameters of `articles.publish`. */
export interface ArticlePublishParams {
  /** A future date, with `Z` or an offset. Without it, the article goes online immediately. */
  scheduled_at?: ScheduledAt | undefined;
}

/** The zod schema of {@link ArticlePublishParams}. */
export const articlePublishParamsSchema: s.ObjectSchema<ArticlePublishParams> = s.params({
  scheduled_at: z.optional(scheduledAt),
});
