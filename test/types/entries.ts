export { type ArticleField, ArticlesClient } from '../../src/articles.js';
export * from '../../src/index.js';
export { testArticleStore } from '../../src/mock/index.js';
export { instrument } from '../../src/otel/index.js';
export { type Campaign, calendarOf, type Plan, planCampaign } from '../../src/plans/index.js';
export { articlesProxy } from '../../src/proxy/index.js';
export * from '../../src/site/index.js';
export { type SqlStore, sqlStore } from '../../src/sql/index.js';
