/** Browsers tell nothing of why a connection failed ("Failed to fetch"), which then may have sent something. */
export function isUnsent(_thrown: unknown): undefined {}
