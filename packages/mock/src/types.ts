// The public types of both entries, MSW handlers and HTTP server.
export type { MockControl, MockFault, MockRequest } from './control.js';
export type { MockDeviation } from './crooked/deviations.js';
export type { MockKeyOptions, MockKeys, MockPermission } from './engine/auth.js';
export type { MockSnapshot } from './engine/store.js';
export type { MockArticle } from './resources/article.js';
export type { MockArticlePatch, MockArticles } from './resources/articles.js';
export type { MockBulle, MockBulles, MockNewBulle } from './resources/bulles.js';
export type { MockConnectionPatch, MockConnections } from './resources/connections.js';
export type { MockOperation } from './resources/index.js';
export type { MockPlatform } from './resources/platforms.js';
export type { MockPost } from './resources/post.js';
export type { MockNewPost, MockPlatformFailure, MockPosts } from './resources/posts.js';
export type { MockNewReview, MockReview, MockReviews } from './resources/reviews.js';
export type { MockIds } from './seed/brand.js';
export type { MockApiOptions, MockQuotaName } from './settings.js';
