// The types that both faces of the mock, MSW handlers and HTTP server, make public.
export type {
  MockConnectionPatch,
  MockConnections,
  MockNewPost,
  MockNewReport,
  MockNewReview,
  MockPlatform,
  MockPlatformFailure,
  MockPost,
  MockPosts,
  MockReport,
  MockReports,
  MockReview,
  MockReviews,
} from './helper-types.js';
export type { MockOperation } from './operations.js';
export type {
  MockApiOptions,
  MockArticle,
  MockArticlePatch,
  MockArticles,
  MockControl,
  MockFault,
  MockIds,
  MockKeyOptions,
  MockKeys,
  MockPermission,
  MockQuota,
  MockQuotaName,
  MockRequest,
  MockSnapshot,
} from './types.js';
