export * from './api-errors.js';
export * from './client-errors.js';
export { isMultilocalError, type KnownError } from './known.js';
export { type ErrorCode, type ErrorContext, type FieldsOf, MultilocalError } from './multilocal-error.js';
