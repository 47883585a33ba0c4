export * from './api-errors.js';
export * from './client-errors.js';
export { type ErrorContext, type FieldsOf, isMultilocalError, MultilocalError } from './multilocal-error.js';
