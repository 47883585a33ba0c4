// The fields of every response and what may be missing in them, typed in by hand. `strict`: what code decides on (an
// object's own id, statuses, kinds, platforms, booleans, counted numbers, dates that order, the address that a call is
// made to get) is as the specification says. `open`: every other field may be null or absent. Lists and objects that hold
// strict fields are strict themselves. `int`: what the specification calls an integer; every other number is any number.

export interface FieldsRow {
  strict: string;
  open?: string;
  int?: string;
  /** Strict fields that the specification allows to be null, because null says what kind of object it is. */
  nullable?: string;
  /** Fields that only another form of the object has. */
  never?: string;
}

const PLATFORMS = ['facebook', 'instagram', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'];
const each = (prefix: string) => PLATFORMS.map((name) => `${prefix}_${name}`).join(' ');
const MEDIA = 'instagram facebook linkedin pinterest gmb';
const COUNTS = { strict: 'all responded drafts unresponded', int: 'all responded drafts unresponded' };
const ARTICLE: FieldsRow = {
  strict: 'id status created_at updated_at',
  open: 'title excerpt content_html featured_image_url meta_title meta_description target_keyword category published_at slug bulle_id bulle_name',
  int: 'id',
};
const SITE = 'site_url site_name sphere_id bulle_id';
const WORDPRESS = 'has_api_key wp_version plugin_version theme_name';

/** By schema, and by path for the objects within. Alternatives of a union are numbered. */
export const fields: Readonly<Record<string, FieldsRow>> = {
  acquisitionStats: {
    strict: 'total_requests by_channel last_30_days',
    open: 'fiche_id by_status',
    int: 'total_requests last_30_days',
  },
  'acquisitionStats.by_channel': { strict: 'sms email', int: 'sms email' },
  reviewRequestBatch: { strict: 'queued queued_count batch_id', open: 'contacts fiche_name', int: 'queued_count' },
  'reviewRequestBatch.contacts': { strict: 'channel', open: 'customer_name contact' },
  article: ARTICLE,
  articleList: { strict: 'articles total limit offset', int: 'total limit offset' },
  'articleList.articles': ARTICLE,
  articleConfirmation: { strict: 'article_id confirmed_at confirmation_source', int: 'article_id' },
  articleCreation: { strict: 'created count generating', open: 'skipped', int: 'count' },
  'articleCreation.created.0': { strict: 'id kind', open: 'title site_id', int: 'id site_id' },
  'articleCreation.created.1': { strict: 'id', open: 'kind title site_id wix_site_id', int: 'id site_id wix_site_id' },
  'articleCreation.skipped': { strict: 'reason', open: 'site_id wix_site_id', int: 'site_id wix_site_id' },
  articlePublication: { strict: 'scheduled article_id', open: 'title scheduled_at', int: 'article_id' },
  articleUpdate: { strict: 'article_id updated_fields status', int: 'article_id' },
  bulle: { strict: 'id', open: 'name city tone language sphere_id created_at' },
  bulleDetail: {
    strict: 'id gmb_fiches_count',
    open: 'name city tone language sphere_id created_at effective_tone effective_language',
    int: 'gmb_fiches_count',
  },
  connection: { strict: 'platform connected needs_reconnect', open: 'name bulle_id expires_at' },
  listingMetrics: {
    strict: 'period_days kpis timeseries',
    open: 'fiche_id fiche_name breakdown',
    int: 'period_days',
  },
  'listingMetrics.kpis': {
    strict: 'views_total views_search views_maps calls website directions messages bookings',
    int: 'views_total views_search views_maps calls website directions messages bookings',
  },
  'listingMetrics.timeseries': { strict: 'label vues interactions', int: 'vues interactions' },
  optimizerScore: {
    strict: 'kind',
    open: 'fiche_id fiche_name display_name score breakdown scored_at',
    int: 'score',
  },
  optimizerAudit: {
    strict: 'kind score suggestions review_count',
    open: 'fiche_id fiche_name display_name breakdown avg_rating analyzed_at',
    int: 'score review_count',
  },
  'optimizerAudit.suggestions': { strict: 'field', open: 'reason suggested_value' },
  health: { strict: 'status api_version', open: 'timestamp' },
  uploadedImage: { strict: 'uploaded image_url size_bytes', open: 'format', int: 'size_bytes' },
  generatedImage: { strict: 'generated image_url brand_aligned' },
  identity: {
    strict: 'api_version bulle sphere permissions rate_limits connected_platforms gmb_fiches',
    nullable: 'bulle',
  },
  'identity.bulle': { strict: 'id', open: 'name city' },
  'identity.sphere': { strict: 'id', open: 'name slug' },
  'identity.rate_limits': { strict: 'per_minute per_day', int: 'per_minute per_day' },
  'identity.gmb_fiches': { strict: 'id service_area', open: 'name address' },
  platformLimits: { strict: 'character_limits image_limits video_limits' },
  'platformLimits.image_limits': { strict: MEDIA },
  'platformLimits.video_limits': { strict: MEDIA },
  ...Object.fromEntries(
    MEDIA.split(' ').flatMap((name) => [
      [
        `platformLimits.image_limits.${name}`,
        { strict: 'max_size_mb', open: 'carousel_min carousel_max', int: 'max_size_mb carousel_min carousel_max' },
      ],
      [
        `platformLimits.video_limits.${name}`,
        { strict: 'max_size_mb', open: 'max_duration_sec', int: 'max_size_mb max_duration_sec' },
      ],
    ]),
  ),
  post: {
    strict: 'id platforms status created_at updated_at',
    open: `bulle_id content image_url image_urls video_url platform_refs warnings ${each('scheduled')} ${each('published')} ${each('error')}`,
    int: 'id',
  },
  createdPost: {
    strict: 'id platforms status',
    open: `content image_url created_at updated_at warnings ${each('scheduled')}`,
    int: 'id',
  },
  qrCode: {
    strict: 'id scan_count is_active gate_enabled',
    open: 'bulle_id name target last_scanned_at gate_threshold created_at',
    int: 'id scan_count gate_threshold',
  },
  createdQrCode: {
    strict: 'id short_url png_url with_logo scan_count',
    open: 'name target_url color_hex created_at',
    int: 'id scan_count',
  },
  report: { strict: '', open: 'fiche_name report_name period generated_at pdf_url csv_url' },
  reportJob: { strict: 'generated type report_id fiches_count', int: 'fiches_count' },
  review: {
    strict: 'review_id rating responded',
    open: 'customer_name text review_timestamp response_text reply_date author_photo',
    int: 'rating',
  },
  reviewPage: {
    strict: 'reviews total_reviews filtered_count status_counts page total_pages',
    open: 'fiche average_rating',
    int: 'total_reviews filtered_count page total_pages',
  },
  'reviewPage.fiche': {
    strict: 'id total_reviews',
    open: 'name address place_id average_rating',
    int: 'total_reviews',
  },
  'reviewPage.status_counts': COUNTS,
  'reviewPage.reviews': {
    strict: 'review_id rating responded',
    open: 'customer_name text review_timestamp response_text reply_date author_photo',
    int: 'rating',
  },
  reviewSummary: { strict: 'total_reviews status_counts', open: 'fiche average_rating', int: 'total_reviews' },
  'reviewSummary.fiche': { strict: 'id', open: 'name' },
  'reviewSummary.status_counts': COUNTS,
  reviewReply: { strict: 'posted review_id', open: 'rating customer_name fiche_name', int: 'rating' },
  seoSnapshot: {
    strict: 'kind snapshot_id has_ai_analysis',
    open: 'bulle_id created_at website_url ranked_keywords competitors onpage pagespeed ai_analysis',
    int: 'snapshot_id',
    never: 'snapshot',
  },
  noSeoSnapshot: { strict: 'kind snapshot', open: 'bulle_id', nullable: 'snapshot' },
  seoCompetitors: { strict: 'kind competitors', open: 'bulle_id snapshot_date' },
  trackedKeyword: {
    strict: 'id history',
    open: 'keyword last_position previous_position delta last_search_volume last_url last_checked_at created_at',
    int: 'id last_position previous_position delta last_search_volume',
  },
  'trackedKeyword.history': { strict: 'checked_at', open: 'position', int: 'position' },
  seoScan: {
    strict: 'ran kind quota_used quota_limit',
    open: 'bulle_id scanned_at',
    int: 'quota_used quota_limit',
  },
  keywordLookup: { strict: 'kind', open: 'keyword result' },
  searchConsoleReport: {
    strict: 'dimensions row_count rows',
    open: 'bulle_id site_url start_date end_date search_type',
    int: 'row_count',
  },
  'searchConsoleReport.rows': { strict: 'keys clicks impressions ctr position', int: 'clicks impressions' },
  'site.0': { strict: 'platform id is_shared', open: `${SITE} ${WORDPRESS}`, int: 'id' },
  'site.1': { strict: 'platform id is_shared', open: `${SITE} has_token`, int: 'id' },
  'site.2': { strict: 'platform id is_shared', open: `${SITE} ${WORDPRESS} has_token`, int: 'id' },
  socialPublication: { strict: 'post_id status platforms', open: 'scheduled_at quota' },
  socialQuota: { strict: '', open: 'bulle_id' },
  socialPost: { strict: 'post_id status platforms', open: 'content scheduled published errors' },
  'socialPost.scheduled': { strict: '', open: PLATFORMS.join(' ') },
  'socialPost.published': { strict: '', open: PLATFORMS.join(' ') },
  'socialPost.errors': { strict: '', open: PLATFORMS.join(' ') },
  sphere: { strict: 'id', open: 'name slug default_language default_tone created_at' },
  visibilityScan: {
    strict: 'snapshot_id visibility_score',
    open: 'fiche_id scanned_at',
    int: 'visibility_score',
    never: 'snapshot',
  },
  noVisibilityScan: { strict: 'snapshot', open: 'fiche_id', nullable: 'snapshot' },
};
