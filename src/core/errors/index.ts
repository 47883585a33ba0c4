export * from './api-errors.js';
export * from './client-errors.js';
export { type ErrorContext, isMultilocalError, MultilocalError } from './multilocal-error.js';
