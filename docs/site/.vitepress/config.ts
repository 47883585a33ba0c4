import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { aliases } from '../../../scripts/aliases.mjs';

/** Written by ../main.ts, which runs before VitePress reads this. */
const referenceFile = fileURLToPath(new URL('../../api/sidebar.json', import.meta.url));
const reference: DefaultTheme.SidebarItem[] = existsSync(referenceFile)
  ? JSON.parse(readFileSync(referenceFile, 'utf8'))
  : [];

const page = (text: string, name: string) => ({ text, link: `/guides/${name}` });

/** The pages that llms.txt lists, too. */
export const guides: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start',
    items: [
      page('Getting started', 'getting-started'),
      page('Keys and scopes', 'keys-and-scopes'),
      page('Errors', 'errors'),
      page('Troubleshooting', 'troubleshooting'),
      page('Coding agents', 'agents'),
    ],
  },
  {
    text: 'Publish',
    items: [
      page('Publishing safely', 'publishing-safely'),
      page('Plans', 'plans'),
      page('The journal of plans', 'plan-journal'),
      page('Plans in CI', 'plans-in-ci'),
      page('Campaigns', 'campaigns'),
      page('Publier une semaine de posts', 'publier-une-semaine'),
      page('Publish every morning', 'publish-every-morning'),
      page('What is new', 'what-is-new'),
      page('Reviews', 'reviews'),
      page('Listing, SEO and reports', 'listing-and-seo'),
    ],
  },
  {
    text: 'Articles and sites',
    items: [
      page('Articles on your site', 'articles-on-your-site'),
      page('Sync', 'sync'),
      page('Stores of articles', 'article-stores'),
      page('Articles in a database', 'articles-in-a-database'),
      page('Articles in the browser', 'in-the-browser'),
      page('Web component', 'web-component'),
      page('Astro', 'astro'),
      page('Next.js', 'nextjs'),
      page('From the site to the web', 'deploy'),
      page('React', 'react'),
      page('Vue, Svelte and Nuxt', 'vue-svelte-nuxt'),
      page('Workers', 'workers'),
    ],
  },
  {
    text: 'Test',
    items: [
      page('Testing with the mock', 'testing'),
      page('What the mock can do', 'mock-scenarios'),
      page('The mock on a port', 'mock-server'),
    ],
  },
  {
    text: 'Run at scale',
    items: [
      page('Rate limits and budgets', 'rate-limits-and-budgets'),
      page('Many processes', 'many-processes'),
      page('Many brands', 'many-brands'),
      page('Limits in Workers', 'limits-in-workers'),
      page('Logs and events', 'logging'),
      page('Traces', 'tracing'),
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Glossary', link: '/glossary' },
      { text: 'API reference', link: '/api/' },
      { text: 'Endpoints', link: '/endpoints' },
      { text: 'Playground', link: '/playground' },
      page('Namespaces and entries', 'namespaces-and-entries'),
      page('Command line', 'command-line'),
      page('Doctor', 'doctor'),
      page('Schemas', 'schemas'),
      page('Runtimes and versions', 'runtimes'),
      { text: 'What happens when it fails', link: '/reliability' },
      { text: 'Architecture', link: '/architecture' },
    ],
  },
];

/**
 * Words that stand on every page are no help in a search. The reader's page gets these functions as text, so each of
 * them uses nothing from outside.
 */
const miniSearch: DefaultTheme.LocalSearchOptions['miniSearch'] = {
  options: {
    processTerm: (term) =>
      /^(an?|and|are|as|at|be|by|can|do|does|for|from|has|have|how|if|in|is|it|its|my|not|of|on|or|so|that|the|then|this|to|was|what|when|which|who|why|will|with|you|your)$/i.test(
        term,
      )
        ? null
        : term.toLowerCase().replace(/ies$/, 'y'), // "retries" is "retry"
  },
  searchOptions: {
    // In a short word, one other letter makes another word.
    fuzzy: (term: string) => (term.length >= 5 ? 0.2 : false),
    prefix: (term: string) => term.length >= 3,
    // The heading of a section, its text, the headings above it.
    boost: { title: 8, text: 1, titles: 2 },
    // Who searches for a word wants it explained. The reference has most of the pages, so it would win by their number.
    boostDocument: (id: string) => (id.includes('glossary') ? 4 : id.includes('/guides/') ? 2 : 1),
  },
};

/** A page for the search, which reads the words of code: colours would take two thirds of the time. */
const renderPlain: DefaultTheme.LocalSearchOptions['_render'] = (text, env, md) => {
  const { highlight } = md.options;
  try {
    md.options.highlight = (code) =>
      `<pre><code>${code.trim().replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;')}</code></pre>`;
    return md.render(text, env);
  } finally {
    md.options.highlight = highlight;
  }
};

const { repository, version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  repository: { url: string };
  version: string;
};
/** The address of the repository. */
export const source = repository.url.replace(/^git\+|\.git$/g, '');

/** Generated pages of wide tables, which cannot say so themselves. */
const wide = ['endpoints.md', 'reliability.md'];

/** GitHub draws Mermaid itself. The colours stand in theme/style.css: the SVG's own style would ask the network for a font. */
function picture(mermaid: string): string {
  const svg = renderMermaidSVG(mermaid, { padding: 8, bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)' }).replace(
    /<style>.*?<\/style>/s,
    '',
  );
  return `<figure class="picture" v-pre>${svg}</figure>`;
}

/** What lies outside docs/: the pages of the site link to the repository. */
const OUTSIDE = /^(\.\.\/)+(examples|src|packages|bench|\.changeset|\.github)\//;

export default defineConfig({
  title: 'multilocal',
  description: 'The TypeScript client of the Multi-Location Social Publishing and Content API.',
  srcDir: '..',
  srcExclude: ['site/**', 'decisions/**'],
  // Any server of static files will do.
  cleanUrls: false,
  transformPageData: ({ relativePath, frontmatter }) => {
    if (wide.includes(relativePath)) {
      const pageClass = `wide ${relativePath.replace('.md', '')}`;
      Object.assign(frontmatter, { aside: false, pageClass });
    }
    // Nobody edits what scripts write.
    if (wide.includes(relativePath) || relativePath.startsWith('api/')) frontmatter.editLink = false;
  },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  markdown: {
    // Their comments have enough contrast to be read.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config: (md) => {
      // Vue drops a line break between two elements, such as a bold word and code, and would join them.
      md.renderer.rules.softbreak = () => ' ';
      md.core.ruler.push('links-out-of-docs', ({ tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
          if (OUTSIDE.test(link)) token.attrSet('href', link.replace(/^(\.\.\/)+/, `${source}/blob/main/`));
        }
      });
      const { code_inline, fence } = md.renderer.rules;
      // Variables of campaigns, `{{name}}`, are none of Vue.
      md.renderer.rules.code_inline = (tokens, index, ...rest) => {
        tokens[index]?.attrSet('v-pre', '');
        return code_inline?.(tokens, index, ...rest) ?? '';
      };
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info = '', content = '' } = tokens[index] ?? {};
        return info === 'mermaid' ? picture(content) : (fence?.(tokens, index, ...rest) ?? '');
      };
    },
  },
  vite: {
    resolve: { alias: aliases() },
    build: {
      // The search index is one chunk, fetched when somebody searches.
      chunkSizeWarningLimit: 2_000,
      rollupOptions: {
        // zod explains its annotations in comments that Rollup takes for annotations.
        onwarn: (warning, warn) => warning.code !== 'INVALID_ANNOTATION' && warn(warning),
      },
    },
  },
  themeConfig: {
    logo: { src: '/favicon.svg', alt: '' },
    nav: [
      { text: 'Guides', link: '/guides/getting-started', activeMatch: '/guides/' },
      { text: 'API reference', link: '/api/', activeMatch: '/api/' },
      { text: 'Playground', link: '/playground' },
      { text: 'Endpoints', link: '/endpoints' },
      {
        text: `v${version}`,
        items: [
          { text: 'Changelog', link: `${source}/blob/main/CHANGELOG.md` },
          { text: 'Package', link: 'https://www.npmjs.com/package/multilocal' },
          { text: 'llms.txt', link: '/llms.txt', target: '_blank' },
        ],
      },
    ],
    socialLinks: [
      { icon: 'github', link: source },
      { icon: 'npm', link: 'https://www.npmjs.com/package/multilocal' },
    ],
    editLink: { pattern: `${source}/edit/main/docs/:path`, text: 'Edit this page' },
    sidebar: { '/': guides, '/api/': [{ text: '← Guides', link: '/guides/getting-started' }, ...reference] },
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch, _render: renderPlain } },
  },
});
