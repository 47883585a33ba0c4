export { testArticleStore } from 'multilocal/mock';
export { type Campaign, calendarOf, type Plan, planCampaign } from 'multilocal/plans';
export { articlesProxy } from 'multilocal/proxy';
export * from 'multilocal/site';
export { type SqlStore, sqlStore } from 'multilocal/sql';
export { type ArticleField, ArticlesClient } from '../../src/articles.js';
export * from '../../src/index.js';
export { instrument } from '../../src/otel/index.js';
