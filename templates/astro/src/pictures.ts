/**
 * Whether a page may show a picture: over https, and in development also from the mock, which runs on this machine until a
 * build ends. (`import.meta.env.DEV` is true while a build loads the articles.)
 */
export const mayShow = (address: string | null | undefined) =>
  /^https:/.test(address ?? '') ||
  (process.env.NODE_ENV === 'development' && /^http:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(address ?? ''));
