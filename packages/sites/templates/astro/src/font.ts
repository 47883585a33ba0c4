// The font: its files, and the one that every page needs at once. Its name is `--serif`, in the first lines of `site.css`.
import '@fontsource-variable/newsreader/wght.css';
import '@fontsource-variable/newsreader/wght-italic.css';
import inline from '@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2?inline';
import url from '@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2?url';

/** The address of the file, for the pages. */
export const preloaded: string = url;
/** The letters of all sizes, which are twice as heavy, for the cards that a build draws. */
export const file = Buffer.from(inline.slice(inline.indexOf(',') + 1), 'base64');
