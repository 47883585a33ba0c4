export { articlesConfirm, articlesGet, articlesList } from './generated/client';
