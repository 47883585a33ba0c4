export { postSchema } from './resources/posts-schema.js';
