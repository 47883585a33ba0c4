/** Whether a page may show a picture: over https, and in development also from the mock, which runs on this machine. */
export const mayShow = (address: string | null | undefined) =>
  /^https:/.test(address ?? '') ||
  (import.meta.env.DEV && /^http:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(address ?? ''));
