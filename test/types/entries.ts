export { ArticlesClient } from '../../src/articles.js';
export * from '../../src/index.js';
