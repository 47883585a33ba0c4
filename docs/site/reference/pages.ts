// Writes the API reference: an overview in the order of the namespaces, a page for each of them, and one for each of
// the other parts of the package.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { endpointsOf } from '@multilocal/client/resources/endpoints';
import {
  type Docstrings,
  docOf,
  formsOf,
  markdown,
  readDocstrings,
  root,
} from '@multilocal/scripts/docs-api/docstrings';
import { type DeclarationReflection, ReflectionKind } from 'typedoc';
import type { DefaultTheme } from 'vitepress';
import { operations } from '../playground/operations.js';
import { fieldsOf } from './fields.js';
import { formatted } from './format.js';
import { codeOf, type Method, methodOf, methodsOf, slugOf } from './methods.js';
import { codeBlock, fieldList, prose, resultHtml, routeHtml } from './render.js';
import { heading, methodSection, typeSection } from './sections.js';

const folder = join(root, 'docs', 'api');
const NAMESPACES = Object.keys(endpointsOf);

/** Pages beside the namespaces: the text above their sections. */
const OTHERS = {
  errors: [
    'Errors',
    'Every error that the package throws is a `MultilocalError`. The [guide](../guides/errors.md) shows how to handle them.',
  ],
  'articles-client': [
    'multilocal/articles',
    'The client for browser pages and custom sites: `list`, `get`, `changes` and `confirm` of [`client.articles`](./articles.md), and three methods that `articlesProxy` answers.',
  ],
  astro: [
    'multilocal/astro',
    'Articles in the content collections of Astro. The [guide](../guides/astro.md) shows how to use it.',
  ],
  mock: [
    'multilocal/mock',
    'The mock of the whole service, for tests. The [guide](../guides/testing.md) shows how to use it.',
  ],
  plans: [
    'multilocal/plans',
    'Plans as a library: campaigns and their calendars. The [guide](../guides/campaigns.md) shows how to use it.',
  ],
  proxy: [
    'multilocal/proxy',
    'Serves articles to visitors from a copy and keeps the key on the server. See [in the browser](../guides/in-the-browser.md) and [Workers](../guides/workers.md).',
  ],
  limiter: [
    'multilocal/limiter',
    'What a store for `rateLimit` is made of, for engines other than Redis. See [Many processes](../guides/many-processes.md).',
  ],
  node: ['multilocal/node', 'What needs the file system of Node.'],
  otel: [
    'multilocal/otel',
    'Makes spans and metrics of OpenTelemetry from calls. The [guide](../guides/tracing.md) shows how to use it.',
  ],
  redis: [
    'multilocal/redis',
    'Counts the requests of all processes that use a key. See [Many processes](../guides/many-processes.md).',
  ],
  site: [
    'multilocal/site',
    'What the pages of a site need: JSON-LD, meta tags, a feed, a sitemap. The [guide](../guides/articles-on-your-site.md) shows how to use it.',
  ],
  sql: [
    'multilocal/sql',
    'Keeps articles, and the journals of plans, in Postgres or SQLite. The [guide](../guides/articles-in-a-database.md) has the lines for each driver.',
  ],
  watch: [
    'multilocal/watch',
    'Gives what is new at the service as events, within a share of the day’s requests. See [what is new](../guides/what-is-new.md).',
  ],
  schemas: [
    'multilocal/schemas',
    'The zod schema of every parameter object and every response. The [guide](../guides/schemas.md) shows how to use them.',
  ],
} as const;

/** Writes docs/api: the pages, the sidebar beside them, and what the playground offers. */
export async function writeReference(options?: { isChecked: boolean }): Promise<void> {
  const reference = new Reference(await readDocstrings(options));
  const pages = new Map<string, string>([
    ['index', reference.overview()],
    ['client', await reference.client()],
    ['schemas', reference.schemas()],
  ]);
  for (const namespace of NAMESPACES) pages.set(slugOf(namespace), await reference.namespace(namespace));
  for (const page of Object.keys(OTHERS)) if (!pages.has(page)) pages.set(page, reference.other(page));
  mkdirSync(folder, { recursive: true });
  const wanted = new Set([...pages.keys()].map((page) => `${page}.md`)).add('sidebar.json').add('operations.json');
  for (const name of readdirSync(folder)) if (!wanted.has(name)) rmSync(join(folder, name), { recursive: true });
  for (const [page, text] of formatted(pages)) write(`${page}.md`, text);
  write('sidebar.json', JSON.stringify(reference.sidebar(), null, 2));
  write('operations.json', JSON.stringify(operations, null, 2));
}

/** Two builds may run at the same time: what is there already stays. */
function write(name: string, text: string): void {
  const file = join(folder, name);
  const isSame = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (!isSame) writeFileSync(file, text);
}

class Reference {
  readonly #docs: Docstrings;
  readonly #methods: ReadonlyMap<string, Method[]>;
  readonly #links = new Map<string, string>();

  constructor(docs: Docstrings) {
    this.#docs = docs;
    const namespaces = NAMESPACES.map((name) => [name, methodsOf(docs.name(kindOf(name)), name)] as const);
    this.#methods = new Map([['client', methodsOf(docs.name('Client'), 'client')], ...namespaces]);
    for (const [namespace, methods] of this.#methods) {
      for (const { operation, anchor } of methods) {
        this.#links.set(operation.replace(/^client\./, ''), `./${slugOf(namespace)}.html#${anchor}`);
      }
    }
    for (const one of this.#typeNames()) this.#links.set(one.name, `./${pageOf(one)}.html#${one.name}`);
    this.#links.set('Client', './client.html');
    for (const name of NAMESPACES) this.#links.set(kindOf(name), `./${slugOf(name)}.html`);
  }

  /** Names that have a section of their own: the classes of the namespaces are pages, and the schemas are in a table. */
  #typeNames(): DeclarationReflection[] {
    const classes = new Set(['ArticleReads', 'Client', 'GmbOptimizer', 'TrackedKeywords', ...NAMESPACES.map(kindOf)]);
    return [...this.#docs.names.values()].filter(
      ({ name, kind }) => !classes.has(name) && kind !== ReflectionKind.Variable,
    );
  }

  /** Functions first, then what the others extend. */
  #typesOf(page: string, level: '##' | '###' = '###'): string[] {
    const names = this.#typeNames().filter((one) => pageOf(one) === page);
    const rank = ({ name, kind }: DeclarationReflection) =>
      kind === ReflectionKind.Function ? 0 : name === 'MultilocalError' ? 1 : 2;
    return names.sort((a, b) => rank(a) - rank(b)).map((one) => typeSection(one, level, this.#links));
  }

  #docOf(namespace: string): string {
    return docOf(this.#docs.name(kindOf(namespace)));
  }

  async namespace(namespace: string): Promise<string> {
    const methods = this.#methods.get(namespace) ?? [];
    const sections: string[] = [];
    for (const method of methods) sections.push(await methodSection(method, this.#links));
    const types = this.#typesOf(slugOf(namespace));
    return page(`client.${namespace}`, [
      prose(this.#docOf(namespace), this.#links),
      this.#calls(methods, './'),
      ...sections,
      ...(types.length > 0 ? ['## Types', ...types] : []),
    ]);
  }

  async client(): Promise<string> {
    const client = this.#docs.name('Client');
    const connect = client.children?.find(({ name }) => name === 'connect') as DeclarationReflection;
    const connects = (connect.signatures ?? []).flatMap((one) => methodOf(connect, 'Client', one) ?? []).reverse();
    const methods = [
      ...connects.map((method, index) => (index === 0 ? method : { ...method, anchor: 'connect-sphere' })),
      ...(this.#methods.get('client') ?? []),
    ];
    const sections: string[] = [];
    for (const method of methods) sections.push(await methodSection(method, this.#links));
    const fields = fieldsOf(formsOf(client), 'got').filter(
      ({ names: [name = ''] }) =>
        !NAMESPACES.includes(name) && !methods.some(({ operation }) => operation.endsWith(`.${name}`)),
    );
    return page('Client', [
      prose(docOf(client), this.#links),
      codeBlock('ts', codeOf(markdown(client.comment?.getTag('@example')?.content))),
      codeBlock('ts', 'new Client(options?: ClientOptions)'),
      '## Properties',
      fieldList(fields, this.#links),
      ...sections,
      '## Options, promises and shared types',
      ...this.#typesOf('client'),
    ]);
  }

  other(name: string): string {
    const [title, text] = OTHERS[name as keyof typeof OTHERS];
    return page(title, [text, ...this.#typesOf(name, '##')], 'aside');
  }

  /** Each schema with the type that it is named after. */
  schemas(): string {
    const [title, text] = OTHERS.schemas;
    const all = [...this.#docs.names.values()].filter(({ kind }) => kind === ReflectionKind.Variable);
    const rows = all.map(({ name: schema }) => {
      const type = schema.charAt(0).toUpperCase() + schema.slice(1, -'Schema'.length);
      const link = this.#links.get(type);
      return `| \`${schema}\` | ${link ? `[\`${type}\`](${link})` : `\`${type}\``} |`;
    });
    return page(title, [text, ['| schema | type |', '|---|---|', ...rows].join('\n')]);
  }

  /** Every method of the client with its route, in the order of the namespaces; then what else the package exports. */
  overview(): string {
    const namespaces = NAMESPACES.map((name) =>
      [
        `## client.${name} {#${slugOf(name)}}`,
        prose(this.#docOf(name), this.#links),
        this.#calls(this.#methods.get(name) ?? [], `./${slugOf(name)}.html`),
      ].join('\n\n'),
    );
    const others = Object.keys(OTHERS).map((name) => {
      const [title, text] = OTHERS[name as keyof typeof OTHERS];
      const names = this.#typeNames().filter((one) => pageOf(one) === name);
      const list = names.map(({ name: one }) => `[\`${one}\`](${this.#links.get(one)})`).join(' · ');
      return [`### [${title}](./${name}.md)`, text, list].filter(Boolean).join('\n\n');
    });
    const all = [...this.#methods.values()].flat();
    const count = new Set(all.flatMap(({ endpoint, routes }) => (endpoint ? routes : []))).size;
    return page('API reference', [
      `All ${count} routes of the service and the methods that call them. Each method takes [\`RequestOptions\`](./client.html#RequestOptions) as its last argument, and any of them can throw the [errors of every request](./errors.md). The same as OpenAPI: [openapi.json](../openapi.json){target="_self"}.`,
      `## client {#client}`,
      prose(docOf(this.#docs.name('Client')), this.#links),
      this.#calls(this.#methods.get('client') ?? [], './client.html'),
      ...namespaces,
      '## Also exported',
      ...others,
    ]);
  }

  #calls(methods: readonly Method[], at: string): string {
    const items = methods.map((method) => {
      const link = `<a href="${at === './' ? '' : at}#${method.anchor}"><code v-pre>${heading(method, 'short')}</code></a>`;
      const routes = method.routes.map(routeHtml).join(' ');
      return `<li><span class="call">${link}</span><span class="goes">${routes}</span><span class="gives">${resultHtml(method.returns, this.#links, 'short')}</span></li>`;
    });
    return `<ul class="calls">\n${items.join('\n')}\n</ul>`;
  }

  sidebar(): DefaultTheme.SidebarItem[] {
    const itemsOf = (namespace: string) =>
      (this.#methods.get(namespace) ?? []).map(({ operation, anchor }) => ({
        text: operation.split('.').slice(1).join('.'),
        link: `/api/${slugOf(namespace)}#${anchor}`,
      }));
    return [
      { text: 'Overview', link: '/api/' },
      { text: 'Client', link: '/api/client' },
      {
        text: 'Namespaces',
        items: NAMESPACES.map((name) => ({
          text: name,
          link: `/api/${slugOf(name)}`,
          collapsed: true,
          items: [...itemsOf(name), { text: 'Types', link: `/api/${slugOf(name)}#types` }],
        })),
      },
      {
        text: 'Also exported',
        items: Object.entries(OTHERS).map(([name, [text]]) => ({ text, link: `/api/${name}` })),
      },
    ];
  }
}

const kindOf = (namespace: string) => namespace.charAt(0).toUpperCase() + namespace.slice(1);

/** The page of a name by its source file: its namespace, or the page of its folder. */
function pageOf({ sources = [] }: DeclarationReflection): string {
  const source = relative(root, sources[0]?.fullFileName ?? '').replaceAll('\\', '/');
  // A package of one entry is a folder: `mock/types.ts`, `plans/plan.ts`, `site/meta.ts`, `core/types.ts`.
  const path = source
    .replace(/^packages\/(mock|plans|watch)\/src\b/, '$1')
    .replace(/^packages\/campaigns\/src\b/, 'plans')
    .replace(/^(packages\/\w+\/)?src\//, '');
  const [folder = '', file = ''] = path.split('/');
  if (folder === 'resources') {
    return NAMESPACES.map(slugOf).find((slug) => file === `${slug}.ts` || file.startsWith(`${slug}-`)) ?? 'client';
  }
  if (path.startsWith('core/errors/')) return 'errors';
  if (/^core\/limiter\/(book|store)\.ts$/.test(path)) return 'limiter';
  if (folder === 'cursor') return file === 'port.ts' ? 'watch' : 'node';
  if (folder === 'journal') return file === 'port.ts' ? 'plans' : 'node';
  if (folder === 'sync') return 'articles';
  if (folder === 'page') return 'articles-client';
  return Object.keys(OTHERS).find((name) => folder === name || folder === `${name}.ts`) ?? 'client';
}

/** `'aside'` lists the sections beside the page; pages of methods have them in the sidebar and use the room for code. */
function page(title: string, parts: string[], aside?: 'aside'): string {
  return `---\npageClass: reference\noutline: 2\naside: ${aside !== undefined}\n---\n\n# ${title}\n\n${parts.filter(Boolean).join('\n\n')}\n`;
}
