// The fields of every response and what may be missing in them, typed in by hand. First what code decides on (an object's
// own id, statuses, kinds, platforms, booleans, counted numbers, dates that order, the address that a call is made to get),
// as the specification says. After `|` all other fields, which may be null or absent. Lists and objects with strict fields
// are strict themselves. `#`: what the specification calls an integer; every other number is any number. `?`: strict, but
// null says what kind of object it is. After `!` the fields that only another form of the object has.

const PLATFORMS = ['facebook', 'instagram', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'];
const each = (prefix: string) => PLATFORMS.map((name) => `${prefix}_${name}`).join(' ');
const MEDIA = 'instagram facebook linkedin pinterest gmb';
const COUNTS = 'all# responded# drafts# unresponded#';
const ARTICLE =
  'id# status created_at updated_at | title excerpt content_html featured_image_url meta_title meta_description target_keyword category published_at slug bulle_id bulle_name';
const SITE = 'site_url site_name sphere_id bulle_id';
const WORDPRESS = 'has_api_key wp_version plugin_version theme_name';
const ofMedia = (kind: string, row: string) =>
  Object.fromEntries(MEDIA.split(' ').map((name) => [`platformLimits.${kind}.${name}`, row]));

/** By schema, and by path for the objects within. Alternatives of a union are numbered. */
export const fields: Readonly<Record<string, string>> = {
  acquisitionStats: 'total_requests# by_channel last_30_days# | fiche_id by_status',
  'acquisitionStats.by_channel': 'sms# email#',
  reviewRequestBatch: 'queued queued_count# batch_id | contacts fiche_name',
  'reviewRequestBatch.contacts': 'channel | customer_name contact',
  article: ARTICLE,
  articleList: 'articles total# limit# offset#',
  'articleList.articles': ARTICLE,
  articleConfirmation: 'article_id# confirmed_at confirmation_source',
  articleCreation: 'created count# generating | skipped',
  'articleCreation.created.0': 'id# kind | title site_id#',
  'articleCreation.created.1': 'id# | kind title site_id# wix_site_id#',
  'articleCreation.skipped': 'reason | site_id# wix_site_id#',
  articlePublication: 'scheduled article_id# | title scheduled_at',
  articleUpdate: 'article_id# updated_fields status',
  bulle: 'id | name city tone language sphere_id created_at',
  bulleDetail: 'id gmb_fiches_count# | name city tone language sphere_id created_at effective_tone effective_language',
  connection: 'platform connected needs_reconnect | name bulle_id expires_at',
  listingMetrics: 'period_days# kpis timeseries | fiche_id fiche_name breakdown',
  'listingMetrics.kpis': 'views_total# views_search# views_maps# calls# website# directions# messages# bookings#',
  'listingMetrics.timeseries': 'label vues# interactions#',
  optimizerScore: 'kind | fiche_id fiche_name display_name score# breakdown scored_at',
  optimizerAudit:
    'kind score# suggestions review_count# | fiche_id fiche_name display_name breakdown avg_rating analyzed_at',
  'optimizerAudit.suggestions': 'field | reason suggested_value',
  health: 'status api_version | timestamp',
  uploadedImage: 'uploaded image_url size_bytes# | format',
  generatedImage: 'generated image_url brand_aligned',
  identity: 'api_version bulle? sphere permissions rate_limits connected_platforms gmb_fiches',
  'identity.bulle': 'id | name city',
  'identity.sphere': 'id | name slug',
  'identity.rate_limits': 'per_minute# per_day#',
  'identity.gmb_fiches': 'id service_area | name address',
  platformLimits: 'character_limits image_limits video_limits',
  'platformLimits.image_limits': MEDIA,
  'platformLimits.video_limits': MEDIA,
  ...ofMedia('image_limits', 'max_size_mb# | carousel_min# carousel_max#'),
  ...ofMedia('video_limits', 'max_size_mb# | max_duration_sec#'),
  post: `id# platforms status created_at updated_at | bulle_id content image_url image_urls video_url platform_refs warnings ${each('scheduled')} ${each('published')} ${each('error')}`,
  createdPost: `id# platforms status | content image_url created_at updated_at warnings ${each('scheduled')}`,
  qrCode: 'id# scan_count# is_active gate_enabled | bulle_id name target last_scanned_at gate_threshold# created_at',
  createdQrCode: 'id# short_url png_url with_logo scan_count# | name target_url color_hex created_at',
  report: '| fiche_name report_name period generated_at pdf_url csv_url',
  reportJob: 'generated type report_id fiches_count#',
  review: 'review_id rating# responded | customer_name text review_timestamp response_text reply_date author_photo',
  reviewPage: 'reviews total_reviews# filtered_count# status_counts page# total_pages# | fiche average_rating',
  'reviewPage.fiche': 'id total_reviews# | name address place_id average_rating',
  'reviewPage.status_counts': COUNTS,
  'reviewPage.reviews':
    'review_id rating# responded | customer_name text review_timestamp response_text reply_date author_photo',
  reviewSummary: 'total_reviews# status_counts | fiche average_rating',
  'reviewSummary.fiche': 'id | name',
  'reviewSummary.status_counts': COUNTS,
  reviewReply: 'posted review_id | rating# customer_name fiche_name',
  seoSnapshot:
    'kind snapshot_id# has_ai_analysis | bulle_id created_at website_url ranked_keywords competitors onpage pagespeed ai_analysis ! snapshot',
  noSeoSnapshot: 'kind snapshot? | bulle_id',
  seoCompetitors: 'kind competitors | bulle_id snapshot_date',
  trackedKeyword:
    'id# history | keyword last_position# previous_position# delta# last_search_volume# last_url last_checked_at created_at',
  'trackedKeyword.history': 'checked_at | position#',
  seoScan: 'ran kind quota_used# quota_limit# | bulle_id scanned_at',
  keywordLookup: 'kind | keyword result',
  searchConsoleReport: 'dimensions row_count# rows | bulle_id site_url start_date end_date search_type',
  'searchConsoleReport.rows': 'keys clicks# impressions# ctr position',
  'site.0': `platform id# is_shared | ${SITE} ${WORDPRESS}`,
  'site.1': `platform id# is_shared | ${SITE} has_token`,
  'site.2': `platform id# is_shared | ${SITE} ${WORDPRESS} has_token`,
  socialPublication: 'post_id status platforms | scheduled_at quota',
  socialQuota: '| bulle_id',
  socialPost: 'post_id status platforms | content scheduled published errors',
  'socialPost.scheduled': `| ${PLATFORMS.join(' ')}`,
  'socialPost.published': `| ${PLATFORMS.join(' ')}`,
  'socialPost.errors': `| ${PLATFORMS.join(' ')}`,
  sphere: 'id | name slug default_language default_tone created_at',
  visibilityScan: 'snapshot_id visibility_score# | fiche_id scanned_at ! snapshot',
  noVisibilityScan: 'snapshot? | fiche_id',
};
