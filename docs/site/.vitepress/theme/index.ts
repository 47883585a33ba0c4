// The default theme with fonts of its own: nothing is fetched from anywhere else.
import type { Theme } from 'vitepress';
import '@fontsource-variable/newsreader/opsz.css';
import '@fontsource-variable/newsreader/wght-italic.css';
import theme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent } from 'vue';
import './style.css';
import './reference.css';
import './playground.css';
import './home.css';

export default {
  extends: theme,
  enhanceApp({ app }) {
    // The client, the mock and msw are loaded by the page that shows them, and by no other.
    app.component(
      'ApiPlayground',
      defineAsyncComponent(() => import('./ApiPlayground.vue')),
    );
  },
} satisfies Theme;
