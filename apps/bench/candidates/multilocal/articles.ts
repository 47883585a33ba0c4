export { ArticlesClient } from 'multilocal/articles';
