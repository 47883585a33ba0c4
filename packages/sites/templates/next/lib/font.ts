import localFont from 'next/font/local';
// Letters that the first file does not have.
import '@fontsource-variable/newsreader/wght.css';

/** The font: its files, and what shows until they are there. `site.css` calls it `--serif`. */
export const font = localFont({
  src: [
    {
      path: '../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2',
      weight: '200 800',
      style: 'normal',
    },
    {
      path: '../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-wght-italic.woff2',
      weight: '200 800',
      style: 'italic',
    },
  ],
  variable: '--serif',
  // With quotes of their own: CSS takes no name such as `Source Sans 3` without them.
  fallback: ["'Newsreader Variable'", 'Palatino', 'Georgia', 'serif'],
  adjustFontFallback: 'Times New Roman',
});
