export { directoryStore } from './sync/directory-store.js';
